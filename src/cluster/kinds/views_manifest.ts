/**
 * What manifests of operations over views have in common: the operation, its options, and what they need.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import { sourcesOfArray } from "../../views/array.ts";
import { borderModules } from "../../views/extend.ts";
import type { MapPlan } from "../../views/map/map_plan.ts";
import type { MapPlanOptions } from "../../views/map/plan.ts";
import { stepsOf } from "../../views/operations/chain.ts";
import type { AxesInput } from "../../views/chain/dimensions.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import type { ClusterManifest, RunKind } from "../manifest/manifest.ts";
import type { PartStore } from "../store/store.ts";
import { manifestFor, mustBeListed, type NamedData, type Opened, whatOf } from "./common.ts";

/** How an operation over views was planned. */
export type ViewOptions = Pick<MapPlanOptions, "radius" | "border" | "fill" | "tile" | "axes">;

/** What a run over views is planned from, beside the plan. */
export interface PlannedMap extends Opened {
  /** The plan. */
  readonly plan: MapPlan;
  /** How it was planned. */
  readonly options: ViewOptions;
  /** The command, if there was one. */
  readonly command?: ClusterManifest["command"];
}

/** What is computed. */
interface What {
  readonly operation: ViewOperation;
  readonly options: ViewOptions;
}

/** How a run is cut, and what its manifest says beside the operation. */
interface Cut {
  /** Its kind. */
  readonly kind: RunKind;
  /** The units. */
  readonly work: ClusterManifest["work"];
  /** More of what is computed. */
  readonly more?: object;
}

/**
 * The manifest of a planned operation, and the arrays that it names. Errors: `unsupported` for joined arrays, for functions,
 * and for results that are not arrays.
 */
export async function viewsManifest(
  planned: PlannedMap,
  { kind, work, more = {} }: Cut,
): Promise<NamedData> {
  const { plan, options: { radius, border, fill, tile, axes = axesOf(planned.plan) } } = planned;
  const { operation, views: { array, borders }, shape, dtype } = plan;
  mustTravel(plan);
  const { name, operation: entry, params, modules = [] } = operation;
  return await manifestFor(kind, planned, {
    packs: plan.packs,
    modules: [...modules, ...borderModules(borders)],
    inputs: await identitiesOf(sourcesOfArray(array)),
    what: {
      operation: { name, operation: entry, params: withoutWork(params), modules },
      options: defined({ radius, border, fill, tile, axes }),
      ...more,
    },
    results: [{ of: name, name: "result", dtype, shape }],
    work,
  });
}

/** Along which dimensions a plan looks. */
function axesOf({ operation }: MapPlan): AxesInput {
  return stepsOf(operation).find(({ along }) => along)?.along?.dims ?? "all";
}

function mustTravel({ operation, views: { array }, shape, facts }: MapPlan): void {
  const fail = (what: string): never => {
    const text = `${operation.name} cannot be computed in parts on many machines: ${what}`;
    throw new TilewiseError("unsupported", text, { found: what });
  };
  if ("parts" in array) fail("it reads several arrays; write them as one file, or run it on one machine");
  if (operation.here) fail("it has a function of this program; export the function from a module");
  if (shape.length !== facts.tile.length) {
    fail("its result is not an array of samples; run it on one machine");
  }
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

/** The operation of a manifest and its options. Errors: `malformed` for modules that the manifest does not list. */
export async function operationAgain(
  store: PartStore,
  manifest: ClusterManifest,
): Promise<What> {
  const what = await whatOf<What>(store, manifest);
  mustBeListed(manifest, modulesIn([what.operation, what.options]));
  return what;
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
