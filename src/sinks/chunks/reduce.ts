/**
 * Halves the samples of a chunk for the next level of a pyramid.
 *
 * @module
 */

import { haveMeans, type ValueFacts } from "../../space/axes.ts";
import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";
import { isBig, type NumberArray } from "../../space/numbers.ts";
import { type Shape, sizeOf, stridesOf, unravel } from "../../space/shape.ts";
import { halfOf } from "./levels.ts";

/**
 * What becomes of the samples that one sample of the next level covers.
 *
 * - `mean`: their mean; of integers, rounded to the nearest, and to the even one of two that are equally near.
 * - `max`: the greatest; NaN if one of them is NaN.
 * - `nearest`: the first of them, for labels, phases, and samples of which some are missing.
 * @category Views
 */
export type LevelReduction = "mean" | "max" | "nearest";

/** All of them. */
export const REDUCTIONS: readonly LevelReduction[] = ["mean", "max", "nearest"];

/**
 * How levels of such samples are made: as asked, else means of amounts, and the nearest of what has none, and where a number stands
 * for samples that are missing: it must not be mixed with others. Refuses reductions that have no meaning.
 */
export function reductionFor(
  asked: LevelReduction | undefined,
  values: ValueFacts,
  dtype: DType,
): LevelReduction {
  const hasMeans = haveMeans(values) && values.missing === undefined;
  const reduction = asked ?? (hasMeans ? "mean" : "nearest");
  const refused = (text: string, found: string) =>
    new TilewiseError("unsupported", text, { option: "reduce", found });
  if (reduction === "max" && dtypeInfo(dtype).kind === "c") {
    const text = `Cannot reduce ${dtype} by "max": complex numbers have no order; use "mean" or "nearest"`;
    throw refused(text, dtype);
  }
  if (reduction === "mean" && values.kind === "label") {
    const text = 'Cannot reduce labels by "mean", as names have no mean; use "nearest" or "max"';
    throw refused(text, "labels");
  }
  if (reduction === "mean" && values.kind === "phase") {
    const text = 'Cannot reduce phases by "mean", as they begin again after a turn; use "nearest"';
    throw refused(text, "phases");
  }
  return reduction;
}

/**
 * The samples of the next level under the dense array `data`, in `out`; at the ends of dimensions of odd size, fewer samples
 * are combined.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const half = reduced(Uint8Array.of(1, 2, 9, 3, 4, 9), "uint8", [2, 3], [2, 2], "mean");
 * assertEquals(half, Uint8Array.of(2, 9)); // 10 / 4 is 2, as 2 is even; and of two samples at the end
 * ```
 */
export function reduced(
  data: TypedArray,
  dtype: DType,
  shape: Shape,
  factors: Shape,
  reduction: LevelReduction,
  out: TypedArray = zeros(dtype, sizeOf(halfOf(shape, factors))),
): TypedArray {
  const parts = dtypeInfo(dtype).kind === "c" ? 2 : 1; // re and im are reduced each by itself
  const walk = walkOf([...shape, parts], [...factors, 1]);
  if (isBig(data)) bigLines(walk, data, out as BigInt64Array | BigUint64Array, reduction);
  else lines(walk, data, out as NumberArray, reduction, dtypeInfo(dtype).kind !== "f" && parts === 1);
  return out;
}

/** How to go through an array: one line of results after another, each from up to `2^n` lines of samples. */
interface Walk {
  /** Shape of the results without the last halved dimension and those behind. */
  readonly outer: Shape;
  /** First samples of the lines under a line of results. */
  readonly firsts: (at: readonly number[]) => number[];
  /** Samples of the line along its own dimension. */
  readonly length: number;
  /** Its factor. */
  readonly factor: number;
  /** Numbers from one sample of the line to the next. */
  readonly step: number;
}

/** Lines go along the last dimension that is halved; what is behind it is combined number by number. */
function walkOf(shape: Shape, factors: Shape): Walk {
  const last = Math.max(0, factors.lastIndexOf(2));
  const strides = stridesOf(shape);
  const outer = halfOf(shape, factors).slice(0, last);
  const firsts = (at: readonly number[]) =>
    at.reduce((found: number[], i, d) => {
      const from = i * factors[d]!;
      const count = Math.min(factors[d]!, shape[d]! - from);
      return found.flatMap((place) =>
        Array.from({ length: count }, (_, n) => place + (from + n) * strides[d]!)
      );
    }, [0]);
  return { outer, firsts, length: shape[last]!, factor: factors[last]!, step: strides[last]! };
}

