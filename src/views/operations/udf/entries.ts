/**
 * The entries that a UDF fills for one tile, as bytes: they travel from workers to the thread that merges.
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray, typedArray, unitsOf } from "../../../space/dtype.ts";
import { fillNumbers } from "../../../space/numbers.ts";
import { identityOf, type NumberRule } from "../../../space/number_rules.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import type { ViewBuffers } from "./types.ts";

/** The place of an entry among those of a tile. */
export interface EntryPlace {
  /** Its buffer. */
  readonly name: string;
  /** What it belongs to. */
  readonly kind: "tile" | "single";
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Its shape. */
  readonly shape: Shape;
  /** Its first byte. */
  readonly offset: number;
  /** How it is merged. */
  readonly merge?: NumberRule;
}

/** Entries begin at multiples of this, so that typed arrays can show them. */
const STEP = 16;

/** The places of all entries, and the bytes of a tile. */
export function placesOf(buffers: ViewBuffers): { readonly places: EntryPlace[]; readonly bytes: number } {
  const places: EntryPlace[] = [];
  let bytes = 0;
  for (const [name, { kind, dtype = "float32", extraShape: shape = [], merge }] of Object.entries(buffers)) {
    places.push({ name, kind, dtype, shape, offset: bytes, ...(merge ? { merge } : {}) });
    bytes += Math.ceil(sizeOf([...shape, dtypeInfo(dtype).itemSize]) / STEP) * STEP;
  }
  return { places, bytes };
}

/** The entries that begin at `pointer`, as typed arrays. */
export function entriesAt(
  places: readonly EntryPlace[],
  buffer: ArrayBufferLike,
  pointer: number,
): Record<string, TypedArray> {
  return Object.fromEntries(
    places.map(({ name, dtype, shape, offset }) => [
      name,
      typedArray(dtype, buffer, pointer + offset, sizeOf(shape)),
    ]),
  );
}

/** Fills entries with what they begin with. */
export function startEntries(places: readonly EntryPlace[], entries: Record<string, TypedArray>): void {
  for (const { name, dtype, merge = "sum" } of places) fillNumbers(entries[name]!, identityOf(merge, dtype));
}

/** Numbers of an entry in a typed array. */
export function entryLength({ dtype, shape }: EntryPlace): number {
  return sizeOf(shape) * unitsOf(dtype);
}
