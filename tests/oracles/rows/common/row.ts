/**
 * The type of a family's row in the registry, and the parameters that many families share.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "./describe.ts";
import type { KernelFamilies, KernelFamily } from "../../../../src/kernels/families/families.ts";
import type { NumberType } from "../../../../assembly/table/declaration.ts";
import type { ParamsOf } from "../../../../assembly/table/table.ts";

/** A family: its twin, and the parameters of its kernels in tests and benches. */
export interface FamilyRow<F extends KernelFamily> {
  /** The plain twin. */
  readonly reference: (memory: WebAssembly.Memory, dtype: DType, order: ByteOrder) => KernelFamilies[F];
  /** The parameters of its kernels. */
  readonly parameters: (dtype: DType) => RowParameters<F>;
}

/** The rows of some families. */
export type Rows<F extends KernelFamily> = { readonly [K in F]: FamilyRow<K> };

/** A value for each parameter that the table declares: a number, or the contents at the address. */
export type RowParameters<F extends KernelFamily> = {
  readonly [P in keyof ParamsOf<F>]: ParamsOf<F>[P] extends NumberType ? NumberParameter : BufferContents;
};

/** The contents at `data`, the number of frames, and the stride between them. */
export interface FrameParameters {
  /** The samples. */
  readonly data: BufferContents;
  /** Number of frames of the tile. */
  readonly frames: NumberParameter;
  /** Bytes from one frame to the next. */
  readonly frameStride: NumberParameter;
}

/** `length` numbers of the type; of any value by default. */
export function numbers(
  dtype: DType,
  length: NumberParameter,
  values: BufferContents["values"] = "any",
): BufferContents {
  const { itemSize } = dtypeInfo(dtype);
  return { bytes: (sizes) => itemSize * length(sizes), values };
}

/** An array of numbers of 32 bits. */
export function list(of: (sizes: Sizes) => readonly number[]): BufferContents {
  return { bytes: (sizes) => 4 * of(sizes).length, values: of };
}

/** `length` f64 to which the kernel adds; whole numbers, so that exact sums stay exact. */
export function accumulator(length: NumberParameter, parts?: BufferContents["parts"]): BufferContents {
  return { ...numbers("float64", length, "whole"), ...(parts ? { parts } : {}) };
}

/** The frames of a tile, and the stride between them. */
export function frames(dtype: DType): FrameParameters {
  const used = (sizes: Sizes) => sizes.pixels * dtypeInfo(dtype).itemSize;
  const stride = (sizes: Sizes) => used(sizes) + sizes.gap;
  const bytes = (sizes: Sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap);
  const parts = (sizes: Sizes) => ({ bytes: used(sizes), stride: stride(sizes) });
  return { data: { bytes, parts, values: "any" }, frames: (sizes) => sizes.frames, frameStride: stride };
}

/** Samples per frame. */
export const pixels: NumberParameter = (sizes) => sizes.pixels;

/** Number of rows of the tile. */
export const rows: NumberParameter = (sizes) => sizes.rows;

/** Samples per row. */
export const rowLength: NumberParameter = (sizes) => sizes.rowLength;