function lines(
  walk: Walk,
  data: Exclude<TypedArray, BigInt64Array | BigUint64Array>,
  out: Exclude<TypedArray, BigInt64Array | BigUint64Array>,
  reduction: LevelReduction,
  isInteger: boolean,
): void {
  const { outer, firsts, length, factor, step } = walk;
  const [rows, perRow] = [sizeOf(outer), Math.ceil(length / factor) * step];
  const pair = factor === 2 && step === 1;
  for (let row = 0; row < rows; row++) {
    const from = firsts(unravel(row, outer));
    const to = row * perRow;
    if (pair && from.length === 2 && reduction === "mean" && isInteger && data.BYTES_PER_ELEMENT <= 2) {
      quads(data, from[0]!, from[1]!, length, out, to);
    } else combine(walk, data, from, out, to, reduction, isInteger);
  }
}

/** The usual case: means of 2 × 2 integers whose sums fit into 32 bits. */
function quads(
  data: Exclude<TypedArray, BigInt64Array | BigUint64Array>,
  a: number,
  b: number,
  length: number,
  out: Exclude<TypedArray, BigInt64Array | BigUint64Array>,
  to: number,
): void {
  const pairs = length >> 1;
  for (let i = 0; i < pairs; i++, a += 2, b += 2) {
    const sum = data[a]! + data[a + 1]! + data[b]! + data[b + 1]!;
    const floor = sum >> 2;
    out[to + i] = 2 * (sum & 3) + (floor & 1) > 4 ? floor + 1 : floor; // a tie goes to the even one
  }
  if (length & 1) out[to + pairs] = rounded(data[a]! + data[b]!, 2);
}

function combine(
  { length, factor, step }: Walk,
  data: Exclude<TypedArray, BigInt64Array | BigUint64Array>,
  from: readonly number[],
  out: Exclude<TypedArray, BigInt64Array | BigUint64Array>,
  to: number,
  reduction: LevelReduction,
  isInteger: boolean,
): void {
  for (let i = 0; i < length; i += factor) {
    const count = Math.min(factor, length - i);
    for (let part = 0; part < step; part++, to++) {
      const first = i * step + part;
      if (reduction === "nearest") {
        out[to] = data[from[0]! + first]!;
        continue;
      }
      let value = reduction === "max" ? -Infinity : 0;
      for (const line of from) {
        for (let n = 0; n < count; n++) {
          const sample = data[line + first + n * step]!;
          value = reduction === "max" ? Math.max(value, sample) : value + sample;
        }
      }
      const samples = from.length * count;
      out[to] = reduction === "max" ? value : isInteger ? rounded(value, samples) : value / samples;
    }
  }
}

/** `sum / count` to the nearest whole number, to the even one of two that are equally near. */
function rounded(sum: number, count: number): number {
  const floor = Math.floor(sum / count);
  const twice = 2 * (sum - floor * count);
  return twice > count || (twice === count && floor % 2 !== 0) ? floor + 1 : floor;
}

function bigLines(
  { outer, firsts, length, factor, step }: Walk,
  data: BigInt64Array | BigUint64Array,
  out: BigInt64Array | BigUint64Array,
  reduction: LevelReduction,
): void {
  let to = 0;
  for (let row = 0, rows = sizeOf(outer); row < rows; row++) {
    const from = firsts(unravel(row, outer));
    for (let i = 0; i < length; i += factor) {
      for (let part = 0; part < step; part++, to++) {
        const under = from.flatMap((line) =>
          Array.from(
            { length: Math.min(factor, length - i) },
            (_, n) => data[line + (i + n) * step + part]!,
          )
        );
        out[to] = ofBig(under, reduction);
      }
    }
  }
}

function ofBig(samples: readonly bigint[], reduction: LevelReduction): bigint {
  if (reduction === "nearest") return samples[0]!;
  if (reduction === "max") return samples.reduce((most, sample) => sample > most ? sample : most);
  const count = BigInt(samples.length);
  const sum = samples.reduce((all, sample) => all + sample, 0n);
  const floor = (sum - (((sum % count) + count) % count)) / count;
  const twice = 2n * (sum - floor * count);
  return twice > count || (twice === count && floor % 2n !== 0n) ? floor + 1n : floor;
}
