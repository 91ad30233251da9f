/**
 * Functions of a frame; `peers/mapping.py` has the same.
 *
 * @module
 */

import type { FrameInfo } from "../../../src/udf/builtin/map_frames.ts";

/** The brightest sample. */
export function brightest(frame: Float64Array): number {
  return frame.reduce((most, value) => Math.max(most, value), -Infinity);
}

/** How many samples are above a limit. */
export function above(frame: Float64Array, { params }: FrameInfo): bigint {
  return BigInt(frame.filter((value) => value > Number(params.limit)).length);
}

/** The least and the largest sample, and where the scan is. */
export function ends(frame: Float64Array, { coordinates }: FrameInfo): number[] {
  const least = frame.reduce((low, value) => Math.min(low, value), Infinity);
  return [least, brightest(frame), coordinates.at(-1)!];
}

/** The sums of halves of the frame, as a matrix. */
export function halves(frame: Float64Array): number[][] {
  const middle = Math.floor(frame.length / 2);
  const sum = (part: Float64Array) => part.reduce((total, value) => total + value, 0);
  return [[sum(frame.subarray(0, middle)), sum(frame.subarray(middle))], [middle, frame.length]];
}

/** Whether any sample is negative. */
export function negative(frame: Float64Array): boolean {
  return frame.some((value) => value < 0);
}
