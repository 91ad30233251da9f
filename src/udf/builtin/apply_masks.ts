/**
 * Products of frames with masks: virtual detectors of any form, many at once.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { kernel } from "../../kernels/registry.ts";
import { type DType, dtypeInfo, isExact, type TypedArray } from "../../space/dtype.ts";
import { ravel, type Shape } from "../../space/shape.ts";
import type { Tile } from "../tile.ts";
import type { ParamValue, Udf, UdfContext, UdfMeta } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";
import { type Mask, maskWeights } from "./masks.ts";

/** Parameters of {@link applyMasks}. */
export interface MaskOptions {
  /** The masks: weights over the frame, or disks and rings. */
  readonly masks: readonly Mask[];
}

/**
 * The sum of each frame weighted by each mask. Result `intensity`: float64, shape (…scan, masks).
 * Small integers with integer masks count exactly.
 *
 * @example
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const centre = { cy: 0, cx: 0, ro: 0.5 };
 * const { dot } = await run(await plan(scan, { dot: applyMasks({ masks: [centre] }) }));
 * assertEquals([...dot!.intensity!.data], [1, 3]);
 * ```
 */
export function applyMasks({ masks }: MaskOptions): UdfRef {
  return builtin("mask", { masks: masks as unknown as ParamValue });
}

/** An annular detector: the sum of each frame over `ri < r ≤ ro` around (cy, cx), in pixels. */
export function annularDetector(ring: { cy: number; cx: number; ri: number; ro: number }): UdfRef {
  return builtin("annular", ring);
}

/** A disk detector: the sum of each frame over `r' ≤ r` around (cy, cx), in pixels. */
export function diskDetector({ cy, cx, r }: { cy: number; cx: number; r: number }): UdfRef {
  return builtin("disk", { cy, cx, r });
}

/** The UDF behind {@link applyMasks}. */
export function mask({ masks }: MaskOptions): Udf<"intensity"> {
  if (!Array.isArray(masks) || masks.length === 0) {
    throw new TilewiseError("invalid", "Cannot apply masks: give at least one");
  }
  return maskUdf("mask", masks, [masks.length]);
}

/** The UDF behind {@link annularDetector}. */
export function annular(ring: { cy: number; cx: number; ri: number; ro: number }): Udf<"intensity"> {
  checkNumbers("annular", ring, ["cy", "cx", "ri", "ro"]);
  return maskUdf("annular", [ring], []);
}

/** The UDF behind {@link diskDetector}. */
export function disk(disk: { cy: number; cx: number; r: number }): Udf<"intensity"> {
  checkNumbers("disk", disk, ["cy", "cx", "r"]);
  return maskUdf("disk", [{ cy: disk.cy, cx: disk.cx, ro: disk.r }], []);
}

function checkNumbers(
  name: string,
  given: Readonly<Record<string, unknown>>,
  wanted: readonly string[],
): void {
  const missing = wanted.filter((key) => !Number.isFinite(given[key]));
  if (missing.length === 0) return;
  const text = `The ${name} detector needs ${wanted.join(", ")} in pixels; ${missing.join(", ")} missing`;
  throw new TilewiseError("invalid", text, { udf: name });
}

function maskUdf(name: string, masks: readonly Mask[], extraShape: Shape): Udf<"intensity"> {
  return {
    name,
    buffers: { intensity: { kind: "nav", dtype: "float64", extraShape } },
    inputDType: "native",
    raw: true,
    tiling: { contiguous: true },
    constants: (meta) => ({ masks: maskStack(masks, meta) }),
    taskData: ({ constants }) => flushInterval(constants.masks!),
    processTile(tile, { intensity }, context) {
      multiply(tile, intensity.byteOffset, masks.length, context);
    },
  };
}

/** All masks, one after another, in the type that the kernels for this data take. */
function maskStack(masks: readonly Mask[], { sigShape, pixels, nativeDType }: UdfMeta): TypedArray {
  const weights = new Float64Array(masks.length * pixels);
  masks.forEach((mask, m) => weights.set(maskWeights(mask, sigShape), m * pixels));
  if (isSmall(nativeDType) && weights.every((w) => Number.isInteger(w) && Math.abs(w) <= 32767)) {
    return Int16Array.from(weights);
  }
  return isSmall(nativeDType) || nativeDType === "float32" ? Float32Array.from(weights) : weights;
}

/** Samples that 16-bit integer products hold. */
function isSmall(dtype: DType): boolean {
  return isExact(dtype) && dtypeInfo(dtype).itemSize <= 2;
}

/** How many vectors of exact products a 32-bit lane can take: each adds at most 2 · 2^15 · the largest weight. */
function flushInterval(masks: TypedArray): number {
  if (!(masks instanceof Int16Array)) return 0;
  const largest = masks.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1);
  return Math.max(1, Math.floor((2 ** 31 - 1) / (2 * 32768 * largest)));
}

function multiply(
  tile: Tile,
  out: number,
  count: number,
  { kernels, constants, meta, taskData }: UdfContext,
): void {
  const { raw, frames, rows, rowLength } = tile;
  const masks = constants.masks!;
  const itemSize = masks.BYTES_PER_ELEMENT;
  const pointer = masks.byteOffset + ravel(tile.box.origin, meta.sigShape) * itemSize;
  const args = [out, 8 * count, raw.pointer, frames, raw.frameStride, pointer, count] as const;
  const stride = meta.pixels * itemSize;
  if (masks instanceof Int16Array) {
    const dot = kernel(kernels, "dot_i16", raw.dtype, raw.byteOrder);
    dot(...args, stride, rows, rowLength, taskData as number);
  } else if (masks instanceof Float32Array) {
    kernel(kernels, "dot_f32", raw.dtype, raw.byteOrder)(...args, stride, rows, rowLength);
  } else kernel(kernels, "dot_f64", raw.dtype, raw.byteOrder)(...args, stride, rows, rowLength);
}
