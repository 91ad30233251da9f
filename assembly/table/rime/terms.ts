/**
 * Kernels of the measurement equation with Jones terms: their products, the sum over sources with them, gains and comparison
 * after it.
 *
 * @module
 */

import { DOUBLE, FLOATS } from "../../../src/kernels/families/types.ts";
import type { Families } from "../declaration.ts";

/**
 * Products of Jones matrices, the beam, sums over sources with matrices, gains, comparison with observed visibilities. Sums
 * are for one vector of channels, 2 of f64 or 4 of f32; their matrices are four pairs of vectors.
 * @category Kernels
 */
export const TERMS = {
  /**
   * `jones[s][r][c] = jones[s][r][c] · factors[r][c]`, 2×2 matrices of pairs of T. Strides are from one factor to the next,
   * 0 where rows or channels share one.
   */
  multiply_jones: {
    pack: "rime",
    file: "rime/jones",
    body: "multiplyJones",
    params: {
      jones: "inout T",
      factors: "in T",
      sources: "i32",
      rows: "i32",
      channels: "i32",
      rowStride: "usize",
      channelStride: "usize",
    },
    types: FLOATS,
  },
  /**
   * `jones[s][r][c] = jones[s][r][c] · E(s, r, c)`: rows are times × antennas. E is interpolated in a cube of `width` ×
   * `height` × `slices` matrices at the direction `lm[s]`, with pointing errors `offsets[r][c]` added, turned by the cosine
   * and sine `turns[r]`, multiplied by `scaling[antenna][c]` and the scale of the channel, less `l0` and `m0`, times the steps.
   * `table` has position in the cube and scale of each channel. Address 0 stands for no offsets, turns or scaling. `work` is
   * one matrix.
   */
  beam_jones: {
    pack: "rime",
    file: "rime/beam",
    body: "beamJones",
    params: {
      jones: "inout T",
      lm: "in float64",
      offsets: "in float64",
      turns: "in float64",
      scaling: "in float64",
      table: "in float64",
      beam: "in T",
      work: "scratch T",
      sources: "i32",
      rows: "i32",
      antennas: "i32",
      channels: "i32",
      l0: "f64",
      lStep: "f64",
      m0: "f64",
      mStep: "f64",
      width: "i32",
      height: "i32",
      slices: "i32",
    },
    types: FLOATS,
  },
  /**
   * `vis[row][c] = G_p vis[row][c] G_q^H` with the gains `G[time][antenna][c]` of the antennas of each row; with one or two
   * correlations each has a gain of its own. Address 0 stands for time 0 of all rows.
   */
  apply_gains: {
    pack: "rime",
    file: "rime/gains",
    body: "applyGains",
    params: {
      vis: "inout T",
      gains: "in T",
      antenna1: "in int32",
      antenna2: "in int32",
      times: "in int32",
      rows: "i32",
      antennas: "i32",
      channels: "i32",
      correlations: "i32",
    },
    types: FLOATS,
  },
  /**
   * For each row of `count` samples: `residual = observed − model`, and `sums[row] = Σ weight |residual|²` in f64. Flagged
   * samples of model and residual become 0; they do not count, nor do samples of weight 0. Address 0 stands for no flags, or
   * weights of 1.
   */
  compare_visibilities: {
    pack: "rime",
    file: "rime/compare",
    body: "compareVisibilities",
    params: {
      model: "inout T",
      observed: "in T",
      flags: "in uint8",
      weights: "in T",
      residual: "out T",
      sums: "out float64",
      rows: "i32",
      count: "i32",
    },
    types: FLOATS,
  },
  /**
   * What the visibilities of one source have in common with a misfit `X[row][c]`, summed over rows to ten numbers of each
   * channel in `out`: by the four numbers of its brightness `[[b0, b1 + i b2], [b1 − i b2, b3]]`, by its direction, and by its
   * shape. `phases` are those of the rows, `tapers` what they see of the shape, `slopes` how that depends on u², u v and v²;
   * `jones` are the matrices of the source. Address 0 stands for no tapers, slopes or matrices. `work` is two matrices.
   */
  misfit_gradient: {
    pack: "rime",
    file: "rime/gradient",
    body: "misfitGradient",
    params: {
      out: "inout T",
      phases: "in T",
      misfit: "in T",
      brightness: "in T",
      tapers: "in T",
      slopes: "in T",
      uvw: "in T",
      jones: "in T",
      antenna1: "in int32",
      antenna2: "in int32",
      times: "in int32",
      work: "scratch T",
      rows: "i32",
      antennas: "i32",
      channels: "i32",
    },
    types: DOUBLE,
  },
  /**
   * `right[a][s] = J K` and `left[a][s] = J K B`: `jones` has matrices of T at the given distances, `phasors` pairs of vectors
   * `[a][s]`, `weights` four vectors `[s]`, the numbers of `B = [[b0, b1 + i b2], [b1 − i b2, b3]]`.
   */
  jones_phasors: {
    pack: "rime",
    file: "rime/jones_sums",
    body: "jonesPhasors",
    params: {
      left: "out T",
      right: "out T",
      phasors: "in T",
      weights: "in T",
      jones: "in T",
      sourceStride: "usize",
      antennaStride: "usize",
      sources: "i32",
      antennas: "i32",
      channels: "i32",
    },
    types: FLOATS,
  },
  /**
   * `vis[row][c] += Σ_s tapers[i][s] left[p][s] right[q][s]^H`, four correlations: `pairs` are p, q and row. Address 0 stands
   * for no tapers.
   */
  jones_sums: {
    pack: "rime",
    file: "rime/jones_sums",
    body: "jonesSums",
    params: {
      vis: "inout T",
      left: "in T",
      right: "in T",
      tapers: "in T",
      pairs: "in int32",
      count: "i32",
      sources: "i32",
      channels: "i32",
      rowStride: "usize",
      channelStride: "usize",
    },
    types: FLOATS,
  },
  /**
   * What bandwidth and integration take away: `tapers[i][s] *= sinc(Δν τ) sinc(ν τ')`, where τ is the delay of source s on the
   * baseline of pair i, and τ' its change while the sky turns by an angle: `turnSin` and `turnCos` are that angle times sine and
   * cosine of the declination; with `intervals`, which may be 0, times that of the row. Pairs are those of `rime_sums`.
   */
  smear_tapers: {
    pack: "rime",
    file: "rime/jones_sums",
    body: "smearTapers",
    params: {
      tapers: "inout T",
      lmn: "in float64",
      uvw: "in float64",
      pairs: "in int32",
      frequency: "in float64",
      widths: "in float64",
      intervals: "in float64",
      count: "i32",
      sources: "i32",
      channels: "i32",
      turnSin: "f64",
      turnCos: "f64",
      speed: "f64",
    },
    types: FLOATS,
  },
} satisfies Families;
