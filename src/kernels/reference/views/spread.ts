/**
 * Reference kernels of means and variances of windows.
 *
 * @module
 */

import type { KernelFamilies } from "../../families/families.ts";
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
  const left = squares - sum * (sum * share);
  return (Number.isNaN(left) ? squares + (sum - sum) : left) * share;
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

/** `base[i] + rest[i]` is the mean of `data[i + k step]`, where `base[i] = data[i]`; `spread[i]` is their variance. */
export function spreads(memory: WebAssembly.Memory): KernelFamilies["spreads"] {
  const { get, set } = doubles(memory);
  const of = windows(get);
  return (base, rest, spread, data, n, step, count) => {
    for (let i = 0; i < n; i++) {
      const first = get(data + 8 * i);
      const values = of(data, i, step, count).map((value) => value - first);
      set(base + 8 * i, first);
      set(rest + 8 * i, meanOf(values));
      const squares = sumOf(values.map((value) => value * value));
      set(spread + 8 * i, varianceOf(squares, sumOf(values), count));
    }
  };
}

/** `count · base[i] + rest[i]` is the sum of `data[i + k step]`, where `base[i] = data[i]`. */
export function excesses(memory: WebAssembly.Memory): KernelFamilies["excesses"] {
  const { get, set } = doubles(memory);
  const of = windows(get);
  return (base, rest, data, n, step, count) => {
    for (let i = 0; i < n; i++) {
      const first = get(data + 8 * i);
      set(base + 8 * i, first);
      set(rest + 8 * i, sumOf(of(data, i, step, count).map((value) => value - first)));
    }
  };
}

/** `out[i]` is what stands at `i + step`, less that at `i`: `each · bases[i] + rests[i]`. */
export function spreadSteps(memory: WebAssembly.Memory): KernelFamilies["spread_steps"] {
  const { get, set } = doubles(memory);
  return (out, bases, rests, n, step, each) => {
    for (let i = 0; i < n; i++) {
      const [base, rest] = [bases + 8 * i, rests + 8 * i];
      set(out + 8 * i, each * (get(base + step) - get(base)) + (get(rest + step) - get(rest)));
    }
  };
}

/** As {@link spreads}, of means and variances of windows: the variance of their means, and the mean of their variances. */
export function joinSpreads(memory: WebAssembly.Memory): KernelFamilies["join_spreads"] {
  const { get, set } = doubles(memory);
  const of = windows(get);
  return (base, rest, spread, bases, rests, parts, deltas, n, step, count, whole) => {
    for (let i = 0; i < n; i++) {
      const values = sumsUpTo(of(deltas, i, step, count - 1));
      const [first, ...others] = of(parts, i, step, count);
      const squares = others.reduce((sum, part, k) => sum + (part + values[k + 1]! ** 2), first!);
      set(spread + 8 * i, varianceOf(squares, sumOf(values), count));
      if (!whole) continue;
      set(base + 8 * i, get(bases + 8 * i));
      set(rest + 8 * i, get(rests + 8 * i) + meanOf(values));
    }
  };
}

/** As {@link excesses}, of sums of windows. */
export function joinExcesses(memory: WebAssembly.Memory): KernelFamilies["join_excesses"] {
  const { get, set } = doubles(memory);
  const of = windows(get);
  return (base, rest, bases, rests, deltas, n, step, count) => {
    for (let i = 0; i < n; i++) {
      set(base + 8 * i, get(bases + 8 * i));
      set(rest + 8 * i, count * get(rests + 8 * i) + sumOf(sumsUpTo(of(deltas, i, step, count - 1))));
    }
  };
}

/** `out[i] += Σ w[k] (data[i + k step] - m)`, where `m` is the sample in the middle of `count`; `weights` has the first half. */
export function addDeviations(memory: WebAssembly.Memory): KernelFamilies["add_deviations"] {
  const { get, set } = doubles(memory);
  return (out, data, n, step, weights, count) => {
    const half = (count - 1) / 2;
    for (let i = 0; i < n; i++) {
      const at = (k: number) => get(data + 8 * i + k * step);
      let sum = 0;
      for (let k = 0; k < half; k++) {
        sum += get(weights + 8 * k) * ((at(k) - at(half)) + (at(count - 1 - k) - at(half)));
      }
      set(out + 8 * i, get(out + 8 * i) + sum);
    }
  };
}
