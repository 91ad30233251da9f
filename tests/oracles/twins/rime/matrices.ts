/**
 * Reference kernel of Jones matrices as planes.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Complex, laneOf, numbersOf } from "./numbers.ts";

/** Matrices times phasors, and times brightness. */
export function rimeJones(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_jones"] {
  const numbers = numbersOf(memory, dtype);
  const { get, set, size, lanes, round } = numbers;
  return (
    left,
    right,
    jones,
    phasors,
    weights,
    sources,
    antennas,
    channels,
    sourceStride,
    antennaStride,
  ) => {
    for (let n = 0; n < antennas; n++) {
      for (let s = 0; s < sources; s++) {
        for (let lane = 0; lane < lanes; lane++) {
          const k = laneOf(numbers, phasors + 32 * (n * sources + s), lane);
          const [a, b, c, d] = [0, 16, 32, 48].map((at) => get(weights + 64 * s + at + lane * size)) as Four;
          const entry = (i: number): Complex => {
            const at = jones + s * sourceStride + n * antennaStride + (8 * lane + 2 * i) * size;
            return lane < channels ? [get(at), get(at + size)] : [0, 0];
          };
          const put = (plane: number, i: number, term: number, [re, im]: Complex) => {
            const at = plane + 32 * ((2 * n + i) * 2 * sources + 2 * s + term) + lane * size;
            set(at, re);
            set(at + 16, im);
          };
          for (let i = 0; i < 2; i++) {
            const [x, y] = [product(round, entry(2 * i), k), product(round, entry(2 * i + 1), k)];
            put(right, i, 0, x);
            put(right, i, 1, y);
            const of = (p: number, q: number) => round(p * q);
            put(left, i, 0, [
              round(of(a, x[0]) + round(of(b, y[0]) + of(c, y[1]))),
              round(of(a, x[1]) + round(of(b, y[1]) - of(c, y[0]))),
            ]);
            put(left, i, 1, [
              round(round(of(b, x[0]) - of(c, x[1])) + of(d, y[0])),
              round(round(of(b, x[1]) + of(c, x[0])) + of(d, y[1])),
            ]);
          }
        }
      }
    }
  };
}

type Four = [number, number, number, number];

function product(round: (x: number) => number, [a, b]: Complex, [c, d]: Complex): Complex {
  return [round(round(a * c) - round(b * d)), round(round(a * d) + round(b * c))];
}
