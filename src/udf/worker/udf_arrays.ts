/**
 * Arrays of a UDF on one worker in addition to its buffers: constants, and scratch.
 *
 * @module
 */

import { blockBytes, type Slab } from "../../memory/slab.ts";
import type { PlacedArray } from "../../runner/leases.ts";
import { type TypedArray, typedArray } from "../../space/dtype.ts";
import { declaredScratch } from "../buffers/declarations.ts";
import type { ScratchSpec, Udf, UdfMeta } from "../interface/udf.ts";

/** The scratch arrays of a UDF, in blocks of `slab`. */
export function cutScratch(
  specs: Readonly<Record<string, ScratchSpec>>,
  slab: Slab,
): Record<string, TypedArray> {
  const cut = ([name, { dtype, length }]: [string, ScratchSpec]) =>
    [name, slab.block(dtype, length, `scratch ${name}`).data] as const;
  return Object.fromEntries(Object.entries(specs).map(cut));
}

/** Bytes that the scratch arrays of `udf` take on one worker. */
export function scratchBytes(udf: Udf, meta: UdfMeta): number {
  return Object.values(declaredScratch(udf, meta)).reduce(
    (sum, { dtype, length }) => sum + blockBytes(dtype, length),
    0,
  );
}

/** Typed arrays over data that lie in `memory` already. */
export function openArrays(
  placed: Readonly<Record<string, PlacedArray>>,
  memory: WebAssembly.Memory,
): Record<string, TypedArray> {
  const open = ([name, { pointer, dtype, length }]: [string, PlacedArray]) =>
    [name, typedArray(dtype, memory.buffer, pointer, length)] as const;
  return Object.fromEntries(Object.entries(placed).map(open));
}
