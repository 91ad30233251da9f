/**
 * Reference kernels of sums over sources.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { added, addTo, type Complex, laneOf, type Numbers, numbersOf, scaled } from "./numbers.ts";

/** Weights times phasors. */
export function rimeWeigh(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_weigh"] {
  const numbers = numbersOf(memory, dtype);
  const { get, set, size, lanes } = numbers;
  return (out, phasors, weights, sources, rows) => {
    for (let i = 0; i < rows * sources; i++) {
      for (let lane = 0; lane < lanes; lane++) {
        const weight = get(weights + 16 * (i % sources) + lane * size);
        const [re, im] = scaled(numbers, weight, laneOf(numbers, phasors + 32 * i, lane));
        set(out + 32 * i + lane * size, re);
        set(out + 32 * i + 16 + lane * size, im);
      }
    }
  };
}

/** Products of left and right, summed over sources. */
export function rimeProducts(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_products"] {
  const numbers = numbersOf(memory, dtype);
  const { round } = numbers;
  const int = reader(memory, "int32");
  return (vis, left, right, blocks, count, sources, channels, rowStride, channelStride) => {
    for (let at = blocks; at < blocks + 32 * count; at += 32) {
      for (let i = 0; i < 4; i++) {
        const row = int(at + 16 + 4 * i);
        if (row < 0) continue;
        const p = left + int(at + 4 * (i >> 1)) * 32 * sources;
        const q = right + int(at + 8 + 4 * (i & 1)) * 32 * sources;
        for (let lane = 0; lane < channels; lane++) {
          let re = 0, im = 0;
          for (let s = 0; s < sources; s++) {
            const [a, b] = laneOf(numbers, p + 32 * s, lane), [x, y] = laneOf(numbers, q + 32 * s, lane);
            re = round(round(re + round(a * x)) + round(b * y));
            im = round(round(im + round(b * x)) - round(a * y));
          }
          addTo(numbers, vis + row * rowStride + lane * channelStride, [re, im]);
        }
      }
    }
  };
}

/** One weight per source, whose sum is added to the first and the last of four correlations. */
const EQUAL = 3;

/** Sums with several weights per source. */
export function rimeSums(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_sums"] {
  const numbers = numbersOf(memory, dtype);
  const { get, size, lanes } = numbers;
  const int = reader(memory, "int32");
  return (
    vis,
    phasors,
    weights,
    tapers,
    pairs,
    count,
    sources,
    planes,
    channels,
    antennas,
    rowStride,
    channelStride,
  ) => {
    for (let i = 0; i < count; i++) {
      const [p, q, row] = [0, 4, 8].map((at) => int(pairs + 12 * i + at)) as [number, number, number];
      for (let c = 0; c < channels; c++) {
        const lane = c % lanes, vector = (c - lane) / lanes;
        const weighed = planes === EQUAL ? 1 : planes;
        for (let k = 0; k < weighed; k++) {
          let sum: Complex = [0, 0];
          for (let s = 0; s < sources; s++) {
            const of = (antenna: number) =>
              laneOf(numbers, phasors + 32 * ((vector * antennas + antenna) * sources + s), lane);
            const phase = q < 0 ? of(p) : product(numbers, of(p), of(q));
            const taper = tapers && get(tapers + 16 * ((vector * count + i) * sources + s) + lane * size);
            const seen = tapers ? scaled(numbers, taper, phase) : phase;
            const weight = get(weights + 16 * ((vector * sources + s) * weighed + k) + lane * size);
            sum = added(numbers, sum, scaled(numbers, weight, seen));
          }
          const to = vis + row * rowStride + c * channelStride;
          for (const place of planes === EQUAL ? [0, 3] : [k]) addTo(numbers, to + 2 * size * place, sum);
        }
      }
    }
  };
}

/** The first number times the conjugate of the second. */
function product({ round }: Numbers, [a, b]: Complex, [x, y]: Complex): Complex {
  return [round(round(a * x) + round(b * y)), round(round(b * x) - round(a * y))];
}

/** Sums as correlations. */
export function rimeCorrelations(
  memory: WebAssembly.Memory,
  dtype: DType,
): KernelFamilies["rime_correlations"] {
  const { get, set, size, round } = numbersOf(memory, dtype);
  return (vis, count, correlations, how) => {
    for (let i = 0; i < count; i++) {
      const at = (k: number) => vis + 2 * size * (i * correlations + k);
      const of = (k: number): Complex => [get(at(k)), get(at(k) + size)];
      const put = (k: number, [re, im]: Complex) => {
        set(at(k), re);
        set(at(k) + size, im);
      };
      const first = of(0);
      if (how === 1) {
        const [[br, bi], [cr, ci]] = [of(1), of(2)];
        put(1, [round(br - ci), round(bi + cr)]);
        put(2, [round(br + ci), round(bi - cr)]);
      } else {
        for (let k = 1; k < correlations - 1; k++) put(k, [0, 0]);
        put(correlations - 1, first);
      }
    }
  };
}
