/**
 * Kernels that correct samples.
 *
 * @module
 */

import { ALL, FLOATS } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

/** The frames that are corrected, and where the results are. */
const FROM = { dstStride: "usize", src: "in T", srcStride: "usize", frames: "i32" } satisfies Params;

/** Dark frame, gain, dead pixels. */
export const CORRECT = {
  /** `dst[f][p] = (src[f][p] − dark[p]) · gain[p]`, `dst`, `dark`, `gain` being f32; address 0 stands for no map. */
  correct_f32: {
    pack: "corrections",
    file: "correct",
    body: "correctF32",
    params: { dst: "out float32", ...FROM, dark: "in float32", gain: "in float32", pixels: "i32" },
    types: ALL,
    orders: true,
  },
  /** As `correct_f32`, with f64. */
  correct_f64: {
    pack: "corrections",
    file: "correct",
    body: "correctF64",
    params: { dst: "out float64", ...FROM, dark: "in float64", gain: "in float64", pixels: "i32" },
    types: ALL,
    orders: true,
  },
  /** As `correct_f32`, for complex samples: pairs of f32 or of f64, `dst`, `dark` and `gain` being pairs of the same. */
  correct_pairs: {
    pack: "corrections",
    file: "correct_pairs",
    body: "correctPairs",
    params: { dst: "out native T", ...FROM, dark: "in native T", gain: "in native T", pixels: "i32" },
    types: FLOATS,
    orders: true,
  },
  /** Dead pixels become the mean of their neighbours: `plan` lists, as u32, pixel, count, neighbours, `count` times. */
  patch: {
    pack: "corrections",
    file: "correct",
    body: "patch",
    params: { data: "inout T", frameStride: "usize", frames: "i32", plan: "in uint32", count: "i32" },
    types: FLOATS,
  },
} satisfies Families;
