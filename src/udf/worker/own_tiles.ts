/**
 * Decides which UDFs get their own copy of a tile. All UDFs of a run see the same tile, one after another.
 *
 * @module
 */

import type { Udf, UdfMeta } from "../interface/udf.ts";
import { runsUserCode, type UdfRef } from "../interface/udf_ref.ts";

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
