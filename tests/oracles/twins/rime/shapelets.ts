/**
 * Reference kernel of shapelets: what pairs see of them.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";
import { numbersOf } from "./numbers.ts";
import { exp } from "./sources.ts";

/** Even and odd orders of shapelets, as planes of one vector of channels. */
export function rimeShapelets(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_shapelets"] {
  const { set, size, lanes } = numbersOf(memory, dtype);
  const { get } = doubles(memory);
  const int = reader(memory, "int32");
  return (
    even,
    odd,
    shapes,
    coefficients,
    nx,
    ny,
    uvw,
    pairs,
    count,
    frequency,
    sources,
    channels,
    factor,
    _work,
  ) => {
    for (let i = 0; i < count; i++) {
      const [p, q] = [int(pairs + 12 * i), int(pairs + 12 * i + 4)];
      const [u, v] = [0, 8].map((axis) => get(uvw + 24 * p + axis) - (q < 0 ? 0 : get(uvw + 24 * q + axis)));
      for (let s = 0; s < sources; s++) {
        const [x, y] = [0, 16].map((row) => {
          const at = shapes + 32 * s + row;
          return factor * (u! * get(at) + v! * get(at + 8));
        });
        for (let lane = 0; lane < lanes; lane++, even += size, odd += size) {
          const nu = lane < channels ? get(frequency + 8 * lane) : 0;
          const [xs, ys] = [hermite(x! * nu, nx), hermite(y! * nu, ny)];
          const of = (j: number, k: number) => get(coefficients + 8 * (s * nx * ny + j * ny + k));
          [even, odd].forEach((to, parity) => set(to, sumOf(parity, xs, ys, of)));
        }
      }
    }
  };
}

/** The first `count` of `ψ_n(x) = H_n(x) exp(−x²/2) / sqrt(2^n n!)`. */
export function hermite(x: number, count: number): number[] {
  const found: number[] = [];
  let before = 0, here = exp(-0.5 * (x * x));
  for (let n = 0; n < count; n++) {
    found.push(here);
    const above = 1 / (n + 1);
    [before, here] = [here, Math.sqrt(2 * above) * x * here - Math.sqrt(n * above) * before];
  }
  return found;
}

/** The orders of one parity. */
function sumOf(
  parity: number,
  xs: readonly number[],
  ys: readonly number[],
  coefficient: (j: number, k: number) => number,
): number {
  return xs.reduce((sum, x, j) => {
    let inner = 0;
    ys.forEach((y, k) => {
      if ((j + k) % 2 !== parity) return;
      inner += (j + k) % 4 < 2 ? coefficient(j, k) * y : -coefficient(j, k) * y;
    });
    return sum + x * inner;
  }, 0);
}
