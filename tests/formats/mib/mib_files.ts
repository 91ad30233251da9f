/**
 * Merlin files for tests, with more freedom than the product writes them: counters, times, lines, series.
 *
 * @module
 */

import { TilewiseError } from "../../../src/errors.ts";
import { writeFileAtomic } from "../../../src/io/write/write.ts";
import type { Shape } from "../../../src/space/shape.ts";
import { stemOf } from "../../../src/io/file/names.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { storedBytes } from "../../../src/sinks/rows/layout.ts";

/** A frame of samples, row-major. */
export type MibFrame = Uint8Array | Uint16Array | Uint32Array;

/** Frames, one after another. */
export type MibFrames = Iterable<MibFrame> | AsyncIterable<MibFrame>;

/** What MIB files say of their frames. */
export interface MibOptions {
  /** Rows and columns of a frame. */
  readonly sig: readonly [number, number];
  /** Bits of the counters. Default: those of a sample, but 12 and 24 for samples of 16 and 32 bits. */
  readonly counterBits?: number;
  /** Time of the first exposure in milliseconds since 1970. Default 0, so that files are reproducible. */
  readonly start?: number;
  /** Length of an exposure in nanoseconds. Default 1 ms. */
  readonly exposureNs?: number;
  /** Frames of a line, after which the beam flies back; default: one endless line. */
  readonly line?: number;
  /** How much longer the pause between lines is, in nanoseconds. Default 0. */
  readonly flybackNs?: number;
}

/** Bytes of a header; single detectors have this size. */
export const MIB_HEADER_BYTES = 384;

/** Type and usual counter depth by bytes of a sample. */
export const MIB_TYPES: ReadonlyMap<number, readonly [string, number]> = new Map([
  [1, ["U08", 6]],
  [2, ["U16", 12]],
  [4, ["U32", 24]],
]);

/** The header of frame `sequence`, counted from 1. */
export function mibFrameHeader(
  itemSize: number,
  sequence: number,
  options: MibOptions,
): Uint8Array<ArrayBuffer> {
  const [height, width] = options.sig;
  const known = MIB_TYPES.get(itemSize);
  if (!known) {
    const text = `Cannot write samples of ${itemSize} bytes as MIB; it has unsigned ones of 1, 2 and 4 bytes`;
    throw new TilewiseError("invalid", text, { found: itemSize });
  }
  const [type, bits] = known;
  const exposure = options.exposureNs ?? 1_000_000;
  const time = timeOf(sequence - 1, exposure, options);
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  const text = [
    `MQ1,${digits(sequence, 6)},${digits(MIB_HEADER_BYTES, 5)},01,${digits(width, 4)},${
      digits(height, 4)
    },${type}`,
    `   1x1,01,${time.slice(0, 26).replace("T", " ")},${(exposure / 1e9).toFixed(6)},0,0,0`,
    `MQ1A,${time}Z,${exposure}ns,${options.counterBits ?? bits},`,
  ].join(",");
  const header = new Uint8Array(MIB_HEADER_BYTES);
  header.set(new TextEncoder().encode(text));
  return header;
}

/** When frame `n` was exposed, with nanoseconds. */
function timeOf(
  n: number,
  exposure: number,
  { start = 0, line = Infinity, flybackNs = 0 }: MibOptions,
): string {
  const ns = n * exposure + Math.floor(n / line) * flybackNs;
  const seconds = Math.floor(start / 1000) + Math.floor(ns / 1e9);
  const rest = (start % 1000) * 1e6 + ns % 1e9;
  const carry = Math.floor(rest / 1e9);
  const date = new Date((seconds + carry) * 1000).toISOString().slice(0, 19);
  return `${date}.${String(rest - carry * 1e9).padStart(9, "0")}`;
}

/**
 * The bytes of a `.mib` file: a piece a frame, its header in front.
 *
 * @param first number of the first frame, counted over all files of a series from 1
 */
