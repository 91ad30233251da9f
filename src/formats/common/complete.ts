/**
 * How many of the frames that a header promises are there: for files that describe themselves.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OpenOptions } from "./options.ts";

/** Where frames lie in one file. */
interface Promised {
  /** Path or name, for messages. */
  readonly name: string;
  /** Bytes in the file. */
  readonly size: number;
  /** First byte of the first frame, its header included. */
  readonly start: number;
  /** Bytes from one frame to the next. */
  readonly pitch: number;
  /** Bytes of the last frame that must be there; less than `pitch` where a footer may be missing. */
  readonly last?: number;
  /** Frames that the header promises. */
  readonly frames: number;
}

/**
 * The number of frames in a file: all promised frames, or, with the option `allowTruncated`, the complete ones, with a
 * warning. Otherwise the error `truncated`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const file = { name: "a.blo", size: 100, start: 10, pitch: 30, frames: 4 };
 * assertEquals(completeFrames(file, { allowTruncated: true }).frames, 3);
 * ```
 */
export function completeFrames(
  { name, size, start, pitch, last = pitch, frames }: Promised,
  { allowTruncated }: OpenOptions,
): { frames: number; warnings: string[] } {
  const end = start + (frames - 1) * pitch + last;
  if (frames > 0 && end <= size) return { frames, warnings: [] };
  const complete = Math.max(0, Math.min(frames, Math.floor((size - start + pitch - last) / pitch)));
  return cutOff({ name, size, end, complete, of: frames }, allowTruncated);
}

/** A file that ends too early. */
interface CutOff {
  /** Its path or name, for messages. */
  readonly name: string;
  /** Bytes in it. */
  readonly size: number;
  /** Bytes that it should have. */
  readonly end: number;
  /** Frames that are complete. */
  readonly complete: number;
  /** Frames that it should have. */
  readonly of: number;
  /** What its frames are called. Default `frames`. */
  readonly what?: string;
}

/** The complete frames of a file that ends too early, with a warning, if this is allowed and there are any; else `truncated`. */
export function cutOff(
  { name, size, end, complete, of, what = "frames" }: CutOff,
  allowTruncated: boolean | undefined,
): { frames: number; warnings: string[] } {
  const text = `ends at byte ${size} of ${end}: ${complete} of ${of} ${what} are complete`;
  if (allowTruncated && complete > 0) return { frames: complete, warnings: [`${name} ${text}`] };
  const hint = complete > 0 && allowTruncated === undefined ? "; allowTruncated reads those" : "";
  throw new TilewiseError("truncated", `Cannot read ${name}: it ${text}${hint}`, {
    file: name,
    expected: end,
    found: size,
    completeFrames: complete,
  });
}
