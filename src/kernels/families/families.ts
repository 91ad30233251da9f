/**
 * The families of kernels: what each computes and what it takes.
 *
 * Conventions: addresses (`acc`, `data`, `out`, …) and strides are in bytes, counts in samples. Frame `f` of a tile
 * starts at `data + f * frameStride` and holds its samples without gaps. No address needs to be aligned. Nothing
 * but the output is written, and kernels keep no state.
 *
 * @module
 */

import type { FilterFamilies } from "./filters.ts";
import type { LanesFamilies } from "./lanes.ts";
import type { SparseFamilies } from "./sparse.ts";

/** One signature a family; the kernels of a family differ in the sample type and byte order of `data` (or `src`). */
export interface KernelFamilies extends FilterFamilies, LanesFamilies, SparseFamilies {
  /**
   * Adds frames pixel by pixel: `acc[p] += Σ_f data[f][p]`, `acc` being f64.
   * Integers count exactly while sums stay below 2^53; floats are added frame after frame in f64.
   */
  sum_frames: (acc: number, data: number, frames: number, frameStride: number, pixels: number) => void;
  /**
   * Adds the `rows × rowLength` samples of each frame: `out[f] += Σ_p data[f][p]`, `out` being f64.
   * Integers count exactly; floats are added in f64 row by row, so that frames may come in parts of whole rows.
   */
  sum_pixels: (
    out: number,
    outStride: number,
    data: number,
    frames: number,
    frameStride: number,
    rows: number,
    rowLength: number,
  ) => void;
  /** `out[0] = min(out[0], data)`, `out[1] = max(out[1], data)`, two f64; NaN does not count. */
  min_max: (out: number, data: number, n: number) => void;
  /** `sum[p] += Σ_f x`, `squares[p] += Σ_f x²`, f64, for integers of 8 and 16 bits; exact while below 2^53. */
  moments: (
    sum: number,
    squares: number,
    data: number,
    frames: number,
    frameStride: number,
    pixels: number,
  ) => void;
  /** Mean and sum of squared deviations, f64, that `before` frames have led to, updated frame by frame. */
  welford: (
    mean: number,
    m2: number,
    before: number,
    data: number,
    frames: number,
    frameStride: number,
    pixels: number,
  ) => void;
  /** Mean and sum of squared deviations of A together with those of B; `nA`, `nB` frames. */
  welford_merge: (
    meanA: number,
    m2A: number,
    nA: number,
    meanB: number,
    m2B: number,
    nB: number,
    pixels: number,
  ) => void;
  /** `dst[i] += src[i]`. */
  add: (dst: number, src: number, n: number) => void;
  /** The bytes of each sample in reverse; `dst` may be `src`. */
  swap: (dst: number, src: number, n: number) => void;
  /** Samples as f32, rounded to nearest (integers of 64 bits: first to f64). */
  convert_f32: (dst: number, src: number, n: number) => void;
  /** Samples less `least`, computed in f64, as f32. */
  lower_f32: (dst: number, src: number, n: number, least: number) => void;
  /** Samples as f64, rounded to nearest. */
  convert_f64: (dst: number, src: number, n: number) => void;
  /** `dst[f][p] = (src[f][p] − dark[p]) · gain[p]`, `dst`, `dark`, `gain` being f32; address 0 stands for no map. */
  correct_f32: CorrectKernel;
  /** As `correct_f32`, with f64. */
  correct_f64: CorrectKernel;
  /** As `correct_f32`, for complex samples: pairs of f32 or of f64, `dst`, `dark` and `gain` being pairs of the same. */
  correct_pairs: CorrectKernel;
  /** Dead pixels become the mean of their neighbours: `plan` lists, as u32, pixel, count, neighbours, `count` times. */
  patch: (data: number, frameStride: number, frames: number, plan: number, count: number) => void;
  /**
   * Products of frames with masks of i16, exact: `out[f][m] += Σ_p data[f][p] · masks[m][p]`, `out` being f64.
   * `flush`: how many products of the largest sample and the largest weight, two a lane, an i32 holds.
   */
  dot_i16: (...args: [...DotParameters, flush: number]) => void;
  /** Products of frames with masks of f32: `out[f][m] += Σ_p data[f][p] · masks[m][p]`, rows in f32, their sum in f64. */
  dot_f32: (...args: DotParameters) => void;
  /** Products of frames with masks of f64. */
  dot_f64: (...args: DotParameters) => void;
  /**
   * Pixels that mirror each other in two axes, as sums and differences in f32. For each of `count` runs of five i32
   * `(a, b, c, d, n)` and i < n the samples `a + i`, `b − i`, `c + i`, `d − i` of a frame give one number to each of four
   * planes: `(a + b) + (c + d)`, `(a − b) + (c − d)`, `(a + b) − (c + d)`, `(a − b) − (c − d)`. A place of −1 counts as 0.
   * Runs follow each other in the planes, which are `planeStride` apart. One plane: `a` alone.
   */
  fold_f32: FoldKernel;
  /** As `fold_f32`, in f64. */
  fold_f64: FoldKernel;
  /**
   * Sums for the centre of mass: `out[f] += (Σ v, Σ y·v, Σ x·v)`, three f64, over `count` runs of pixels, each three
   * i32 `(y, x0, x1)`; the first row of the tile is row `yFirst`. Exact for integers of 8 and 16 bits.
   */
  com: (
    out: number,
    outStride: number,
    data: number,
    frames: number,
    frameStride: number,
    rowLength: number,
    yFirst: number,
    runs: number,
    count: number,
  ) => void;
  /**
   * The product behind a sum of logarithms: `product[p] · 2^(512 powers[p])` times `x[p] − min x + 1`, for one frame;
   * two buffers of f64 that start at 0. NaN does not count for the minimum. Their logarithm is
   * `ln product + 512 ln 2 · powers`.
   */
  log_product: (product: number, powers: number, data: number, pixels: number) => void;
  /** Products A become products A times products B. */
  log_product_merge: (
    productA: number,
    powersA: number,
    productB: number,
    powersB: number,
    pixels: number,
  ) => void;
  /**
   * The mean of the window of `(2 ry + 1) (2 rx + 1)` samples around every sample: `out`, f32, has `rows × rowLength` of
   * them, `data` a halo of `ry` rows and `rx` samples on each side. `columns` takes `rowLength + 2 rx` f64: the sums of
   * the columns, in the end those of the last row. Integers: exact sums. Floats: f64, always in the same order.
   */
  box_mean: (
    out: number,
    outStride: number,
    data: number,
    rowStride: number,
    rows: number,
    rowLength: number,
    ry: number,
    rx: number,
    columns: number,
  ) => void;
  /** Values of `bits` bits from bit `startBit` of a stream, the lowest bit of each byte first; to the family's dtype. */
  bits_lsb: (dst: number, src: number, startBit: number, n: number, bits: number) => void;
  /** As `bits_lsb`, the highest bit of each byte first. */
  bits_msb: (dst: number, src: number, startBit: number, n: number, bits: number) => void;
  /** The samples in reverse; the places must not overlap. */
  reverse: (dst: number, src: number, n: number) => void;
  /** Merlin's raw mode, 1 bit a pixel: 64-bit words, last byte first. The source has whole words; so have the others. */
  mib_r1: (dst: number, src: number, n: number) => void;
  /** Merlin's raw mode, 6 bits in a byte. */
  mib_r6: (dst: number, src: number, n: number) => void;
  /** Merlin's raw mode, 12 bits in 16. */
  mib_r12: (dst: number, src: number, n: number) => void;
  /** Merlin's raw mode, 24 bits in two images of 12. */
  mib_r24: (dst: number, high: number, low: number, n: number) => void;
  /**
   * Rows of a sector of a Gatan K2: blocks of 16 columns of 12 bits, lowest first, the last columns first. The first
   * byte of a block is `blockStride` behind that of the one before.
   */
  k2is_rows: (
    dst: number,
    dstStride: number,
    src: number,
    blockStride: number,
    blocks: number,
    rows: number,
  ) => void;
  /** A frame of a pnCCD: `rows` stored rows of twice `width` samples become `2 · rows · bin` rows of `width`. */
  unfold: (dst: number, src: number, rows: number, width: number, bin: number) => void;
  /** Mean of up to 65537 frames as f32; sums are exact. */
  mean_frames: (dst: number, src: number, frames: number, stride: number, n: number) => void;
  /** `out[f]` = standard deviation of the samples in `count` runs of pixels, each three i32 `(y, x0, x1)`, in f64. */
  deviation: (
    out: number,
    outStride: number,
    data: number,
    frames: number,
    frameStride: number,
    rowLength: number,
    runs: number,
    count: number,
  ) => void;
  /** `out[0] = Σ |z|` over runs of pairs re, im; the sum and its terms in f64. */
  magnitudes: (out: number, data: number, rowLength: number, runs: number, count: number) => void;
  /**
   * The first `columns` columns of the spectrum of `height × width` real numbers, row by row as pairs re, im. `tables`
   * holds the table of rows and that of columns (see `fft_tables.ts`), one after the other; see `fft.ts` for `scratch`.
   */
  rfft2: (
    dst: number,
    src: number,
    height: number,
    width: number,
    columns: number,
    tables: number,
    scratch: number,
  ) => void;
  /** The way back from the first `width / 2 + 1` columns, divided by `height · width`. */
  irfft2: (
    dst: number,
    src: number,
    height: number,
    width: number,
    tables: number,
    scratch: number,
  ) => void;
  /** The spectrum of `height × width` complex numbers, or, where `back` is not 0, the way back. */
  fft2: (
    dst: number,
    src: number,
    height: number,
    width: number,
    back: number,
    tables: number,
    scratch: number,
  ) => void;
  /**
   * The phase of every source (l, m), row (u, v, w) and channel, `exp(2πi · (u l + v m + w (n − 1)) / speed · ν)` as
   * pairs of f64 in this order of axes. Beyond the horizon, `l² + m² > 1`, it is NaN.
   */
  complex_phase: (
    out: number,
    lm: number,
    uvw: number,
    frequency: number,
    sources: number,
    rows: number,
    channels: number,
    speed: number,
  ) => void;
}

/** What the kernels of mask products take; mask `m` starts at `masks + m * maskStride`. */
export type DotParameters = [
  out: number,
  outStride: number,
  data: number,
  frames: number,
  frameStride: number,
  masks: number,
  maskCount: number,
  maskStride: number,
  rows: number,
  rowLength: number,
];

/** The signature of the kernels that fold frames. */
export type FoldKernel = (
  out: number,
  outStride: number,
  planeStride: number,
  planes: number,
  data: number,
  frames: number,
  frameStride: number,
  runs: number,
  count: number,
) => void;

/** The signature of the kernels that correct samples. */
export type CorrectKernel = (
  dst: number,
  dstStride: number,
  src: number,
  srcStride: number,
  frames: number,
  dark: number,
  gain: number,
  pixels: number,
) => void;

/** The name of a family. */
export type KernelFamily = keyof KernelFamilies;
