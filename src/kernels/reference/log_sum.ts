/**
 * Reference kernel of the sum of logarithms, with its logarithm written out: `Math.log` may differ in the last bit from
 * one engine to the next.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { KernelFamilies } from "../families.ts";
import { doubles, reader } from "./samples.ts";

/** `acc[p] += ln(x[p] − min x + 1)`; NaN does not count for the minimum. */
export function logSum(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["log_sum"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (acc, data, pixels) => {
    const values = Array.from({ length: pixels }, (_, p) => read(data + p * itemSize));
    const least = values.reduce((least, value) => value < least ? value : least, Infinity);
    values.forEach((value, p) => set(acc + 8 * p, get(acc + 8 * p) + ln(value - least + 1)));
  };
}

const LN2 = [6.93147180369123816490e-01, 1.90821492927058770002e-10] as const;
const ODD = [
  6.666666666666735130e-01,
  2.857142874366239149e-01,
  1.818357216161805012e-01,
  1.479819860511658591e-01,
];
const EVEN = [3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01];

/**
 * The natural logarithm of a number of 1 or more, below 1 ulp from the truth.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * assertAlmostEquals(ln(10), Math.LN10, 1e-15);
 * ```
 */
export function ln(y: number): number {
  if (!(y < Infinity)) return y;
  let k = Math.floor(Math.log2(y));
  let mantissa = y / 2 ** k;
  while (mantissa >= Math.SQRT2) [k, mantissa] = [k + 1, mantissa / 2];
  while (mantissa < Math.SQRT1_2) [k, mantissa] = [k - 1, mantissa * 2];
  const f = mantissa - 1;
  const half = 0.5 * (f * f);
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const polynomial = (terms: readonly number[]) => terms.reduceRight((rest, term) => term + w * rest);
  const tail = s * (half + (z * polynomial(ODD) + w * polynomial(EVEN))) + k * LN2[1];
  return k * LN2[0] - (half - tail - f);
}
