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
    constants: (meta) => {
      const stack = maskStack(masks, meta);
      return { masks: stack, flush: Int32Array.of(flushInterval(stack)) };
    },
    processTile(tile, { intensity }, context) {
      multiply(tile, intensity.byteOffset, masks.length, context);
    },
  };
}

/**
 * Entries from one mask to the next. The caches place data by the lower bits of its address: masks a power of two
 * apart would fight for the same places.
 */
function maskPitch({ pixels }: UdfMeta): number {
  return pixels + 1024 + 32;
}

/** All masks, one after another, in the type that the kernels for this data take. */
function maskStack(masks: readonly Mask[], meta: UdfMeta): TypedArray {
  const weights = masks.map((mask) => maskWeights(mask, meta.sigShape));
  const length = masks.length * maskPitch(meta);
  const stack = isSmall(meta.nativeDType) && weights.every(isShort)
    ? new Int16Array(length)
    : isSmall(meta.nativeDType) || meta.nativeDType === "float32"
    ? new Float32Array(length)
    : new Float64Array(length);
  weights.forEach((values, m) => stack.set(values, m * maskPitch(meta)));
  return stack;
}

/** Whether all weights are integers of 16 bits. */
function isShort(weights: ArrayLike<number>): boolean {
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] !== (weights[i]! << 16 >> 16)) return false;
  }
  return true;
}

/** Samples that 16-bit integer products hold. */
function isSmall(dtype: DType): boolean {
  return isExact(dtype) && dtypeInfo(dtype).itemSize <= 2;
}

/** How many vectors of exact products a 32-bit lane can take: each adds at most 2 · 2^15 · the largest weight. */
function flushInterval(masks: TypedArray): number {
  if (!(masks instanceof Int16Array)) return 0;
  let largest = 1;
  for (let i = 0; i < masks.length; i++) largest = Math.max(largest, Math.abs(masks[i]!));
  return Math.max(1, Math.floor((2 ** 31 - 1) / (2 * 32768 * largest)));
}

function multiply(
  tile: Tile,
  out: number,
  count: number,
  { kernels, constants, meta }: UdfContext,
): void {
  const { raw, frames, rows, rowLength } = tile;
  const masks = constants.masks!;
  const itemSize = masks.BYTES_PER_ELEMENT;
  const pointer = masks.byteOffset + ravel(tile.box.origin, meta.sigShape) * itemSize;
  const args = [out, 8 * count, raw.pointer, frames, raw.frameStride, pointer, count] as const;
  const stride = maskPitch(meta) * itemSize;
  if (masks instanceof Int16Array) {
    const dot = kernel(kernels, "dot_i16", raw.dtype, raw.byteOrder);
    dot(...args, stride, rows, rowLength, Number(constants.flush![0]));
  } else if (masks instanceof Float32Array) {
    kernel(kernels, "dot_f32", raw.dtype, raw.byteOrder)(...args, stride, rows, rowLength);
  } else kernel(kernels, "dot_f64", raw.dtype, raw.byteOrder)(...args, stride, rows, rowLength);
}
