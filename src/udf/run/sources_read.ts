/**
 * The sources that the results of a run depend on.
 *
 * @module
 */

import { sourcesAtEnd } from "../../dataset/sources.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import { positionsIn } from "../buffers/positions.ts";

/** The files and URLs of the selected frames, the files that describe them, and the corrections that come with them. */
export function sourcesRead({ dataset, selection, partitions }: UdfPlan): SourceSpec[] {
  const positions = positionsIn(selection, partitions[0]?.start ?? 0, partitions.at(-1)?.stop ?? 0);
  if (positions.length === 0) return sourcesAtEnd(dataset, { first: 0, last: -1 });
  const { syncOffset } = selection;
  return sourcesAtEnd(dataset, { first: positions[0]! + syncOffset, last: positions.at(-1)! + syncOffset });
}
