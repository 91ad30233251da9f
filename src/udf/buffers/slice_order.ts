/**
 * The order of pixels in sig buffers: slice by slice while tiles are processed, row-major outside.
 *
 * If the slices of the tiling scheme are not contiguous in a frame, the pixels of a tile would have gaps between them.
 * A worker therefore keeps such buffers slice by slice, where every tile is one dense run, and brings them into
 * row-major order before other code reads them.
 *
 * @module
 */

import { type Box, isContiguous } from "../../space/box.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";

/** Pixels that are neighbours in both orders. */
export interface PixelRun {
  /** The first pixel, counted slice by slice. */
  readonly slice: number;
  /** The first pixel in row-major order. */
  readonly row: number;
  /** Number of pixels. */
  readonly length: number;
}

/** Whether every slice is one run of pixels of a frame, so that both orders are the same. */
export function areRuns(slices: readonly Box[], sigShape: Shape): boolean {
  return slices.every((slice) => isContiguous(slice, sigShape));
}

/** The runs of `slices`, which cover a frame in order; undefined if both orders are the same. */
export function pixelRuns(slices: readonly Box[], sigShape: Shape): readonly PixelRun[] | undefined {
  if (areRuns(slices, sigShape)) return undefined;
  const runs: PixelRun[] = [];
  let slice = 0;
  for (const { origin, shape } of slices) {
    const length = shape.at(-1)!;
    for (let left = sizeOf(shape.slice(0, -1)), at = [...origin]; left > 0; left--) {
      runs.push({ slice, row: ravel(at, sigShape), length });
      slice += length;
      at = nextRow(at, origin, shape);
    }
  }
  return runs;
}

function nextRow(at: number[], origin: Shape, shape: Shape): number[] {
  const next = [...at];
  for (let d = shape.length - 2; d >= 0; d--) {
    if (++next[d]! < origin[d]! + shape[d]!) break;
    next[d] = origin[d]!;
  }
  return next;
}

/** The values that are reordered: `unit` entries per pixel. */
type Pixels = TypedArray | unknown[];

/** From slice by slice to row-major order, in place. */
export function toRowMajor(runs: readonly PixelRun[], pixels: Pixels, unit: number): void {
  const copy = pixels.slice();
  for (const { slice, row, length } of runs) move(copy, slice * unit, pixels, row * unit, length * unit);
}

/** From row-major order to slice by slice, in place. */
export function toSliceOrder(runs: readonly PixelRun[], pixels: Pixels, unit: number): void {
  const copy = pixels.slice();
  for (const { slice, row, length } of runs) move(copy, row * unit, pixels, slice * unit, length * unit);
}

function move(from: Pixels, start: number, to: Pixels, at: number, count: number): void {
  if (Array.isArray(to)) {
    for (let i = 0; i < count; i++) to[at + i] = from[start + i];
  } else if (!Array.isArray(from)) copyNumbers(to, from.subarray(start, start + count), at);
}
