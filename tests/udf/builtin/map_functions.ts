/** Functions of frames, for tests of `mapFrames`. */

import type { FrameInfo } from "../../../src/udf/builtin/map_frames.ts";
import { ndarray } from "../../../src/space/ndarray.ts";

/** A number. */
export default function total(frame: Float32Array): number {
  return frame.reduce((a, b) => a + b, 0);
}

/** A list, with what is known beside the samples. */
export function about(frame: Float32Array, { coordinates, position, shape, params }: FrameInfo): number[] {
  return [frame[0]!, ...coordinates, position, ...shape, Number(params.add ?? 0)];
}

/** A complex array of two dimensions: mean and i times the first sample, twice. */
export function complex(frame: Float32Array): ReturnType<typeof ndarray> {
  const mean = total(frame) / frame.length;
  return ndarray(Float64Array.of(mean, frame[0]!, frame[0]!, mean), [2, 1], "complex128");
}

/** The frame itself, as nested lists of its rows. */
export function rows(frame: Float32Array, { shape }: FrameInfo): number[][] {
  const [height, width] = shape as [number, number];
  return Array.from({ length: height }, (_, y) => [...frame.subarray(y * width, (y + 1) * width)]);
}

/** Where samples are at or above a threshold; nothing in a frame of ones, unless all of them are. */
export function peaks(frame: Float32Array, { shape, params }: FrameInfo): { y: number; x: number }[] {
  const width = shape[1]!;
  return Array.from(frame).flatMap((value, p) =>
    value >= Number(params.least) ? [{ y: Math.floor(p / width), x: p % width }] : []
  );
}

/** Throws at one position. */
export function fussy(frame: Float32Array, { position, params }: FrameInfo): number {
  if (position === params.at) throw new Error("no good");
  return frame[0]!;
}

/** More and more values. */
export function growing(_frame: Float32Array, { position }: FrameInfo): number[] {
  return Array.from({ length: 1 + Math.floor(position / 5) }, () => 1);
}

/** No function. */
export const notAFunction = 3;
