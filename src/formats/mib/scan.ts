/**
 * The scan of a MIB file from the time stamps of its frames: at the end of a line the beam flies back, and the
 * pause before the next frame is longer.
 *
 * @module
 */

import type { ByteSource } from "../../io/source/source.ts";
import { MOST_MIB_HEADER, parseMibHeader } from "./header.ts";

/** Most time stamps that are read: several lines of usual length, in a few milliseconds. */
export const MOST_STAMPS = 4096;

/** Lines that must be seen to be sure of longer files. */
const LINES = 3;

/** Pauses that differ by less are the same: clocks tick in steps of 10 ns or more. */
const JITTER_NS = 1000;

/** A line of a scan. */
export interface ScanLine {
  /** Its frames. */
  readonly length: number;
  /** By how much the pause after it is longer, in nanoseconds. */
  readonly flybackNs: number;
}

/**
 * The length of lines, from the times of the first frames in nanoseconds; nothing unless every line looks alike:
 * the shortest pause between lines is clearly longer than the longest within, with five frames a line boundary or more.
 *
 * @example Two lines of four frames
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(scanLine([0, 1e6, 2e6, 3e6, 4.5e6, 5.5e6, 6.5e6, 7.5e6]), { length: 4, flybackNs: 500000 });
 * assertEquals(scanLine([0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6]), undefined);
 * ```
 */
export function scanLine(times: readonly number[]): ScanLine | undefined {
  const pauses = times.slice(1).map((time, i) => time - times[i]!);
  const longest = pauses.reduce((most, pause) => Math.max(most, pause), -Infinity);
  const shortest = pauses.reduce((least, pause) => Math.min(least, pause), Infinity);
  const length = 1 + pauses.findIndex((pause) => pause > (longest + shortest) / 2);
  if (!(length >= 2) || longest - shortest <= JITTER_NS) return undefined;
  const between = pauses.filter((_, i) => (i + 1) % length === 0);
  const within = pauses.filter((_, i) => (i + 1) % length !== 0);
  const [most, least] = [within.reduce((a, b) => Math.max(a, b)), within.reduce((a, b) => Math.min(a, b))];
  const flybackNs = between.reduce((a, b) => Math.min(a, b)) - most;
  if (within.length < 5 || flybackNs <= JITTER_NS + 5 * (most - least)) return undefined;
  return { length, flybackNs };
}

/** Where the headers of a file are. */
export interface Stamps {
  /** Frames in the file. */
  readonly images: number;
  /** Bytes from one header to the next. */
  readonly pitch: number;
  /** Bytes of a header. */
  readonly headerBytes: number;
  /** How many headers may be read. */
  readonly most: number;
}

/**
 * Reads the time stamps of one file until lines are clear, and finds the scan; nothing if there are no lines, or
 * if the frames are not a whole number of them.
 */
export async function scanFromTimes(
  source: ByteSource,
  { images, pitch, headerBytes, most }: Stamps,
  signal?: AbortSignal,
): Promise<ScanLine | undefined> {
  const head = new Uint8Array(Math.min(headerBytes, MOST_MIB_HEADER));
  const times: number[] = [];
  const stops = Math.min(images, most);
  let line: ScanLine | undefined;
  for (let frame = 0; frame < stops; frame++) {
    await source.readInto(head, frame * pitch, signal);
    const time = nanoseconds(parseMibHeader(head, source.name, frame * pitch).time);
    if (time === undefined) return undefined;
    times.push(time);
    if (isPowerOfTwo(times.length)) line = scanLine(times);
    if (line && times.length > LINES * line.length) break;
  }
  line = scanLine(times);
  return line && images % line.length === 0 && images > line.length ? line : undefined;
}

function isPowerOfTwo(n: number): boolean {
  return (n & (n - 1)) === 0;
}

/** Nanoseconds of a time such as `2021-05-07T16:51:10.905800928Z`, relative to the start of its day's first second. */
function nanoseconds(time: string | undefined): number | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})Z?$/.exec(time ?? "");
  if (!match) return undefined;
  const seconds = Date.parse(`${match[1]}Z`) / 1000 % 1e6; // 11 days: exact in nanoseconds
  return seconds * 1e9 + Number(match[2]);
}
