/**
 * Geometries of analyses and masks: what is asked, of which data, and how results are compared.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { StoredDataset } from "../../src/dataset/dataset.ts";
import type { ByteOrder, DType } from "../../src/space/dtype.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { sizeOf } from "../../src/space/shape.ts";
import type { UdfResult } from "../../src/udf/interface/buffer_types.ts";
import { applyMasks } from "../../src/udf/builtin/apply_masks.ts";
import type { MaskOptions } from "../../src/udf/builtin/masks/mask.ts";
import { builtin, type UdfRef } from "../../src/udf/interface/udf_ref.ts";
import { memoryScan } from "../udf/data.ts";

/** Parameters by name. */
export type Params = Readonly<Record<string, unknown>>;

/** One analysis with its parameters. */
export interface Case {
  readonly udf: string;
  readonly params: Params;
}

/** Data of a few frames. */
export interface Group {
  readonly sig: readonly [height: number, width: number];
  readonly frames: number;
  readonly dtype: DType;
  readonly order: ByteOrder;
  readonly seed: number;
}

/** What a case gives: all numbers, complex ones as pairs, and how large the sums are that they come from. */
export interface Outcome {
  readonly values: ArrayLike<number>;
  readonly size: number;
}

/** Small numbers that every type holds, by a formula; the last frame is empty in every fourth group. */
export function samplesOf({ sig, frames, dtype, seed }: Group): Float64Array {
  const pixels = sizeOf(sig);
  return Float64Array.from({ length: frames * pixels }, (_, k) => {
    if (seed % 4 === 0 && k >= (frames - 1) * pixels) return 0;
    const value = (k * k * 7 + k * (13 + seed) + seed * 31) % 97;
    return dtype.startsWith("float") ? value / 8 : dtype.startsWith("int") ? value - 40 : value;
  });
}

/** The data as a scan: frame after frame, or with headers between them. */
export function scanOf(group: Group): StoredDataset {
  const { dtype, order, frames, sig, seed } = group;
  return memoryScan(samplesOf(group), [frames], sig, dtype, { order, frameHeaderBytes: seed % 3 * 5 });
}

/** Built-in UDFs by the words of the definitions, where these are others. */
const BUILTIN: Readonly<Record<string, string>> = {
  annular: "annular_detector",
  com: "centre_of_mass",
  disk: "disk_detector",
  fem: "fluctuation",
  logsum: "log_sum",
  point: "point_detector",
  radialfourier: "radial_fourier",
  rectangle: "rectangular_detector",
  stddev: "standard_deviation",
  sum: "sum_frames",
  sumsig: "sum_pixels",
};

/** The built-in UDF that the definitions call `word`. */
export function builtinFor(word: string, params: object): UdfRef {
  return builtin(BUILTIN[word] ?? word, params as never);
}

/** The UDF of a case. */
export function refOf({ udf, params }: Case): UdfRef {
  if (udf !== "mask") return builtinFor(udf, params);
  const { shifts, useSparse, ...recipe } = params as { shifts?: number[] | number[][] } & Params;
  const { template } = recipe as { template?: number[][] };
  const made = template ? { ...recipe, template: image(template) } : recipe;
  const moved = Array.isArray(shifts?.[0]) ? image(shifts as number[][]) : shifts;
  const options = {
    masks: [made],
    ...(moved ? { shifts: moved } : {}),
    ...(useSparse === undefined ? {} : { useSparse }),
  };
  return applyMasks(options as unknown as MaskOptions);
}

/** Rows of numbers as an array. */
export function image(rows: readonly (readonly number[])[]) {
  return ndarray(Float64Array.from(rows.flat()), [rows.length, rows[0]!.length], "float64");
}

/** The result of a case that is compared. */
export function resultOf({ udf }: Case, result: UdfResult): ArrayLike<number> {
  return (udf === "com" ? result.raw_com! : result.intensity!).data as ArrayLike<number>;
}

/** Double precision; what expected values are rounded to is 1e-11 of them. */
const DOUBLE = 1e-10;

/**
 * Single precision: weights and transforms have 24 bits, and up to 73 numbers (289 pixels in 4 lanes) are added up in
 * them before doubles take over. Each rounding is at most 6e-8 of the sum of magnitudes; they never all go one way.
 */
const SINGLE = 1e-6;

/** What a result may be off by, as a share of the sum of the magnitudes that it comes from. */
export function tolerance({ udf, params }: Case, { dtype }: Group): number {
  const small = ["uint8", "int8", "uint16", "int16", "float32"].includes(dtype);
  if (udf === "radialfourier" || udf === "crystallinity") return small ? SINGLE : DOUBLE;
  const whole = ["circular", "ring", "rectangular", "gradientX", "gradientY", "stampTemplates", "stampDisks"];
  const exact = udf !== "mask" || whole.includes(String(params.make)) && !params.antialiased;
  return small && !exact ? SINGLE : DOUBLE;
}

/** Compares number by number. */
export function compare(
  found: ArrayLike<number>,
  { values, size }: Outcome,
  limit: number,
  what: string,
): void {
  assertEquals(found.length, values.length, what);
  for (let i = 0; i < found.length; i++) {
    const near = Math.abs(found[i]! - values[i]!) <= limit * Math.max(size, Math.abs(values[i]!));
    const same = near || Number.isNaN(found[i]) && Number.isNaN(values[i]);
    assert(same, `${what}: number ${i} is ${found[i]}, not ${values[i]}`);
  }
}
