/**
 * Rows of boxes: what lies together in a box and in the array around it.
 *
 * @module
 */

import type { Box } from "../../space/box.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../space/shape.ts";
import type { PlacedRow } from "./target.ts";

/** The bytes of a row of a chunk. */
export function partOf(bytes: Uint8Array, { from, bytes: count }: PlacedRow): Uint8Array {
  return bytes.subarray(from, from + count);
}

/** The rows of a box in an array of the shape `whole` behind `head` bytes; as long as they can be. */
export function* rowsOf(
  { origin, shape }: Box,
  whole: Shape,
  itemSize: number,
  head: number = 0,
): Generator<PlacedRow> {
  let depth = shape.length;
  while (depth > 0 && (depth === shape.length || shape[depth] === whole[depth])) depth--;
  const outer = shape.slice(0, depth);
  const bytes = sizeOf([...shape.slice(depth), itemSize]);
  for (let n = 0, rows = sizeOf(outer); n < rows && bytes > 0; n++) {
    const at = unravel(n, outer);
    const first = origin.map((lower, d) => lower + (d < depth ? at[d]! : 0));
    yield { from: n * bytes, to: head + ravel(first, whole) * itemSize, bytes };
  }
}
