/**
 * Reference kernels of sums over sources with Jones matrices, for one vector of channels, and of smearing.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";
import { addTo, type Complex, laneOf, type Numbers, numbersOf } from "./numbers.ts";
import { expOfTurns } from "./turns.ts";

/** `right = J K` and `left = right B` of each antenna and source. */
export function jonesPhasors(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jones_phasors"] {
  const numbers = numbersOf(memory, dtype);
  const { get, set, size, lanes, round } = numbers;
  const put = (at: number, lane: number, [re, im]: Complex) => {
    set(at + lane * size, re);
    set(at + 16 + lane * size, im);
  };
  return (left, right, phasors, weights, jones, sourceStride, antennaStride, sources, antennas, channels) => {
    for (let i = 0; i < antennas * sources; i++) {
      const [antenna, source] = [Math.floor(i / sources), i % sources];
      const from = jones + antenna * antennaStride + source * sourceStride;
      for (let lane = 0; lane < lanes; lane++) {
        const phase = laneOf(numbers, phasors + 32 * i, lane);
        const matrix = [0, 1, 2, 3].map((k): Complex => {
          const at = from + 8 * size * lane + 2 * k * size;
          return times(numbers, lane < channels ? [get(at), get(at + size)] : [0, 0], phase);
        });
        matrix.forEach((one, k) => put(right + 128 * i + 32 * k, lane, one));
        const [b0, b1, b2, b3] = [0, 16, 32, 48].map((k) => get(weights + 64 * source + k + lane * size)) as [
          number,
          number,
          number,
          number,
        ];
        for (const row of [0, 2]) {
          const [[xr, xi], [yr, yi]] = [matrix[row]!, matrix[row + 1]!];
          const sum = (a: number, b: number, c: number) => round(round(round(a) + round(b)) + round(c));
          const at = left + 128 * i + 32 * row;
          put(at, lane, [sum(xr * b0, yr * b1, yi * b2), sum(xi * b0, yi * b1, -(yr * b2))]);
          put(at + 32, lane, [sum(xr * b1, yr * b3, -(xi * b2)), sum(xi * b1, yi * b3, xr * b2)]);
        }
      }
    }
  };
}

function times({ round }: Numbers, [a, b]: Complex, [c, d]: Complex): Complex {
  return [round(round(a * c) - round(b * d)), round(round(a * d) + round(b * c))];
}

/** `vis[row] += Σ taper · left[p] right[q]^H`. */
export function jonesSums(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jones_sums"] {
  const numbers = numbersOf(memory, dtype);
  const { get, size, round } = numbers;
  const int = reader(memory, "int32");
  return (vis, left, right, tapers, pairs, count, sources, channels, rowStride, channelStride) => {
    for (let i = 0; i < count; i++) {
      const [p, q, row] = [0, 4, 8].map((at) => int(pairs + 12 * i + at)) as [number, number, number];
      for (let lane = 0; lane < channels; lane++) {
        for (let k = 0; k < 4; k++) {
          let [re, im] = [0, 0];
          for (let s = 0; s < sources; s++) {
            const taper = tapers ? get(tapers + 16 * (i * sources + s) + lane * size) : 1;
            const of = (at: number, antenna: number, element: number) =>
              laneOf(numbers, at + 128 * (antenna * sources + s) + 32 * element, lane);
            const [x, y] = [0, 1].map((j) => of(left, p, (k & 2) + j).map((part) => round(part * taper)));
            const [a, b] = [0, 1].map((j) => of(right, q, 2 * (k & 1) + j));
            const one = conjugated(numbers, x as unknown as Complex, a!),
              two = conjugated(numbers, y as unknown as Complex, b!);
            re = round(re + round(one[0] + two[0]));
            im = round(im + round(one[1] + two[1]));
          }
          addTo(numbers, vis + row * rowStride + lane * channelStride + 2 * size * k, [re, im]);
        }
      }
    }
  };
}

/** The first number times the conjugate of the second. */
function conjugated({ round }: Numbers, [a, b]: Complex, [x, y]: Complex): Complex {
  return [round(round(a * x) + round(b * y)), round(round(b * x) - round(a * y))];
}

/** What bandwidth and time take from tapers. */
export function smearTapers(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["smear_tapers"] {
  const { get: read, set, size } = numbersOf(memory, dtype);
  const { get } = doubles(memory);
  const int = reader(memory, "int32");
  return (
    tapers,
    lmn,
    uvw,
    pairs,
    frequency,
    widths,
    intervals,
    count,
    sources,
    channels,
    sin,
    cos,
    speed,
  ) => {
    for (let i = 0; i < count; i++) {
      const [p, q, row] = [0, 4, 8].map((k) => int(pairs + 12 * i + k)) as [number, number, number];
      const [u, v, w] = [0, 8, 16].map((k) =>
        get(uvw + 24 * p + k) - (q < 0 ? 0 : get(uvw + 24 * q + k))
      ) as [
        number,
        number,
        number,
      ];
      const interval = intervals ? get(intervals + 8 * row) : 1;
      const [du, dv, dw] = [w * cos - v * sin, u * sin, -u * cos];
      for (let s = 0; s < sources; s++, tapers += 16) {
        const [l, m, n1] = [0, 8, 16].map((k) => get(lmn + 24 * s + k)) as [number, number, number];
        const delay = (u * l + v * m + w * n1) / speed, rate = (du * l + dv * m + dw * n1) / speed * interval;
        for (let c = 0; c < channels; c++) {
          const seen = sinc(delay * get(widths + 8 * c)) * sinc(rate * get(frequency + 8 * c));
          set(tapers + c * size, read(tapers + c * size) * seen);
        }
      }
    }
  };
}

function sinc(x: number): number {
  return x === 0 ? 1 : expOfTurns(0.5 * x)[1] / (Math.PI * x);
}
