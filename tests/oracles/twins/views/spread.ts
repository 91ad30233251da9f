/**
 * Reference kernels of means and variances of windows.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) * (1 / values.length);
}

/** The variance of `count` numbers, of their sum and the sum of their squares; those that are infinite stay so. */
function varianceOf(squares: number, sum: number, count: number): number {
  const share = 1 / count;
  const [left, most] = [squares - sum * (sum * share), squares + (sum - sum)];
  return (left < most ? left : most) * share;
}

/** Numbers of a window. */
type Window = (data: number, i: number, step: number, count: number) => number[];

function windows(get: (pointer: number) => number): Window {
  return (data, i, step, count) => Array.from({ length: count }, (_, k) => get(data + 8 * i + k * step));
}

/** The sums of the first 0, 1, … numbers: of windows what is more than in the first one, from the steps between them. */
function sumsUpTo(values: readonly number[]): number[] {
  let sum = 0;
  return [0, ...values.map((value) => sum += value)];
}

/** Stores what is wanted of windows: see `spreads`. */
function storing(set: (pointer: number, value: number) => void, rest: number, spread: number, last: number) {
  return (i: number, mean: number, variance: number): void => {
    set(spread + 8 * i, last === 2 ? Math.sqrt(variance) : variance);
    if (last === 0) set(rest + 8 * i, mean);
  };
}

/** `data[i] + rest[i]` is the mean of `data[i + k step]`; `spread[i]` is their variance, or the root of it. */
export function spreads(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["spreads"] {
  const { set } = doubles(memory);
  const at = reader(memory, dtype);
  const { itemSize } = dtypeInfo(dtype);
  return (rest, spread, data, n, step, count, last) => {
    const store = storing(set, rest, spread, last);
    for (let i = 0; i < n; i++) {
      const first = at(data + itemSize * i);
      const values = Array.from({ length: count }, (_, k) => at(data + itemSize * i + k * step) - first);
      const squares = sumOf(values.map((value) => value * value));
      store(i, meanOf(values), varianceOf(squares, sumOf(values), count));
    }
  };
}

/** As {@link spreads}, of means and variances of windows: the variance of their means, and the mean of their variances. */
export function joinSpreads(memory: WebAssembly.Memory): KernelFamilies["join_spreads"] {
  const { get, set } = doubles(memory);
  const of = windows(get);
  return (rest, spread, rests, parts, deltas, n, step, count, last) => {
    const store = storing(set, rest, spread, last);
    for (let i = 0; i < n; i++) {
      const values = sumsUpTo(of(deltas, i, step, count - 1));
      const [first, ...others] = of(parts, i, step, count);
      const squares = others.reduce((sum, part, k) => sum + (part + values[k + 1]! ** 2), first!);
      store(i, get(rests + 8 * i) + meanOf(values), varianceOf(squares, sumOf(values), count));
    }
  };
}
