/**
 * Kernels of the measurement equation around the sum over sources: Jones terms before it, gains and comparison after it.
 *
 * @module
 */

import type { Families } from "./declaration.ts";
import { DOUBLE, FLOATS } from "./types.ts";

/**
 * Products of Jones matrices, the beam, gains, comparison with observed visibilities.
 * @category Kernels
 */
export const TERMS = {
  /**
   * `jones[s][r][c] = jones[s][r][c] · factors[r][c]`, 2×2 matrices of pairs of T. Strides are from one factor to the next,
   * 0 where rows or channels share one.
   */
  multiply_jones: {
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
} satisfies Families;
