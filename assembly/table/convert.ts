/**
 * Kernels that change how samples are written.
 *
 * @module
 */

import { ALL, BEYOND_SINGLE, FLOATS } from "../../src/kernels/families/types.ts";
import type { Families, Params } from "./declaration.ts";

const MOVE = { dst: "out T", src: "in T", n: "i32" } satisfies Params;

/** Byte order, conversion to floats, addition of arrays. */
export const CONVERT = {
  /** `dst[i] += src[i]`. */
  add: {
    pack: "core",
    file: "convert",
    body: "add",
    params: { dst: "inout T", src: "in T", n: "i32" },
    types: FLOATS,
  },
  /** The bytes of each sample in reverse; `dst` may be `src`. */
  swap: {
    pack: "core",
    file: "convert",
    body: "swap",
    params: MOVE,
    types: ["uint16", "uint32", "uint64"],
  },
  /** Samples as f32, rounded to nearest. */
  convert_f32: {
    pack: "conversions",
    file: "convert",
    body: "convertF32",
    params: { dst: "out float32", src: "in T", n: "i32" },
    types: [...ALL, "float16", "uint64", "int64"],
    half: ["halfF32", "halfF32be"],
    orders: true,
  },
  /** Samples as f64, rounded to nearest. */
  convert_f64: {
    pack: "conversions",
    file: "convert",
    body: "convertF64",
    params: { dst: "out float64", src: "in T", n: "i32" },
    types: [...ALL, "float16", "uint64", "int64"],
    half: ["halfF64", "halfF64be"],
    orders: true,
  },
  /** Samples less `least`, computed in f64, as f32. */
  lower_f32: {
    pack: "conversions",
    file: "convert",
    body: "lowerF32",
    params: { dst: "out float32", src: "in T", n: "i32", least: "f64" },
    types: BEYOND_SINGLE,
    orders: true,
  },
} satisfies Families;
