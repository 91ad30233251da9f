/**
 * The manifest of a run of UDFs, from a plan; and the plan, from a manifest.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/face.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { PlanOptions } from "../../udf/plan/plan.ts";
import { udfPlan } from "../../udf/run/plan.ts";
import type { PreparedUdf } from "../../udf/plan/plan_udf.ts";
import type { Params } from "../../udf/interface/params.ts";
import { BUILTIN, modulesOf, type UdfRef } from "../../udf/interface/udf_ref.ts";
import { cutOf } from "../../udf/plan/units.ts";
import { objectsOf } from "../../udf/buffers/object_results.ts";
import { ResultStore } from "../../udf/results/results.ts";
import { sourcesRead } from "../../udf/run/sources_read.ts";
import type { PartStore } from "../store/store.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import type { Json } from "../manifest/json.ts";
import type { ClusterManifest, ResultLayout } from "../manifest/manifest.ts";
import { dataReader } from "../manifest/read.ts";
import { type Data, frozen, thawed } from "../manifest/values.ts";
import { commonFacts, mustBeListed, type Opened, openedAgain } from "./common.ts";

/** What a run is planned from, beside the plan. */
export interface Planned extends Opened {
  /** The plan. */
  readonly plan: UdfPlan;
  /** How the run was planned. */
  readonly options: PlanOptions;
  /** The command, if there was one. */
  readonly command?: ClusterManifest["command"];
}

/** One UDF of the manifest. */
interface FrozenUdf {
  readonly key: string;
  readonly name: string;
  readonly module: string;
  readonly export: string;
  readonly params: Json;
}

/** What is computed. */
interface What {
  readonly udfs: readonly FrozenUdf[];
  readonly options: Json;
}

/** The options of a plan that decide bits or the cut into partitions. */
const OPTIONS = ["corrections", "partitions", "tileBytes", "cull", "backends"] as const;

/**
 * The manifest of a planned run, and the arrays that it names. Errors: `udf` for a closure, `unsupported` for parameters
 * or samples that cannot travel.
 */
export async function udfManifest(planned: Planned): Promise<{ manifest: ClusterManifest; data: Data }> {
  const { plan, command } = planned;
  const data: Data = new Map();
  const refs = plan.udfs.map(travellingRef);
  const needs = {
    packs: plan.packs,
    modules: refs.flatMap(({ ref }) => modulesOf(ref)),
    inputs: await identitiesOf(sourcesRead(plan)),
  };
  const manifest: ClusterManifest = {
    ...await commonFacts("udf", planned, needs, data),
    what: await frozenWhat(planned, refs, data) as unknown as Json,
    results: layoutOf(plan),
    work: cutOf(plan),
    ...(command ? { command } : {}),
  };
  return { manifest, data };
}

async function frozenWhat(
  { plan: { roi }, options }: Planned,
  refs: readonly Travelling[],
  data: Data,
): Promise<What> {
  const udfs = refs.map(async ({ key, ref: { name, module, export: exported, params } }) => ({
    key,
    name,
    module,
    export: exported,
    params: await frozen(params, data),
  }));
  const chosen = OPTIONS.flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]] as const]
  );
  const given = { ...Object.fromEntries(chosen), ...(roi.mask ? { roi: roi.mask } : {}) };
  return { udfs: await Promise.all(udfs), options: await frozen(given, data) };
}

interface Travelling {
  readonly key: string;
  readonly ref: UdfRef;
}

/** The reference from which other machines make a UDF: what the planner has made of it, unless a module says more. */
function travellingRef({ key, ref, given, udf, derivations }: PreparedUdf): Travelling {
  if (ref.inline) {
    const text =
      `The UDF "${udf.name}" cannot travel to other machines: it is a closure of this program; export it ` +
      "from a module, and give udf() its URL, or tilewise run its path";
    throw new TilewiseError("udf", text, { udf: udf.name });
  }
  if (derivations.length === 0) return { key, ref };
  const isOfModule = !given.derived && !given.prepare && given.module !== BUILTIN && given.module !== "";
  if (isOfModule) return { key, ref: given };
  const text =
    `The results of "${udf.name}" are derived by a function of this program, which cannot travel; export ` +
    "the derived UDF from a module";
  throw new TilewiseError("udf", text, { udf: udf.name });
}

function layoutOf(plan: UdfPlan): ResultLayout[] {
  const results = new ResultStore(plan).results(undefined, true);
  return Object.entries(results).flatMap(([of, result]) => [
    ...Object.entries(result).map(([name, { dtype, shape }]) => ({ of, name, dtype, shape })),
    ...Object.entries(objectsOf(result)).map(([name, { shape }]) => ({ of, name, dtype: "object", shape })),
  ]);
}

/** The plan of a manifest in `context`; the source is opened. */
export async function plannedAgain(
  store: PartStore,
  manifest: ClusterManifest,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<UdfPlan> {
  const read = dataReader(store);
  const dataset = await openedAgain(store, manifest, signal);
  const what = manifest.what as unknown as What;
  const udfs = await Promise.all(what.udfs.map(async ({ params, key, ...ref }) => {
    return [key, { ...ref, params: await thawed(params, read) as Params }] as const;
  }));
  mustBeListed(manifest, udfs.flatMap(([, ref]) => modulesOf(ref)));
  const given = await thawed(what.options, read) as PlanOptions;
  return await udfPlan(dataset, Object.fromEntries(udfs), {
    ...given,
    ...(context ? { context } : {}),
    ...(signal ? { signal } : {}),
  });
}
