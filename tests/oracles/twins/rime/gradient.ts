/**
 * Reference kernel of the gradient of χ² by parameters of one source.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";
import type { Pair } from "./matrix.ts";

/** What the visibilities of a source have in common with a misfit. */
export function misfitGradient(memory: WebAssembly.Memory): KernelFamilies["misfit_gradient"] {
  const { get, set } = doubles(memory);
  const index = reader(memory, "int32");
  const pair = (at: number): Pair => [get(at), get(at + 8)];
  const matrix = (at: number) => [0, 16, 32, 48].map((k) => pair(at + k)) as [Pair, Pair, Pair, Pair];
  const add = (at: number, values: readonly number[]) =>
    values.forEach((value, k) => set(at + 8 * k, get(at + 8 * k) + value));
  return (
    out,
    phases,
    misfit,
    brightness,
    tapers,
    slopes,
    uvw,
    jones,
    first,
    second,
    times,
    _,
    rows,
    antennas,
    n,
  ) => {
    for (let r = 0; r < rows; r++) {
      const [u, v, w] = [0, 8, 16].map((k) => get(uvw + 24 * r + k)) as [number, number, number];
      const antenna = (list: number, c: number) =>
        jones + 64 * ((index(times + 4 * r) * antennas + index(list + 4 * r)) * n + c);
      for (let c = 0; c < n; c++) {
        const i = r * n + c, to = out + 80 * c;
        let x = matrix(misfit + 64 * i);
        if (jones) x = between(matrix(antenna(first, c)), x, matrix(antenna(second, c)));
        const [re, im] = pair(phases + 16 * i);
        const [h00, h01, h10, h11] = x.map(([a, b]): Pair => [a * re + b * im, a * im - b * re]) as typeof x;
        const [b0, b1, b2, b3] = [0, 8, 16, 24].map((k) => get(brightness + 32 * c + k)) as [
          number,
          number,
          number,
          number,
        ];
        const real = b0 * h00[0] + b1 * (h01[0] + h10[0]) - b2 * (h01[1] - h10[1]) + b3 * h11[0];
        const imag = b0 * h00[1] + b1 * (h01[1] + h10[1]) + b2 * (h01[0] - h10[0]) + b3 * h11[1];
        const size = tapers ? get(tapers + 8 * i) : 1, turn = size * imag;
        add(to, [size * h00[0], size * (h01[0] + h10[0]), -size * (h01[1] - h10[1]), size * h11[0]]);
        add(to + 32, [turn * u, turn * v, turn * w]);
        if (!slopes) continue;
        const slope = get(slopes + 8 * i) * real;
        add(to + 56, [slope * (u * u), slope * (u * v), slope * (v * v)]);
      }
    }
  };
}

type Matrix = [Pair, Pair, Pair, Pair];

/** `p^H x q`. */
function between(p: Matrix, x: Matrix, q: Matrix): Matrix {
  const half = [0, 2].flatMap((i) =>
    [0, 1].map((j) => products(x[i]!, q[j]!, x[i + 1]!, q[j + 2]!))
  ) as Matrix;
  return [0, 1].flatMap((i) => [0, 1].map((j) => turned(p[i]!, half[j]!, p[i + 2]!, half[j + 2]!))) as Matrix;
}

/** `a c + b d`. */
function products([a, ai]: Pair, [c, ci]: Pair, [b, bi]: Pair, [d, di]: Pair): Pair {
  return [a * c - ai * ci + b * d - bi * di, a * ci + ai * c + b * di + bi * d];
}

/** `conj(a) c + conj(b) d`. */
function turned([a, ai]: Pair, [c, ci]: Pair, [b, bi]: Pair, [d, di]: Pair): Pair {
  return [a * c + ai * ci + b * d + bi * di, a * ci - ai * c + b * di - bi * d];
}
