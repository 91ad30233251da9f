/**
 * Reference kernels of terms of the measurement equation: products of Jones matrices, and the beam.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { doubles } from "../samples.ts";
import { type Arithmetic, arithmetic, type Matrix, type Pair } from "./matrix.ts";

/** `jones[s][r][c] = jones[s][r][c] · factors[r][c]`. */
export function multiplyJones(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["multiply_jones"] {
  const { size, matrix, setMatrix, product } = arithmetic(memory, dtype);
  return (jones, factors, sources, rows, channels, rowStride, channelStride) => {
    for (let s = 0; s < sources; s++) {
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < channels; c++, jones += 8 * size) {
          setMatrix(jones, product(matrix(jones), matrix(factors + r * rowStride + c * channelStride)));
        }
      }
    }
  };
}

/** `jones[s][r][c] = jones[s][r][c] · E(s, r, c)`, E interpolated in a cube. */
export function beamJones(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["beam_jones"] {
  const math = arithmetic(memory, dtype);
  const { get } = doubles(memory);
  const two = (at: number): Pair => [get(at), get(at + 8)];
  return (
    jones,
    lm,
    offsets,
    turns,
    scaling,
    table,
    beam,
    _work,
    sources,
    rows,
    antennas,
    channels,
    l0,
    lStep,
    m0,
    mStep,
    width,
    height,
    slices,
  ) => {
    for (let s = 0; s < sources; s++) {
      for (let r = 0; r < rows; r++) {
        const [cos, sin] = turns ? two(turns + 16 * r) : [1, 0];
        for (let c = 0; c < channels; c++, jones += 8 * math.size) {
          let [l, m] = two(lm + 16 * s);
          if (offsets) {
            const [dl, dm] = two(offsets + 16 * (r * channels + c));
            [l, m] = [l + dl, m + dm];
          }
          [l, m] = [l * cos - m * sin, l * sin + m * cos];
          if (scaling) {
            const [a, b] = two(scaling + 16 * ((r % antennas) * channels + c));
            [l, m] = [l * a, m * b];
          }
          const [z, far] = two(table + 16 * c);
          const x = clamped((l * far - l0) * lStep, width), y = clamped((m * far - m0) * mStep, height);
          const found = interpolated(math, beam, [x, y, z], [width, height, slices]);
          math.setMatrix(jones, math.product(math.matrix(jones), found));
        }
      }
    }
  };
}

function clamped(x: number, n: number): number {
  return Math.max(0, Math.min(x, n - 1));
}

type Triple = readonly [number, number, number];

/** The beam at a position of its grid: the phase of the mean, and the mean of the magnitudes. */
function interpolated(
  math: Arithmetic,
  beam: number,
  position: Triple,
  [width, height, slices]: Triple,
): Matrix {
  const { round, matrix, size } = math;
  const sums = [0, 1, 2, 3].map(() => [0, 0, 0] as [re: number, im: number, magnitude: number]);
  const [xs, ys, zs] = [width, height, slices].map((n, d) => corners(position[d]!, n)) as [
    Corners,
    Corners,
    Corners,
  ];
  for (const [i, wi] of xs) {
    for (const [j, wj] of ys) {
      for (const [k, wk] of zs) {
        const w = round(wi * wj * wk);
        matrix(beam + 8 * size * ((i * height + j) * slices + k)).forEach(([re, im], n) => {
          const sum = sums[n]!;
          const parts = [re, im, magnitude(math, re, im)];
          parts.forEach((part, p) => sum[p] = round(sum[p]! + round(w * part)));
        });
      }
    }
  }
  return sums.map(([re, im, size]): Pair => {
    const whole = magnitude(math, re, im);
    const factor = whole === 0 ? 0 : round(size / whole);
    return [round(re * factor), round(im * factor)];
  }) as unknown as Matrix;
}

type Corners = readonly (readonly [index: number, weight: number])[];

/** The two samples around a position, and their weights. */
function corners(x: number, n: number): Corners {
  const lower = Math.trunc(x) || 0; // NaN has the index 0
  const upper = x - Math.trunc(x);
  return [[lower, 1 - upper], [Math.min(lower + 1, n - 1), upper]];
}

function magnitude({ round }: Arithmetic, re: number, im: number): number {
  return round(Math.sqrt(round(round(re * re) + round(im * im))));
}
