/**
 * Samples outside of an array, made from those inside, which are in memory already.
 *
 * @module
 */

import { copyView } from "../memory/copy_box.ts";
import { type StridedView, stridedView } from "../memory/strided.ts";
import type { AxisBorder } from "../space/border.ts";
import { type DType, type TypedArray, zeros } from "../space/dtype.ts";
import type { AxisRun } from "./axis.ts";

/** Makes the samples of one run of dimension `d` of `view` from other samples of it, for all positions of the other dimensions. */
export function extendRun(
  view: StridedView,
  { kind, at, from, step, count }: AxisRun,
  d: number,
  constant: StridedView,
): void {
  const { buffer, pointer, dtype, strides } = view;
  const shape = view.shape.map((n, i) => (i === d ? count : n));
  const to = stridedView(buffer, pointer + at * strides[d]!, dtype, shape, strides);
  const source = kind === "fill" ? { ...constant, shape, strides: shape.map(() => 0) } : stridedView(
    buffer,
    pointer + from * strides[d]!,
    dtype,
    shape,
    strides.map((stride, i) => i === d ? step * stride : stride),
  );
  copyView(source, to);
}

/**
 * The fill value of each dimension as a view of one sample, in a separate memory. Uninitialised samples are zero: that
 * costs little, shows nobody what the memory held before, and gives the same bits in every run.
 */
export function constantViews(
  dtype: DType,
  { borders, fill }: { readonly borders: readonly AxisBorder[]; readonly fill: number },
): StridedView[] {
  const [constant, zero] = [constantView(dtype, fill), constantView(dtype, 0)];
  return borders.map((border) => border === "uninitialised" ? zero : constant);
}

function constantView(dtype: DType, fill: number): StridedView {
  const sample: TypedArray = zeros(dtype, 1);
  const wide = sample instanceof BigInt64Array || sample instanceof BigUint64Array;
  if (wide) sample[0] = BigInt(Math.trunc(fill));
  else sample[0] = fill;
  return stridedView(sample.buffer, 0, dtype, [1]);
}
