/**
 * Kernels over runs of pixels, Fourier transforms, and the phase of the measurement equation.
 *
 * @module
 */

import { ALL, FLOATS } from "../../src/kernels/families/types.ts";
import { type Families, FRAMES, type Params, RUNS } from "./declaration.ts";

const WORK = { tables: "in T", scratch: "scratch T" } satisfies Params;

/** Deviations, magnitudes, transforms, phases. */
export const TRANSFORMS = {
  /** `out[f]` = standard deviation of the samples in `count` runs of pixels, each three i32 `(y, x0, x1)`, in f64. */
  deviation: {
    pack: "statistics",
    file: "runs",
    body: "deviation",
    params: { out: "out float64", outStride: "usize", ...FRAMES, rowLength: "i32", ...RUNS },
    types: ALL,
    orders: true,
  },
  /** `out[0] = Σ |z|` over runs of pairs re, im; the sum and its terms in f64. */
  magnitudes: {
    pack: "fft",
    file: "runs",
    body: "magnitudes",
    params: { out: "out float64", data: "in T", rowLength: "i32", ...RUNS },
    types: FLOATS,
  },
  /**
   * The first `columns` columns of the spectrum of `height × width` real numbers, row by row as pairs re, im. `tables`
   * holds the table of rows and that of columns (see `fft_tables.ts`), one after the other; see `fft.ts` for `scratch`.
   */
  rfft2: {
    pack: "fft",
    file: "fft/fft2",
    body: "rfft2",
    params: { dst: "out T", src: "in T", height: "i32", width: "i32", columns: "i32", ...WORK },
    types: FLOATS,
  },
  /** The way back from the first `width / 2 + 1` columns, divided by `height · width`. */
  irfft2: {
    pack: "fft",
    file: "fft/fft2",
    body: "irfft2",
    params: { dst: "out T", src: "in T", height: "i32", width: "i32", ...WORK },
    types: FLOATS,
  },
  /** The spectrum of `height × width` complex numbers, or, where `back` is not 0, the way back. */
  fft2: {
    pack: "fft",
    file: "fft/fft2",
    body: "fft2",
    params: { dst: "out T", src: "in T", height: "i32", width: "i32", back: "i32", ...WORK },
    types: FLOATS,
  },
  /**
   * The phase of every source (l, m), row (u, v, w) and channel, `exp(2πi · (u l + v m + w (n − 1)) / speed · ν)` as
   * pairs in this order of axes. Turns are computed and reduced in f64 in any case. Beyond the horizon, `l² + m² > 1`, it is NaN.
   */
  complex_phase: {
    pack: "rime",
    file: "phase",
    body: "complexPhase",
    params: {
      out: "out T",
      lm: "in float64",
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
   * Cosines and sines of `n` turns; whole turns are dropped without error. `work` takes 96 bytes. Error: below 2 ulp in
   * f64, 1.5 in f32.
   */
  sincos_turns: {
    pack: "rime",
    file: "rime/sincos",
    body: "sincosTurns",
    params: { cos: "out T", sin: "out T", turns: "in float64", n: "i32", work: "scratch uint8" },
    types: FLOATS,
  },
  /** Cosines and sines of `n` angles in radians, of any size. `work` takes 96 bytes. Error: below 2.6 ulp in f64, 1.5 in f32. */
  sincos: {
    pack: "rime",
    file: "rime/sincos",
    body: "sincos",
    params: { cos: "out T", sin: "out T", angles: "in T", n: "i32", work: "scratch uint8" },
    types: FLOATS,
  },
} satisfies Families;
