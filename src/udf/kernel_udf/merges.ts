/**
 * How partial results of kernels become one: the sum, or the least or greatest of two.
 *
 * @module
 */

import { type DType, dtypeInfo, isExact, type TypedArray } from "../../space/dtype.ts";
import type { MergeContext } from "../udf.ts";
import type { KernelBuffer, MergeName } from "./options.ts";

/** What a buffer starts with, so that the first value merged with it stays as it is. */
export function identityOf(merge: MergeName | undefined, dtype: DType): number | bigint {
  if (merge === undefined || merge === "sum") return wide(dtype) ? 0n : 0;
  const { kind, unitSize } = dtypeInfo(dtype);
  if (kind === "f") return merge === "min" ? Infinity : -Infinity;
  const bits = 8 * unitSize;
  const signed = kind === "i";
  const least = signed ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = signed ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n;
  const value = merge === "min" ? most : least;
  return wide(dtype) ? value : Number(value);
}

function wide(dtype: DType): boolean {
  return dtype === "int64" || dtype === "uint64";
}

/** Fills the buffers that do not start at zero. */
export function startBuffers(
  buffers: Readonly<Record<string, TypedArray>>,
  specs: Readonly<Record<string, KernelBuffer>>,
  merges: Readonly<Record<string, MergeName>>,
): void {
  for (const [name, merge] of Object.entries(merges)) {
    if (merge !== "sum") buffers[name]!.fill(identityOf(merge, specs[name]!.dtype ?? "float32") as never);
  }
}

/** Adds `from` to `into`, element by element. */
export function mergeArrays(
  merge: MergeName,
  into: TypedArray,
  from: TypedArray,
  { kernels }: Pick<MergeContext, "kernels">,
): void {
  if (merge === "sum" && into instanceof Float64Array) {
    kernels.exports.add_f64(into.byteOffset, from.byteOffset, into.length);
  } else if (into instanceof BigInt64Array || into instanceof BigUint64Array) {
    for (let i = 0; i < into.length; i++) into[i] = joinBig(merge, into[i]!, from[i] as bigint);
  } else {
    const join = JOIN[merge];
    for (let i = 0; i < into.length; i++) into[i] = join(Number(into[i]), Number(from[i]));
  }
}

/** NaN wins, as it does in WebAssembly. */
const JOIN = { sum: (a: number, b: number) => a + b, min: Math.min, max: Math.max } as const;

function joinBig(merge: MergeName, a: bigint, b: bigint): bigint {
  if (merge === "sum") return a + b;
  return (merge === "min") === (a < b) ? a : b;
}

/** Whether partial results have to be merged in a tree for the same bits: sums that round. */
export function needsTree(
  specs: Readonly<Record<string, KernelBuffer>>,
  merges: Readonly<Record<string, MergeName>>,
): boolean {
  return Object.entries(merges).some(([name, merge]) =>
    merge === "sum" && !isExact(specs[name]!.dtype ?? "float32")
  );
}
