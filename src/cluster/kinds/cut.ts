/**
 * Whether this machine cuts a run as its manifest says.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Cut } from "../../runner/parts.ts";
import { canonical } from "../manifest/json.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";

/** Refuses to compute a run that this machine would cut in another way. */
export function mustBeCutSo({ work }: ClusterManifest, here: Cut, what: string): void {
  if (canonical(here) === canonical(work)) return;
  const text =
    `This machine would cut ${what} in another way than the manifest says. Nothing was computed; ` +
    "plan a new run in a new store";
  throw new TilewiseError("changed", text, { expected: work.units.length, found: here.units.length });
}
