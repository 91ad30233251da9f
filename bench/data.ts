/**
 * Seeded test data for the benches, made once and kept in a folder outside the tree.
 *
 * ```sh
 * deno run -A bench/data.ts [--dir FOLDER] [--frames N] [u16|f32|mib|tiny]...
 * ```
 *
 * @module
 */

import { tmpdir } from "node:os";
import { join } from "@std/path";
import { readArguments } from "./arguments.ts";
import { countingDetector, randomBits, SIDE } from "./counts.ts";
import { mibFrameHeader, mibScanHeader } from "./mib_headers.ts";
import { npyHeader } from "../src/codecs/npy_header.ts";
import { print } from "./timing.ts";

/** Which file: raw uint16, raw float32, Merlin MIB (big-endian uint16), or a 256 KiB raw float32. */
export type DataKind = "u16" | "f32" | "mib" | "tiny";

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

const KINDS: readonly DataKind[] = ["u16", "f32", "mib", "tiny"];
const FRAMES: Readonly<Record<DataKind, number>> = { u16: 8192, f32: 4096, mib: 8192, tiny: 256 };
const SCAN_WIDTH = 64;
const BLOCK = 32; // frames a write
const VERSION = "v1"; // a change of the values is a change of this name

/** The folder used unless one is named: `tilewise-bench` in the system's temporary folder. */
export function dataFolder(): string {
  return join(tmpdir(), "tilewise-bench");
}

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
      writeAll(file, new TextEncoder().encode(mibScanHeader(frames, SCAN_WIDTH)));
    });
  }
  return data;
}

/** The masks and correction frames that every contestant uses, as paths of `.npy` files (float32). */
export interface BenchAux {
  /** 64 dense masks, uniform in [0, 1), shape (64, 256, 256). */
  readonly masksDense: string;
  /** 64 masks of zeros and ones: 32 rings around the centre, then 32 disks, shape (64, 256, 256). */
  readonly masksRings: string;
  /** A dark frame, in [0, 2), shape (256, 256). */
  readonly dark: string;
  /** A gain frame, in [0.8, 1.2), shape (256, 256). */
  readonly gain: string;
}

/** Makes the masks and correction frames unless they are there already. */
export async function benchAux(dir: string = dataFolder()): Promise<BenchAux> {
  const folder = join(dir, VERSION);
  await Deno.mkdir(folder, { recursive: true });
  const save = async (name: string, planes: number, fill: (out: Float32Array) => void) => {
    const path = join(folder, `${name}.npy`);
    const header = npyHeader("float32", planes === 1 ? [SIDE, SIDE] : [planes, SIDE, SIDE]);
    if (await sizeOf(path) === header.length + planes * SIDE * SIDE * 4) return path;
    const values = new Float32Array(planes * SIDE * SIDE);
    fill(values);
    await writeWhole(path, (file) => (writeAll(file, header), writeAll(file, bytesOf(values))));
    return path;
  };
  return {
    masksDense: await save("masks_dense", 64, (out) => fillUniform(out, 11, 0, 1)),
    masksRings: await save("masks_rings", 64, fillRings),
    dark: await save("dark", 1, (out) => fillUniform(out, 12, 0, 2)),
    gain: await save("gain", 1, (out) => fillUniform(out, 13, 0.8, 1.2)),
  };
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
  const fill = countingDetector(data.nav[1]);
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
    if (data.kind === "mib") out.set(mibFrameHeader(index + 1, SIDE));
    const samples = new Uint16Array(out.buffer, out.byteOffset + data.frameHeaderBytes, frame.length);
    if (data.byteOrder === "little") samples.set(frame);
    else for (let i = 0; i < frame.length; i++) samples[i] = (frame[i]! << 8) | (frame[i]! >>> 8);
  }
}

/** Rings of 2 to 5 pixels that tile the disk of radius 112, then disks of radius 6 to 20 on a lattice. */
function fillRings(out: Float32Array): void {
  const inside = (plane: number, test: (y: number, x: number) => boolean) => {
    for (let i = 0; i < SIDE * SIDE; i++) out[plane * SIDE * SIDE + i] = test(i >> 8, i & 255) ? 1 : 0;
  };
  for (let ring = 0; ring < 32; ring++) {
    const radius = 3.5 * ring;
    inside(ring, (y, x) => {
      const r = Math.hypot(y - 128, x - 128);
      return r >= radius && r < radius + 3.5;
    });
  }
  for (let disk = 0; disk < 32; disk++) {
    const [cy, cx, radius] = [40 + 25 * (disk >> 2), 50 + 50 * (disk & 3), 6 + 2 * (disk & 7)];
    inside(32 + disk, (y, x) => Math.hypot(y - cy, x - cx) <= radius);
  }
}

function fillUniform(out: Float32Array, seed: number, low: number, high: number): void {
  const random = randomBits(seed);
  for (let i = 0; i < out.length; i++) out[i] = low + (random() / 2 ** 32) * (high - low);
}

/** Writes beside the target and renames, so that a file under its final name is whole. */
async function writeWhole(path: string, write: (file: Deno.FsFile) => void): Promise<void> {
  const part = `${path}.${Deno.pid}.part`;
  using file = await Deno.open(part, { write: true, create: true, truncate: true });
  write(file);
  await Deno.rename(part, path);
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

if (import.meta.main) {
  const { options, names } = readArguments(Deno.args, ["dir", "frames"]);
  const kinds = names.length > 0 ? KINDS.filter((kind) => names.includes(kind)) : KINDS;
  const frames = options.frames === undefined ? {} : { frames: Number(options.frames) };
  print(JSON.stringify(await benchAux(options.dir)));
  for (const kind of kinds) print(JSON.stringify(await benchData(kind, options.dir, frames)));
}
