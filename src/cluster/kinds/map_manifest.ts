/**
 * The manifest of an operation over views, from a plan; and the plan, from a manifest.
 *
 * A unit is a stretch of rows of the result: rows of an image, planes of a stack. So a part is one run of the result, and
 * parts one after another are the result. Nothing is merged.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/face.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { sourcesOfArray } from "../../views/array.ts";
import { borderModules } from "../../views/border_function.ts";
import type { MapPlan } from "../../views/map/facts.ts";
import { mapPlan, type MapPlanOptions } from "../../views/map/plan.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { PartStore } from "../store/store.ts";
import type { Json } from "../manifest/json.ts";
import type { RunManifest, Unit } from "../manifest/manifest.ts";
import { dataReader } from "../manifest/read.ts";
import { type Data, frozen, thawed } from "../manifest/values.ts";
import { commonFacts, mustBeListed, type Opened, openedAgain } from "./common.ts";

const MiB = 2 ** 20;

/** Rows of an image in a unit are a multiple of this: tiles have as many by default. */
const ROWS = 256;

/** Units that a run should have while they are small. */
const WANTED_UNITS = 64;

/** Bytes of a part beyond which units are not made larger than they must be. */
const LARGE_UNIT = 64 * MiB;

/** Most units. */
const MOST_UNITS = 4096;

/** What is computed. */
interface What {
  readonly operation: Json;
  readonly options: Json;
}

/** What a run over views is planned from, beside the plan. */
export interface PlannedMap extends Opened {
  /** The plan. */
  readonly plan: MapPlan;
  /** How it was planned. */
  readonly options: Pick<MapPlanOptions, "radius" | "border" | "fill" | "tile">;
  /** The command, if there was one. */
  readonly command?: RunManifest["command"];
}

/**
 * The manifest of a planned operation, and the arrays that it names. Errors: `unsupported` for joined arrays, for functions,
 * and for results that are no arrays.
 */
export async function mapManifest(planned: PlannedMap): Promise<{ manifest: RunManifest; data: Data }> {
  const { plan, options: { radius, border, fill, tile }, command } = planned;
  const { operation, views: { array, borders }, shape, dtype } = plan;
  const data: Data = new Map();
  mustTravel(plan);
  const { name, operation: entry, params, modules = [] } = operation;
  const given = { radius, border, fill, tile };
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const what: What = {
    operation: await frozen({ name, operation: entry, params: withoutWork(params), modules }, data),
    options: await frozen(chosen, data),
  };
  const needs = {
    packs: plan.packs,
    modules: [...modules, ...borderModules(borders)],
    sources: sourcesOfArray(array),
  };
  const manifest: RunManifest = {
    ...await commonFacts("map", planned, needs, data),
    what: what as unknown as Json,
    results: [{ of: name, name: "result", dtype, shape }],
    work: workIn(plan),
    ...(command ? { command } : {}),
  };
  return { manifest, data };
}

function mustTravel({ operation, views: { array }, shape, facts }: MapPlan): void {
  const fail = (what: string): never => {
    const text = `${operation.name} cannot be computed in parts on many machines: ${what}`;
    throw new TilewiseError("unsupported", text, { found: what });
  };
  if ("parts" in array) fail("it reads several arrays; write them as one file, or run it on one machine");
  if (operation.here) fail("it has a function of this program; export the function from a module");
  if (shape.length !== facts.tile.length) fail("its result is no array of samples; run it on one machine");
}

/** Parameters without what was done before they could travel. */
function withoutWork(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWork);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) =>
    key !== "prepare" || typeof inner !== "function"
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutWork(inner)]));
}

/** The dimension along which a result is cut: the first with more than one sample, but whole rows. */
export function cutDimension(shape: Shape): number {
  const first = shape.findIndex((size) => size > 1);
  return Math.max(0, Math.min(first < 0 ? shape.length : first, shape.length - 2));
}

/** The cut of a result; it depends on its shape and type only. */
export function workIn({ shape, dtype, views: { array } }: MapPlan): RunManifest["work"] {
  const d = cutDimension(shape);
  const row = sizeOf(shape.slice(d + 1)) * dtypeInfo(dtype).itemSize;
  const rows = shape[d] ?? 1;
  const total = rows * row;
  const wanted = Math.max(Math.min(total / WANTED_UNITS, LARGE_UNIT), total / MOST_UNITS);
  const multiple = d === shape.length - 2 ? ROWS : 1;
  const leaf = multiple * Math.max(1, Math.round(wanted / Math.max(1, row * multiple)));
  const units = Array.from({ length: sizeOf(shape) === 0 ? 0 : Math.ceil(rows / leaf) }, (_, i): Unit => {
    return [0, i, Math.min(rows, (i + 1) * leaf) - i * leaf];
  });
  const bytes = sizeOf(array.shape) * dtypeInfo(array.dtype).itemSize;
  return { leaf, bytes, units, fanIn: Math.max(16, units.length) }; // nothing is merged: there are no joins
}

/** The URLs of modules that operations and borders name, however deep they lie. */
function modulesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  if (Array.isArray(value)) return value.flatMap(modulesIn);
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "module" && typeof inner === "string") return [inner];
    return key === "modules" && Array.isArray(inner) ? inner.map(String) : modulesIn(inner);
  });
}

/** The plan of a manifest in `context`; the source is opened. */
export async function plannedAgain(
  store: PartStore,
  manifest: RunManifest,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<MapPlan> {
  const dataset = await openedAgain(store, manifest, signal);
  const what = manifest.what as unknown as What;
  const read = dataReader(store);
  const operation = await thawed(what.operation, read) as ViewOperation;
  const options = await thawed(what.options, read) as MapPlanOptions;
  mustBeListed(manifest, modulesIn([operation, options]));
  return await mapPlan("map", dataset, operation, {
    ...options,
    blocks: "tiles",
    ...(context ? { context } : {}),
  });
}
