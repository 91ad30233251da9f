/**
 * Which forms of tiles UDFs need, and how large they are at most: for planners and for workers.
 *
 * @module
 */

import { blockBytes, type Slab } from "../../memory/slab.ts";
import type { PlacedArray } from "../../runner/leases.ts";
import { type DType, type TypedArray, typedArray } from "../../space/dtype.ts";
import { declaredScratch } from "../buffers/declarations.ts";
import type { FormNeed, FormSizes } from "../buffers/form_buffers.ts";
import type { ScratchSpec, Udf, UdfMeta } from "../interface/udf.ts";
import { runsUserCode, type UdfRef } from "../interface/udf_ref.ts";
import { mostPixels, type TileReading } from "./tile_reader.ts";
import { widerDType } from "./widen.ts";

/** The largest sizes of tiles that are read like this; `corrected`: type of the samples after corrections. */
export function formSizes(how: TileReading, corrected?: DType): FormSizes {
  const { source, layout, frames, entries, slices } = how;
  const dtype = corrected ?? layout.dtype;
  return { source, dtype, frames, pixels: mostPixels(slices), entries, parts: slices.length > 1 };
}

/** The form of tiles that a UDF needs. */
export function formNeed(udf: Udf, meta: UdfMeta): FormNeed {
  const raw = udf.raw !== undefined && udf.raw !== false && !widerDType(udf, meta);
  return { backend: meta.backend, dtype: meta.inputDType, raw };
}

// Decides which UDFs get their own copy of a tile. All UDFs of a run see the same tile, one after another.

/** The facts about each UDF of a run. */
interface Sharer {
  readonly ref: UdfRef;
  readonly udf: Udf;
  readonly meta: Pick<UdfMeta, "backend">;
}

/**
 * The indices of the UDFs in the order in which they see a tile. Built-in UDFs, which change nothing, come first, so
 * that user code cannot change what they see.
 */
export function oursFirst(udfs: readonly Pick<Sharer, "ref">[]): number[] {
  const numbers = [...udfs.keys()];
  const isOurs = (u: number) => !runsUserCode(udfs[u]!.ref);
  return [...numbers.filter(isOurs), ...numbers.filter((u) => !isOurs(u))];
}

/**
 * Which UDFs get a copy of `tile.data`: those that declare it, and UDFs with user code that are followed by another
 * one.
 */
export function ownTiles(udfs: readonly Sharer[]): boolean[] {
  const lastOfUsers = udfs.findLastIndex(({ ref }) => runsUserCode(ref));
  return udfs.map(({ ref, udf, meta }, u) => {
    if (udf.raw || meta.backend !== "dense") return false;
    return udf.writesTile === true || runsUserCode(ref) && u < lastOfUsers;
  });
}

// Arrays of a UDF on one worker in addition to its buffers: constants, and scratch.

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
