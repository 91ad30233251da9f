/**
 * The manifest of an operation over views, from a plan; and the plan, from a manifest.
 *
 * A unit is a stretch of rows of the result: rows of an image, planes of a stack. So a part is one run of the result, and
 * parts one after another are the result. Nothing is merged.
 *
 * @module
 */

import type { Context } from "../../runner/face.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import type { MapPlan } from "../../views/map/facts.ts";
import { mapPlan } from "../../views/map/plan.ts";
import type { PartStore } from "../store/store.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { Data } from "../manifest/values.ts";
import { openedAgain } from "./common.ts";
import { pieces } from "./pieces.ts";
import { operationAgain, type PlannedMap, viewsManifest } from "./views_manifest.ts";

/** Rows of an image in a unit are a multiple of this: tiles have as many by default. */
const ROWS = 256;

/**
 * The manifest of a planned operation, and the arrays that it names. Errors: `unsupported` for joined arrays, for functions,
 * and for results that are not arrays.
 */
export async function mapManifest(planned: PlannedMap): Promise<{ manifest: ClusterManifest; data: Data }> {
  return await viewsManifest(planned, { kind: "map", work: workIn(planned.plan) });
}

/** The dimension along which a result is cut: the first with more than one sample, but whole rows. */
export function cutDimension(shape: Shape): number {
  const first = shape.findIndex((size) => size > 1);
  return Math.max(0, Math.min(first < 0 ? shape.length : first, shape.length - 2));
}

/** The cut of a result; it depends on its shape and type only. */
export function workIn({ shape, dtype, views: { array } }: MapPlan): ClusterManifest["work"] {
  const d = cutDimension(shape);
  const row = sizeOf(shape.slice(d + 1)) * dtypeInfo(dtype).itemSize;
  const rows = sizeOf(shape) === 0 ? 0 : shape[d] ?? 1;
  const multiple = d === shape.length - 2 ? ROWS : 1;
  return pieces(rows, row, multiple, sizeOf(array.shape) * dtypeInfo(array.dtype).itemSize);
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
