/**
 * The manifest of an operation over views, from a plan; and the plan, from a manifest.
 *
 * A unit is a stretch of rows of the result: rows of an image, planes of a stack. So a part is one run of the result, and
 * parts one after another are the result. Nothing is merged.
 *
 * @module
 */

import type { Context } from "../../runner/face.ts";
import type { MapPlan } from "../../views/map/map_plan.ts";
import { rowCut } from "../../views/map/parts.ts";
import { mapPlan } from "../../views/map/plan.ts";
import type { PartStore } from "../store/store.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { Data } from "../manifest/values.ts";
import { openedAgain } from "./common.ts";
import { operationAgain, type PlannedMap, viewsManifest } from "./views_manifest.ts";

/**
 * The manifest of a planned operation, and the arrays that it names. Errors: `unsupported` for joined arrays, for functions,
 * and for results that are not arrays.
 */
export async function mapManifest(planned: PlannedMap): Promise<{ manifest: ClusterManifest; data: Data }> {
  return await viewsManifest(planned, { kind: "map", work: rowCut(planned.plan) });
}

/** The plan of a manifest in `context`; the source is opened. */
export async function plannedAgain(
  store: PartStore,
  manifest: ClusterManifest,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<MapPlan> {
  const dataset = await openedAgain(store, manifest, signal);
  const { operation, options } = await operationAgain(store, manifest);
  return await mapPlan("map", dataset, operation, {
    ...options,
    blocks: "tiles",
    ...(context ? { context } : {}),
  });
}
