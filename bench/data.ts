/**
 * Seeded test data for the benches, made once and kept in a folder outside the tree.
 *
 * ```sh
 * deno run -A bench/data.ts [--dir FOLDER] [--frames N] [u16|f32|mib|tiny|disks]...
 * ```
 *
 * @module
 */

import { join } from "@std/path";
import { readArguments } from "./arguments.ts";
import { countingDetector, SIDE } from "./counts.ts";
import { bytesOf, dataFolder, sizeOf, writeAll, writeWhole } from "./files.ts";
import { diskDetector } from "./lattice.ts";
import { benchAux } from "./masks.ts";
import { mibFrameHeader, mibHdr } from "../tests/formats/mib/mib_files.ts";
import { print } from "./timing.ts";

/**
 * Which file: raw uint16, raw float32, Merlin MIB (big-endian uint16), a 256 KiB raw float32, or raw uint16 with
 * diffraction disks.
 */
export type DataKind = "u16" | "f32" | "mib" | "tiny" | "disks";

/** A file of test data and all that a reader must be told; the Python peers take it as JSON. */
export interface BenchData {
  /** Which file. */
  readonly kind: DataKind;
  /** Where it lies. */
  readonly path: string;
  /** Scan shape, rows first. */
  readonly nav: readonly [number, number];
  /** Frame shape, rows first. */
  readonly sig: readonly [number, number];
  /** The sample type in the file. */
  readonly dtype: "uint16" | "float32";
  /** Its byte order. */
  readonly byteOrder: "little" | "big";
  /** Bytes before each frame. */
  readonly frameHeaderBytes: number;
  /** Bytes of samples, without headers: what GB/s counts. */
  readonly bytes: number;
}

/** Options of {@link benchData}. */
export interface DataOptions {
  /** Frames to make instead of the usual number; a multiple of 64. */
  readonly frames?: number;
}

/** All kinds. */
export const KINDS: readonly DataKind[] = ["u16", "f32", "mib", "tiny", "disks"];
const FRAMES: Readonly<Record<DataKind, number>> = {
  u16: 8192,
  f32: 4096,
  mib: 8192,
  tiny: 256,
  disks: 2048,
};
const SCAN_WIDTH = 64;
const BLOCK = 32; // frames a write
const VERSION = "v1"; // a change of the values is a change of this name

/** Describes a file of test data and makes it unless it is there already, complete. */
export async function benchData(
  kind: DataKind,
  dir: string = dataFolder(),
  { frames = FRAMES[kind] }: DataOptions = {},
): Promise<BenchData> {
  const folder = join(dir, VERSION);
  await Deno.mkdir(folder, { recursive: true });
  const data = describe(kind, folder, frames);
  const size = data.bytes + frames * data.frameHeaderBytes;
  if (await sizeOf(data.path) !== size) await writeWhole(data.path, (file) => writeFrames(file, data));
  if (kind === "mib") {
    await writeWhole(data.path.replace(/mib$/, "hdr"), (file) => {
      writeAll(file, new TextEncoder().encode(mibHdr([frames / SCAN_WIDTH, SCAN_WIDTH], 12)));
    });
  }
  return data;
}

function describe(kind: DataKind, folder: string, frames: number): BenchData {
  const tiny = kind === "tiny";
  const sig = tiny ? [16, 16] as const : [SIDE, SIDE] as const;
  const itemSize = tiny || kind === "f32" ? 4 : 2;
  return {
    kind,
    path: join(folder, `${kind}-${frames}f.${kind === "mib" ? "mib" : "raw"}`),
    nav: tiny ? [frames / 16, 16] : [frames / SCAN_WIDTH, SCAN_WIDTH],
    sig,
    dtype: itemSize === 4 ? "float32" : "uint16",
    byteOrder: kind === "mib" ? "big" : "little",
    frameHeaderBytes: kind === "mib" ? 384 : 0,
    bytes: frames * sig[0] * sig[1] * itemSize,
  };
}

/** The frames of `data`, in blocks; a tiny frame is the 16 x 16 centre of a whole one. */
function writeFrames(file: Deno.FsFile, data: BenchData): void {
  const frames = data.nav[0] * data.nav[1];
  const frame = new Uint16Array(SIDE * SIDE);
  const fill = data.kind === "disks" ? diskDetector(data.nav) : countingDetector(data.nav[1]);
  const stride = data.frameHeaderBytes + data.bytes / frames;
  const block = new Uint8Array(BLOCK * stride);
  for (let first = 0; first < frames; first += BLOCK) {
    const count = Math.min(BLOCK, frames - first);
    for (let i = 0; i < count; i++) {
      fill(first + i, frame);
      encode(data, frame, first + i, block.subarray(i * stride, (i + 1) * stride));
    }
    writeAll(file, block.subarray(0, count * stride));
  }
}

function encode(data: BenchData, frame: Uint16Array, index: number, out: Uint8Array): void {
  if (data.kind === "tiny") {
    const centre = new Float32Array(256).map((_, i) => frame[(120 + (i >> 4)) * SIDE + 120 + (i & 15)]!);
    out.set(bytesOf(centre));
  } else if (data.kind === "f32") {
    new Float32Array(out.buffer, out.byteOffset, frame.length).set(frame);
  } else {
    if (data.kind === "mib") out.set(mibFrameHeader(2, index + 1, { sig: [SIDE, SIDE] }));
    const samples = new Uint16Array(out.buffer, out.byteOffset + data.frameHeaderBytes, frame.length);
    if (data.byteOrder === "little") samples.set(frame);
    else for (let i = 0; i < frame.length; i++) samples[i] = (frame[i]! << 8) | (frame[i]! >>> 8);
  }
}

if (import.meta.main) {
  const { options, names } = readArguments(Deno.args, ["dir", "frames"]);
  const kinds = names.length > 0 ? KINDS.filter((kind) => names.includes(kind)) : KINDS;
  const frames = options.frames === undefined ? {} : { frames: Number(options.frames) };
  print(JSON.stringify(await benchAux(options.dir)));
  for (const kind of kinds) print(JSON.stringify(await benchData(kind, options.dir, frames)));
}