export async function* mibPieces(
  frames: MibFrames,
  options: MibOptions,
  first: number = 1,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const pixels = options.sig[0] * options.sig[1];
  let sequence = first;
  for await (const frame of frames) {
    if (frame.length !== pixels) {
      const text = `Cannot write frame ${sequence}: it has ${frame.length} samples, not ${
        options.sig.join(" × ")
      }`;
      throw new TilewiseError("invalid", text, { expected: pixels, found: frame.length });
    }
    const piece = new Uint8Array(MIB_HEADER_BYTES + frame.byteLength);
    piece.set(mibFrameHeader(frame.BYTES_PER_ELEMENT, sequence++, options));
    const [bytes, samples] = [
      new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength),
      piece.subarray(MIB_HEADER_BYTES),
    ];
    samples.set(
      storedBytes(bytes, { byteOrder: "big" }, `uint${8 * frame.BYTES_PER_ELEMENT}` as DType, samples),
    );
    yield piece;
  }
}

/** The text of a `.hdr`: `nav` is rows and columns of the scan, or one line. */
export function mibHdr(nav: Shape, counterBits: number, start: number = 0): string {
  const frames = nav.reduce((product, n) => product * n, 1);
  const [y, x] = nav.length > 1 ? [frames / nav.at(-1)!, nav.at(-1)!] : [1, frames];
  const lines = [
    "HDR,\t",
    `Time and Date Stamp (day, mnth, yr, hr, min, s):\t${new Date(start).toISOString()}`,
    "Assembly Size (NX1, 2X2):\t   1x1",
    `Counter Depth (number):\t${counterBits}`,
    `Frames in Acquisition (Number):\t${frames}`,
    `Frames per Trigger (Number):\t${x}`,
    ...(nav.length > 1 ? [`ScanX:\t${x}`, `ScanY:\t${y}`] : []),
    "End\t",
  ];
  return lines.join("\r\n").padEnd(2048);
}

/** Options of {@link writeMib}. */
export interface WriteMibOptions extends MibOptions {
  /** Shape of the scan, for the `.hdr`. */
  readonly nav: Shape;
  /** Frames of one file; with more, `scan.mib` becomes `scan_000.mib`, `scan_001.mib` … Default: all in one. */
  readonly framesPerFile?: number;
}

/** What {@link writeMib} has written. */
export interface WrittenMib {
  /** The `.mib` files, in order. */
  readonly files: readonly string[];
  /** The `.hdr`. */
  readonly hdr: string;
  /** Frames in all files. */
  readonly frames: number;
  /** Bytes of the `.mib` files. */
  readonly bytes: number;
}

/**
 * Writes `frames` as they come to `path`, or to a series of files named after it, and a `.hdr` beside them.
 * Any of them is there whole or not at all.
 */
export async function writeMib(
  path: string,
  frames: MibFrames,
  options: WriteMibOptions,
): Promise<WrittenMib> {
  const { nav, framesPerFile = Infinity } = options;
  const iterator = Symbol.asyncIterator in frames
    ? frames[Symbol.asyncIterator]()
    : frames[Symbol.iterator]();
  let next = await iterator.next(), count = 0, itemSize = 0;
  const take = async function* () {
    for (let n = 0; n < framesPerFile && !next.done; n++) {
      count++;
      itemSize = next.value.BYTES_PER_ELEMENT;
      yield next.value;
      next = await iterator.next();
    }
  };
  const files: string[] = [];
  let bytes = 0;
  try {
    do {
      const name = framesPerFile === Infinity
        ? path
        : `${stemOf(path)}_${String(files.length).padStart(3, "0")}.mib`;
      bytes += await writeFileAtomic(name, mibPieces(take(), options, count + 1));
      files.push(name);
    } while (!next.done);
  } finally {
    await iterator.return?.();
  }
  const hdr = `${stemOf(path)}.hdr`;
  const bits = options.counterBits ?? MIB_TYPES.get(itemSize)?.[1] ?? 0;
  await writeFileAtomic(hdr, new TextEncoder().encode(mibHdr(nav, bits, options.start)));
  return { files, hdr, frames: count, bytes };
}
