/**
 * How many bytes of near rows of a view are read together.
 *
 * @module
 */

import { JOIN_GAP } from "../dataset/layout/frame_part.ts";
import { ALIGNMENT, roundUp } from "../memory/arena.ts";
import { denseStrides } from "../memory/strided.ts";
import { dtypeInfo } from "../space/dtype.ts";
import type { Shape } from "../space/shape.ts";
import type { PlainArray } from "./array.ts";

/** Most bytes of rows that are read together. */
const MOST = 256 * 1024;

/** Bytes into which near rows of views of `shape` are read; 0 where none are near, or all samples are in memory. */
export function spanOfRows({ source, shape: whole, dtype }: PlainArray, shape: Shape): number {
  if (source.kind === "bytes") return 0;
  const strides = denseStrides(whole, dtype);
  const counts = shape.map((n, d) => Math.min(n, whole[d]!));
  let d = whole.length - 1; // the dimension whose run, together with all later dimensions, is one row
  while (d > 0 && shape[d] === whole[d]) d--;
  const row = (counts[d] ?? 1) * (strides[d] ?? dtypeInfo(dtype).itemSize);
  let span = row;
  for (let e = d - 1; e >= 0; e--) {
    const next = span + strides[e]!; // bytes of two neighbours
    if (counts[e]! > 1 && (strides[e]! - span > JOIN_GAP || span === row && next > MOST)) break;
    span += (counts[e]! - 1) * strides[e]!;
  }
  return span === row ? 0 : roundUp(Math.min(MOST, span), ALIGNMENT);
}
