/**
 * Shards: which units the i-th of n workers computes, if nobody hands them out.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { TreeNode } from "../store/node.ts";
import type { Work } from "../manifest/work.ts";

/**
 * One of several shards.
 * @category Cluster
 */
export interface Shard {
  /** Its number, from 1. */
  readonly index: number;
  /** How many there are. */
  readonly count: number;
}

/**
 * The shard that a text names: `3/7`.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(parseShard("3/7"), { index: 3, count: 7 });
 * assertThrows(() => parseShard("8/7"), Error, "1/7 to 7/7");
 * ```
 * @category Cluster
 */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
  if (index === undefined || count === undefined) {
    const why = `"${text}" is not a shard; write INDEX/COUNT, as 3/7, or auto`;
    throw new TilewiseError("invalid", why, { option: "shard", found: text });
  }
  return shardOf(Number(index), Number(count), text);
}

/** A shard, checked. Errors: `invalid` for a number that is not from 1 to `count`. */
export function shardOf(index: number, count: number, from: string): Shard {
  if (Number.isSafeInteger(index) && index >= 1 && index <= count) return { index, count };
  const text = `There is no shard ${index} of ${count} (${from}): shards are 1/${count} to ${count}/${count}`;
  throw new TilewiseError("invalid", text, { option: "shard", expected: count, found: index });
}

/**
 * The units of a shard: a range of them, with about the same number of frames as the others. There may be none, as with more
 * shards than units.
 *
 * @example
 * ```ts
 * import { workOf } from "@tilewise/tilewise/unstable/cluster";
 * import { assertEquals } from "@std/assert";
 * const work = workOf({ work: { leaf: 1, bytes: 1, fanIn: 16, units: [[0, 0, 5], [0, 1, 5], [1, 1, 10]] } });
 * assertEquals([1, 2, 3].map((index) => unitsOfShard(work, { index, count: 3 }).length), [1, 1, 1]);
 * ```
 * @category Cluster
 */
export function unitsOfShard(
  { units, framesOf }: Pick<Work, "units" | "framesOf">,
  { index, count }: Shard,
): TreeNode[] {
  const total = units.reduce((sum, unit) => sum + framesOf(unit), 0);
  let before = 0;
  return units.filter((unit) => {
    const middle = before + framesOf(unit) / 2;
    before += framesOf(unit);
    return Math.min(count - 1, Math.floor(count * middle / Math.max(1, total))) === index - 1;
  });
}
