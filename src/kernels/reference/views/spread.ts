/**
 * Reference kernels of means and spreads of windows.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../space/dtype.ts";
import type { KernelFamilies } from "../../families/families.ts";
import { doubles, reader } from "../samples.ts";

/** The mean of numbers, and the sum of squares of deviations from it. */
function meanAndSpread(values: readonly number[]): [mean: number, spread: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [mean, values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)];
}

/** `base[i] + rest[i]` is the mean of `data[i + k step]`, where `base[i] = data[i]`; `spread[i] = Σ (data[i + k step] - mean)²` */
export function spreads(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["spreads"] {
  const [read, { set }, { itemSize }] = [reader(memory, dtype, order), doubles(memory), dtypeInfo(dtype)];
  return (base, rest, spread, data, n, step, count) => {
    for (let i = 0; i < n; i++) {
      const first = read(data + i * itemSize);
      const values = Array.from({ length: count }, (_, k) => read(data + i * itemSize + k * step) - first);
      [first, ...meanAndSpread(values)].forEach((value, o) => set([base, rest, spread][o]! + 8 * i, value));
    }
  };
}

/** As {@link spreads}, of means and spreads of `each` samples: their spreads, and `each` times that of their means. */
export function joinSpreads(memory: WebAssembly.Memory): KernelFamilies["join_spreads"] {
  const { get, set } = doubles(memory);
  return (base, rest, spread, bases, rests, parts, n, step, count, each) => {
    for (let i = 0; i < n; i++) {
      const at = Array.from({ length: count }, (_, k) => 8 * i + k * step);
      const first = get(bases + 8 * i);
      const [mean, between] = meanAndSpread(
        at.map((place) => get(bases + place) - first + get(rests + place)),
      );
      const within = at.reduce((sum, place) => sum + get(parts + place), 0);
      set(base + 8 * i, first);
      set(rest + 8 * i, mean);
      set(spread + 8 * i, within + each * between);
    }
  };
}

/** `out[i] += Σ w[k] (data[i + k step] - m)`, where `m` is the sample in the middle of `count`; `weights` has the first half. */
export function addDeviations(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["add_deviations"] {
  const [read, { get, set }, { itemSize }] = [
    reader(memory, dtype, order),
    doubles(memory),
    dtypeInfo(dtype),
  ];
  return (out, data, n, step, weights, count) => {
    const half = (count - 1) / 2;
    for (let i = 0; i < n; i++) {
      const at = (k: number) => read(data + i * itemSize + k * step);
      let sum = 0;
      for (let k = 0; k < half; k++) {
        sum += get(weights + 8 * k) * ((at(k) - at(half)) + (at(count - 1 - k) - at(half)));
      }
      set(out + 8 * i, get(out + 8 * i) + sum);
    }
  };
}
