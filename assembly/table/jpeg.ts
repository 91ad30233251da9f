/**
 * Kernels that undo JPEG: codes, scans, samples, pixels.
 *
 * @module
 */

import { BYTES, SMALL } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

/** Samples of 8 bits, and of 9 to 16. */
const SAMPLES = SMALL.filter((dtype) => dtype === "uint8" || dtype === "uint16");

const STATUS = { status: "out int32", state: "inout int32" } as const satisfies Params;
const STORED = { src: "in uint8", length: "i32", codes: "in uint8" } as const satisfies Params;
const PLAN = { plan: "in int32", parts: "i32" } as const satisfies Params;
const SPARE = { spare: "scratch uint8" } as const satisfies Params;

/**
 * The families of kernels that undo JPEG.
 *
 * Those that read bits end with two i32 at `status`: 0 or a negative code (see `jpeg_stops.ts`), and after an error
 * the byte where the unit (or row) begins that is wrong. `state` has eight i32 from one call to the next: the byte and the bit
 * of it that come next, units up to the next restart, blocks without further coefficients, and the last first coefficient of
 * each part. `codes`: tables by `jpeg_codes`, at the distances that `plan` says. `spare`: {@link JPEG_SPARE} bytes for their
 * own use.
 * @category Kernels
 */
export const JPEG = {
  /**
   * Makes the {@link JPEG_CODE_BYTES} of `table` from the numbers of codes of 1 to 16 bits and their `length` symbols. One i32
   * at `status`: 0, or a negative code if there are too many.
   */
  jpeg_codes: {
    pack: "jpeg",
    file: "jpeg/codes",
    body: "jpegCodes",
    params: {
      status: "out int32",
      table: "out uint8",
      counts: "in uint8",
      symbols: "in uint8",
      length: "i32",
    },
    types: BYTES,
  },
  /**
   * Coefficients of `units` units of a sequential scan. `plan` has six i32 for each part of a unit: its first block, blocks
   * per row, blocks of a unit across and down, and where its two codes lie.
   */
  jpeg_scan: {
    pack: "jpeg",
    file: "jpeg/scan",
    body: "jpegScan",
    params: {
      ...STATUS,
      blocks: "inout int16",
      ...STORED,
      ...PLAN,
      units: "i32",
      interval: "i32",
      ...SPARE,
    },
    types: BYTES,
  },
  /** As `jpeg_scan`, for a scan of a progressive image, which adds to coefficients. */
  jpeg_pass: {
    pack: "jpeg",
    file: "jpeg/pass",
    body: "jpegPass",
    params: {
      ...STATUS,
      blocks: "inout int16",
      ...STORED,
      ...PLAN,
      units: "i32",
      interval: "i32",
      first: "i32",
      last: "i32",
      high: "i32",
      low: "i32",
      ...SPARE,
    },
    types: BYTES,
  },
  /**
   * Samples of a lossless scan: `rows` rows of `width` pixels of `count` samples, those of each component that `plan` names
   * with two i32: which it is, and where its code lies. `bits`: of a sample.
   */
  jpeg_lossless: {
    pack: "jpeg",
    file: "jpeg/lossless",
    body: "jpegLossless",
    params: {
      ...STATUS,
      out: "inout T",
      ...STORED,
      ...PLAN,
      rows: "i32",
      width: "i32",
      count: "i32",
      interval: "i32",
      predictor: "i32",
      bits: "i32",
      ...SPARE,
    },
    types: SAMPLES,
  },
  /**
   * Samples of 8 or 12 bits of `columns` blocks that lie side by side: the inverse cosine transform of their coefficients
   * times `table`.
   */
  jpeg_samples: {
    pack: "jpeg",
    file: "jpeg/samples",
    body: "jpegSamples",
    params: {
      dst: "out T",
      stride: "usize",
      blocks: "in int16",
      table: "in uint16",
      columns: "i32",
      ...SPARE,
    },
    types: SAMPLES,
  },
  /** A row of `2n` samples from the nearest and the second nearest row of chroma with half the width and height. */
  jpeg_double: {
    pack: "jpeg",
    file: "jpeg/pixels",
    body: "jpegDouble",
    params: { dst: "out T", near: "in T", far: "in T", n: "i32" },
    types: SAMPLES,
  },
  /** A row of `2n` samples from a row of chroma with half the width. */
  jpeg_widen: {
    pack: "jpeg",
    file: "jpeg/pixels",
    body: "jpegWiden",
    params: { dst: "out T", src: "in T", n: "i32" },
    types: SAMPLES,
  },
  /** A row from the nearest and the second nearest row of chroma with half the height; `bias`: 1 above, 2 below. */
  jpeg_between: {
    pack: "jpeg",
    file: "jpeg/pixels",
    body: "jpegBetween",
    params: { dst: "out T", near: "in T", far: "in T", n: "i32", bias: "i32" },
    types: SAMPLES,
  },
  /** Red, green and blue of `n` pixels from luminance and two differences of colour, of 8 or 12 bits. */
  jpeg_rgb: {
    pack: "jpeg",
    file: "jpeg/pixels",
    body: "jpegRgb",
    params: { dst: "out T", luma: "in T", blue: "in T", red: "in T", n: "i32" },
    types: SAMPLES,
  },
  /** `n` pixels of three samples. */
  jpeg_three: {
    pack: "jpeg",
    file: "jpeg/pixels",
    body: "jpegThree",
    params: { dst: "out T", first: "in T", second: "in T", third: "in T", n: "i32" },
    types: SAMPLES,
  },
} satisfies Families;
