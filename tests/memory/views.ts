/**
 * Strided views of any kind, for property tests.
 *
 * @module
 */

import fc from "fast-check";
import { type StridedView, stridedView } from "../../src/memory/strided.ts";
import { type DType, dtypeInfo, DTYPES } from "../../src/space/dtype.ts";

/** How a view lies in memory: the bytes between its samples, its order, its direction. */
export interface Lie {
  /** Bytes added to the stride of each dimension: in units of the sample, or odd ones. */
  readonly gaps: readonly number[];
  /** Which dimensions run backwards. */
  readonly backwards: readonly boolean[];
  /** The order of the dimensions in memory. */
  readonly order: readonly number[];
  /** Bytes before the view. */
  readonly skew: number;
}

/** A shape, a dtype, and two ways in which such samples may lie. */
export interface Pair {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly from: Lie;
  readonly to: Lie;
}

/** Pairs of up to 4 dimensions; most gaps are none or whole samples, as in real arrays. */
export const pairs: fc.Arbitrary<Pair> = fc.integer({ min: 0, max: 4 }).chain((dimensions) => {
  const each = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: dimensions, maxLength: dimensions });
  const shape = each(
    fc.oneof(fc.integer({ min: 0, max: 5 }), { arbitrary: fc.integer({ min: 1, max: 40 }), weight: 1 }),
  );
  const small = shape.filter((sizes) => sizes.reduce((product, n) => product * n, 1) <= 4000);
  const gap = fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.constantFrom(16, 32), fc.nat(9));
  const lie = fc.record({
    gaps: each(gap),
    backwards: each(fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, fc.constant(true))),
    order: fc.oneof(
      { arbitrary: fc.constant(range(dimensions)), weight: 3 },
      fc.shuffledSubarray(range(dimensions), { minLength: dimensions }),
    ),
    skew: fc.oneof(fc.constantFrom(0, 16), fc.nat(17)),
  });
  return fc.record({ shape: small, dtype: fc.constantFrom(...DTYPES), from: lie, to: lie });
});

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

/** A memory large enough for any of these views; nobody writes to it. */
const ANY = new ArrayBuffer(2 ** 24);

/** Bytes that a view which lies so reaches over. */
export function reach(shape: readonly number[], dtype: DType, lie: Lie): number {
  return lay(ANY, 0, shape, dtype, lie).end;
}

/** The view in `buffer`, at byte `base` or a little after, and where it ends. */
export function lay(
  buffer: ArrayBufferLike,
  base: number,
  shape: readonly number[],
  dtype: DType,
  { gaps, backwards, order, skew }: Lie,
): { view: StridedView; end: number } {
  const sizes = order.map((d) => shape[d]!);
  const strides: number[] = new Array(sizes.length);
  let pointer = base + skew;
  let stride = dtypeInfo(dtype).itemSize;
  for (let d = sizes.length - 1; d >= 0; d--) {
    stride += gaps[d]!;
    strides[d] = backwards[d]! ? -stride : stride;
    if (backwards[d]!) pointer += Math.max(0, sizes[d]! - 1) * stride;
    stride *= Math.max(1, sizes[d]!);
  }
  const laid = stridedView(buffer, pointer, dtype, sizes, strides);
  const back = range(sizes.length).map((d) => order.indexOf(d));
  return { view: transposed(laid, back), end: base + skew + stride };
}

/** The view with its dimensions in another order. */
export function transposed(
  { buffer, pointer, dtype, shape, strides }: StridedView,
  order: readonly number[],
): StridedView {
  const inOrder = (list: readonly number[]) => order.map((d) => list[d]!);
  return stridedView(buffer, pointer, dtype, inOrder(shape), inOrder(strides));
}

/** The view that runs backwards along dimension `d`. */
export function flipped({ buffer, pointer, dtype, shape, strides }: StridedView, d: number): StridedView {
  const last = pointer + (shape[d]! - 1) * strides[d]!;
  return stridedView(buffer, last, dtype, shape, strides.map((stride, i) => i === d ? -stride : stride));
}
