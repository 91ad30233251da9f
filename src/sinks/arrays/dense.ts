/**
 * The samples of an array in row-major order.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sameShape, showShape, sizeOf, stridesOf } from "../../space/shape.ts";
import { positions } from "./numbers.ts";

/** The samples in row-major order; not copied if they are already in that order. `invalid` if there are too few samples. */
export function denseData({ data, shape, stride, dtype }: NDArray): TypedArray {
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const size = sizeOf(shape);
  const ends = shape.map((n, d) => stride[d]! * (n - 1));
  const sum = (spans: number[]) => spans.reduce((total, span) => total + span, 0);
  const [first, last] = [sum(ends.filter((end) => end < 0)), sum(ends.filter((end) => end > 0))];
  if (size > 0 && !(stride.length === shape.length && first >= 0 && (last + 1) * units <= data.length)) {
    const text =
      `An array of ${showShape(shape)} ${dtype} with strides ${stride.join(", ")} reaches beyond its ` +
      `${data.length} numbers`;
    throw new TilewiseError("invalid", text, { expected: (last + 1) * units, found: data.length });
  }
  if (sameShape(stride, stridesOf(shape)) && data.length === size * units) return data;
  const dense = zeros(dtype, size);
  let n = 0;
  for (const at of positions({ shape, stride })) {
    for (let u = 0; u < units; u++) dense[n++] = data[at * units + u]!;
  }
  return dense;
}
