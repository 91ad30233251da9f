/**
 * Mask generators: disk, ring, rectangle, as arrays over the frame.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { NdArray } from "../../space/ndarray.ts";
import { sameShape, type Shape, showShape } from "../../space/shape.ts";

/** A disk or ring around a centre in pixels; `ri < √(dy² + dx²) ≤ ro`, a disk without `ri`. */
export interface RingMask {
  /** Row of the centre. */
  readonly cy: number;
  /** Column of the centre. */
  readonly cx: number;
  /** Outer radius, included. */
  readonly ro: number;
  /** Inner radius, excluded. Default: none, the mask is a disk. */
  readonly ri?: number;
}

/** A mask: weights over the frame, or a disk or ring. */
export type Mask = NdArray | RingMask;

/**
 * The weights of a mask for frames of `shape`, row by row.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const ring = maskWeights({ cy: 1.5, cx: 2, ro: 2, ri: 1 }, [4, 5]);
 * assertEquals(Array.from(ring).slice(0, 10), [0, 1, 1, 1, 0, 0, 1, 0, 1, 0]);
 * ```
 */
export function maskWeights(mask: Mask, shape: Shape): ArrayLike<number> {
  if ("data" in mask) return weightsOf(mask, shape);
  if (shape.length !== 2) {
    throw new TilewiseError(
      "invalid",
      `Cannot draw a ring on frames of ${showShape(shape)}: it needs 2 dimensions`,
    );
  }
  const [height, width] = shape as [number, number];
  return Float64Array.from(
    { length: height * width },
    (_, i) => inRing(mask, Math.floor(i / width), i % width),
  );
}

function inRing({ cy, cx, ro, ri }: RingMask, y: number, x: number): number {
  const square = (y - cy) ** 2 + (x - cx) ** 2;
  return square <= ro * ro && !(ri !== undefined && square <= ri * ri) ? 1 : 0;
}

function weightsOf(mask: NdArray, shape: Shape): ArrayLike<number> {
  if (!sameShape(mask.shape, shape) || mask.dtype.startsWith("complex")) {
    const found = `${showShape(mask.shape)} ${mask.dtype}`;
    throw new TilewiseError(
      "invalid",
      `Cannot use a mask of ${found}: frames are ${showShape(shape)}, masks are real`,
    );
  }
  const { data } = mask;
  return data instanceof BigInt64Array || data instanceof BigUint64Array
    ? Float64Array.from(data, Number)
    : data;
}
