/**
 * Where the samples of a tile lie in a row-major file of the whole array.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../space/shape.ts";
import type { Extent } from "../../cube/cube.ts";

/** A row: samples of a tile that follow each other in the file as well. */
export interface Row {
  /** First byte in the tile. */
  readonly from: number;
  /** First byte in the file, behind its header. */
  readonly to: number;
  /** Bytes. */
  readonly bytes: number;
}

/** The rows of a tile with these extents, in an array of the shape `whole`; as long as they can be. */
export function* rowsOf(whole: Shape, dtype: DType, extents: readonly Extent[]): Generator<Row, void> {
  const shape = extents.map(([lower, upper]) => upper - lower);
  const { itemSize } = dtypeInfo(dtype);
  let depth = shape.length;
  while (depth > 0 && (depth === shape.length || shape[depth] === whole[depth])) depth--;
  const outer = shape.slice(0, depth);
  const bytes = sizeOf([...shape.slice(depth), itemSize]);
  for (let n = 0, rows = sizeOf(outer); n < rows && bytes > 0; n++) {
    const at = unravel(n, outer);
    const first = extents.map(([lower], d) => lower + (d < depth ? at[d]! : 0));
    yield { from: n * bytes, to: ravel(first, whole) * itemSize, bytes };
  }
}
