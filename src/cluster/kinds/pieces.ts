/**
 * Cuts a run without merges into units: stretches of things that follow each other, such as rows, chunks or tiles.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { canonical } from "../manifest/json.ts";
import type { ClusterManifest, Unit } from "../manifest/manifest.ts";

const MiB = 2 ** 20;

/** Units that a run should have while they are small. */
const WANTED_UNITS = 64;

/** Bytes of a part beyond which units are not made larger than they must be. */
const LARGE_UNIT = 64 * MiB;

/** Most units. */
const MOST_UNITS = 4096;

/**
 * The units of `count` things of `each` bytes, in stretches of a multiple of `multiple`; `bytes` is what all of them read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(pieces(600, 4000, 256, 1).units, [[0, 0, 256], [0, 1, 256], [0, 2, 88]]);
 * ```
 */
export function pieces(
  count: number,
  each: number,
  multiple: number,
  bytes: number,
): ClusterManifest["work"] {
  const total = count * each;
  const wanted = Math.max(Math.min(total / WANTED_UNITS, LARGE_UNIT), total / MOST_UNITS);
  const leaf = multiple * Math.max(1, Math.round(wanted / Math.max(1, each * multiple)));
  const units = Array.from({ length: Math.ceil(count / leaf) }, (_, i): Unit => {
    return [0, i, Math.min(count, (i + 1) * leaf) - i * leaf];
  });
  return { leaf, bytes, units, fanIn: Math.max(16, units.length) }; // nothing is merged: there are no joins
}

/** Refuses to compute a run that this machine would cut in another way. */
export function mustBeCutSo({ work }: ClusterManifest, here: ClusterManifest["work"], what: string): void {
  if (canonical(here) === canonical(work)) return;
  const text =
    `This machine would cut ${what} in another way than the manifest says. Nothing was computed; ` +
    "plan a new run in a new store";
  throw new TilewiseError("changed", text, { expected: work.units.length, found: here.units.length });
}
