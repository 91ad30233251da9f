/**
 * Kernels of the measurement equation: visibilities of sources at baselines. `vis` are pairs of T. *Planes* hold one vector of
 * 16 bytes of channels of every row and source, `[vector][row][source]`; phasors are pairs of vectors, re and im. Lanes
 * behind the last channel have frequency 0.
 *
 * @module
 */

import { FLOATS } from "../../../src/kernels/families/types.ts";
import type { Families, Params } from "../declaration.ts";

const STEPS = { rowStride: "usize", channelStride: "usize" } satisfies Params;

/**
 * Kernels of the measurement equation: see the declarations for planes and vectors.
 * @category Kernels
 */
export const RIME = {
  /**
   * Planes of the phases of sources (l, m, n − 1) at rows (u, v, w): `exp(2πi · (u l + v m + w (n − 1)) / speed · ν)`. Turns are
   * computed and reduced in f64 in any case.
   */
  rime_phasors: {
    pack: "rime",
    file: "rime/phasors",
    body: "rimePhasors",
    params: {
      out: "out T",
      lmn: "in float64",
      uvw: "in float64",
      frequency: "in float64",
      sources: "i32",
      rows: "i32",
      channels: "i32",
      speed: "f64",
    },
    types: FLOATS,
  },
  /**
   * As `rime_phasors`, for the frequencies `first + c · step`, c from `channel` on: the phasor of channel 16 b + j is the
   * product of that of `first + 16 b · step` and that of `j · step`. `tables` takes 1024 samples and 1280 bytes.
   */
  rime_phasors_even: {
    pack: "rime",
    file: "rime/phasors",
    body: "rimePhasorsEven",
    params: {
      out: "out T",
      lmn: "in float64",
      uvw: "in float64",
      first: "f64",
      step: "f64",
      channel: "i32",
      sources: "i32",
      rows: "i32",
      channels: "i32",
      speed: "f64",
      tables: "scratch T",
    },
    types: FLOATS,
  },
  /**
   * Real weights of sources for a vector of channels, `planes` vectors per source: the products of Stokes parameters, four
   * f64, with the rows of `combine`. `spectrum` 0: none; 1: times `x^(t0 + t1 lg x + …)`, `x = ν / reference`; 2: I plus
   * `t0 (x − 1) + t1 (x − 1)² + …`. Lanes behind the last channel repeat it.
   */
  rime_brightness: {
    pack: "rime",
    file: "rime/brightness",
    body: "rimeBrightness",
    params: {
      out: "out T",
      stokes: "in float64",
      sourceStride: "usize",
      channelStride: "usize",
      combine: "in float64",
      planes: "i32",
      frequency: "in float64",
      reference: "in float64",
      terms: "in float64",
      termCount: "i32",
      spectrum: "i32",
      sources: "i32",
      channels: "i32",
    },
    types: FLOATS,
  },
  /** Phasors times weights, `out[row][s] = weights[s] · phasors[row][s]`, for a vector of channels. */
  rime_weigh: {
    pack: "rime",
    file: "rime/products",
    body: "rimeWeigh",
    params: { out: "out T", phasors: "in T", weights: "in T", sources: "i32", rows: "i32" },
    types: FLOATS,
  },
  /**
   * `vis[row][c] += Σ_s left[p][s] conj(right[q][s])` for the `channels` of a vector. Each of `count` blocks has eight i32:
   * p0, p1, q0, q1, and the rows of (p0, q0), (p0, q1), (p1, q0), (p1, q1), −1 for none.
   */
  rime_products: {
    pack: "rime",
    file: "rime/products",
    body: "rimeProducts",
    params: {
      vis: "inout T",
      left: "in T",
      right: "in T",
      blocks: "in int32",
      count: "i32",
      sources: "i32",
      channels: "i32",
      ...STEPS,
    },
    types: FLOATS,
  },
  /**
   * `vis[row][c][k] += Σ_s weights[s][k] tapers[i][s] phasors[p][s] conj(phasors[q][s])` for `channels` and k below `planes`:
   * 1, 2 or 4; `planes` 3: one weight per source, whose sum is added to the first and the last of four. Each of `count` pairs
   * has three i32: p, q and row; without q, −1, the phasor is that of p alone. `tapers` may be 0: none. Vectors of channels
   * follow each other: phasors have `antennas` rows in each, tapers `count`.
   */
  rime_sums: {
    pack: "rime",
    file: "rime/sums",
    body: "rimeSums",
    params: {
      vis: "inout T",
      phasors: "in T",
      weights: "in T",
      tapers: "in T",
      pairs: "in int32",
      count: "i32",
      sources: "i32",
      planes: "i32",
      channels: "i32",
      antennas: "i32",
      ...STEPS,
    },
    types: FLOATS,
  },
  /**
   * Planes for products of matrices, for a vector of channels: antenna a is rows 2 a and 2 a + 1, source s terms 2 s and 2 s + 1.
   * `right[2 a + i][2 s + k] = J[i][k] K`, `left[2 a + i][2 s + k] = Σ_j J[i][j] B[j][k] K`, K being phasors and B
   * `[[a, b + ic], [b − ic, d]]` of four weights per source. The matrices of channels, four pairs of T, follow each other.
   */
  rime_jones: {
    pack: "rime",
    file: "rime/matrices",
    body: "rimeJones",
    params: {
      left: "out T",
      right: "out T",
      jones: "in T",
      phasors: "in T",
      weights: "in T",
      sources: "i32",
      antennas: "i32",
      channels: "i32",
      sourceStride: "usize",
      antennaStride: "usize",
    },
    types: FLOATS,
  },
  /**
   * How much of extended sources is seen by pairs as in `rime_sums`, for a vector of channels: `shape` 1 is Gaussian, 2 an
   * exponential disk; each source has three f64.
   */
  rime_tapers: {
    pack: "rime",
    file: "rime/tapers",
    body: "rimeTapers",
    params: {
      out: "out T",
      shape: "i32",
      shapes: "in float64",
      uvw: "in float64",
      pairs: "in int32",
      count: "i32",
      frequency: "in float64",
      sources: "i32",
      channels: "i32",
      factor: "f64",
    },
    types: FLOATS,
  },
  /**
   * How much of shapelets is seen by pairs as in `rime_sums`, for a vector of channels, `even + i · odd`: the sum over j below nx and
   * k below ny of `coefficients[s][j][k] i^(j + k) ψ_j(x) ψ_k(y)`, with `ψ_n(x) = H_n(x) exp(−x²/2) / sqrt(2^n n!)`,
   * `x = factor ν (a u + b v)`, `y = factor ν (c u + d v)`; a source has the four f64 a, b, c, d. `work` takes 2 (nx + ny) f64.
   */
  rime_shapelets: {
    pack: "rime",
    file: "rime/shapelets",
    body: "rimeShapelets",
    params: {
      even: "out T",
      odd: "out T",
      shapes: "in float64",
      coefficients: "in float64",
      nx: "i32",
      ny: "i32",
      uvw: "in float64",
      pairs: "in int32",
      count: "i32",
      frequency: "in float64",
      sources: "i32",
      channels: "i32",
      factor: "f64",
      work: "scratch float64",
    },
    types: FLOATS,
  },
  /**
   * Sums of `rime_sums` as correlations, in place, for `count` visibilities of `correlations` numbers: `how` 1 makes (a, b, c,
   * d) into (a, b + ic, b − ic, d); 2 copies the first to the last and clears those between.
   */
  rime_correlations: {
    pack: "rime",
    file: "rime/sums",
    body: "rimeCorrelations",
    params: { vis: "inout T", count: "i32", correlations: "i32", how: "i32" },
    types: FLOATS,
  },
} satisfies Families;
