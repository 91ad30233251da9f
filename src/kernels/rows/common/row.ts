/**
 * What a family's row in the registry looks like, and the parameters that many families share.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../space/dtype.ts";
import type { BufferParameter, Parameter, Sizes } from "../../families/describe.ts";
import type { KernelFamilies, KernelFamily } from "../../families/families.ts";

/** A family: its twin, and what its kernels take. */
export interface FamilyRow<F extends KernelFamily> {
  /** The plain twin. */
  readonly reference: (memory: WebAssembly.Memory, dtype: DType, order: ByteOrder) => KernelFamilies[F];
  /** The parameters, in their order. */
  readonly parameters: (dtype: DType, order: ByteOrder) => readonly Parameter[];
}

/** `length` f64 that the kernel adds to; whole numbers, so that exact sums stay exact. */
export function accumulator(
  name: string,
  length: (sizes: Sizes) => number,
  parts?: BufferParameter["parts"],
): BufferParameter {
  return {
    name,
    role: "inout",
    dtype: "float64",
    bytes: (sizes) => 8 * length(sizes),
    ...(parts ? { parts } : {}),
    values: "whole",
  };
}

/** The frames of a tile, and the stride between them. */
export function frames(dtype: DType, order: ByteOrder): Parameter[] {
  const used = (sizes: Sizes) => sizes.pixels * dtypeInfo(dtype).itemSize;
  const stride = (sizes: Sizes) => used(sizes) + sizes.gap;
  const bytes = (sizes: Sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap);
  const parts = (sizes: Sizes) => ({ bytes: used(sizes), stride: stride(sizes) });
  return [
    { name: "data", role: "in", dtype, order, bytes, parts, values: "any" },
    (sizes) => sizes.frames,
    stride,
  ];
}

/** Samples of a frame. */
export const pixels: Parameter = (sizes) => sizes.pixels;
