/**
 * What a worker holds for UDFs beside their results, as planners count it: forms of tiles, copies, constants, scratch.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { blockBytes, type Slab } from "../../memory/slab.ts";
import type { PlacedArray } from "../../runner/leases.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../../space/dtype.ts";
import { declaredScratch } from "../buffers/declarations.ts";
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

// The buffers for the forms of a tile; plan and worker both use this file, so that their sizes agree.

/** The form of tiles that one UDF needs. */
export interface FormNeed {
  /** The form of its tiles. */
  readonly backend: Backend;
  /** The type of their samples. */
  readonly dtype: DType;
  /** Whether it takes raw samples. */
  readonly raw: boolean;
  /** Whether it gets a copy of dense tiles that it may change. */
  readonly own?: boolean;
}

/** The largest sizes of a tile. */
export interface FormSizes {
  /** The form in which the data set is read. */
  readonly source: Backend;
  /** Type of the samples as they are read, or after corrections. */
  readonly dtype: DType;
  /** Frames. */
  readonly frames: number;
  /** Pixels per frame. */
  readonly pixels: number;
  /** Sparse data: entries of a block of whole frames. */
  readonly entries: number;
  /** Whether tiles are parts of frames. */
  readonly parts: boolean;
}

/** The buffers by name, with their bytes; UDFs that need the same form share its buffers. */
export function formBuffers(sizes: FormSizes, needs: readonly FormNeed[]): Map<string, number> {
  const buffers = new Map<string, number>();
  for (const [u, need] of needs.entries()) {
    if (need.backend === "dense") denseBuffers(sizes, need, buffers);
    else sparseBuffers(sizes, need, buffers);
    if (need.own) buffers.set(ownName(u), sizes.frames * sizes.pixels * dtypeInfo(need.dtype).itemSize);
  }
  return buffers;
}

/** The name of the buffer for the copy that UDF `u` may change. */
export function ownName(u: number): string {
  return `own ${u}`;
}

/** Bytes of a slab that these buffers need. */
export function formBytes(sizes: FormSizes, needs: readonly FormNeed[]): number {
  return [...formBuffers(sizes, needs).values()].reduce((sum, bytes) => sum + roundUp(bytes, ALIGNMENT), 0);
}

function denseBuffers(sizes: FormSizes, { dtype, raw }: FormNeed, buffers: Map<string, number>): void {
  const samples = sizes.frames * sizes.pixels;
  if (sizes.source !== "dense") buffers.set("raw", samples * dtypeInfo(sizes.dtype).itemSize);
  if (!raw) buffers.set(`dense ${dtype}`, samples * dtypeInfo(dtype).itemSize);
}

function sparseBuffers(sizes: FormSizes, { backend, dtype }: FormNeed, buffers: Map<string, number>): void {
  const isSparse = sizes.source !== "dense";
  const entries = isSparse ? sizes.entries : sizes.frames * sizes.pixels;
  const arrays = (name: string, pointers: number, suffix: string, itemSize: number) => {
    buffers.set(`${name} indptr${suffix}`, 4 * (pointers + 1));
    buffers.set(`${name} indices${suffix}`, 4 * entries);
    buffers.set(`${name} data${suffix}`, itemSize * entries);
  };
  const { itemSize } = dtypeInfo(dtype);
  if (!isSparse) {
    denseBuffers(sizes, { backend: "dense", dtype, raw: false }, buffers);
    arrays("csr", sizes.frames, ` ${dtype}`, itemSize);
  } else {
    if (sizes.parts) arrays("cut", sizes.frames, "", dtypeInfo(sizes.dtype).itemSize);
    if (dtype !== sizes.dtype) buffers.set(`csr data ${dtype}`, itemSize * entries);
  }
  if (backend === "csc") arrays("csc", sizes.pixels, ` ${dtype}`, itemSize);
  if (backend === "coo") buffers.set(`coo rows ${dtype}`, 4 * entries);
}
