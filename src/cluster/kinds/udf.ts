/**
 * Runs of UDFs, part by part; their manifest, from a plan, and the plan, from a manifest.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { BUILTIN, modulesOf, type UdfRef } from "../../udf/interface/udf_ref.ts";
import { objectsOf } from "../../udf/buffers/object_results.ts";
import type { Params } from "../../udf/interface/params.ts";
import type { PlanOptions } from "../../udf/plan/plan.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { PreparedUdf } from "../../udf/plan/plan_udf.ts";
import { cutOf } from "../../udf/plan/units.ts";
import type { Progress } from "../../udf/plan/run_facts.ts";
import { ResultStore } from "../../udf/results/results.ts";
import { Assembly, computePartial, mergeRanges } from "../../udf/run/partial.ts";
import { udfPlan } from "../../udf/run/plan.ts";
import { sourcesRead } from "../../udf/run/sources_read.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import type { Json } from "../manifest/json.ts";
import type { ClusterManifest, ResultLayout } from "../manifest/manifest.ts";
import { dataReader } from "../manifest/read.ts";
import { type Data, frozen, thawed } from "../manifest/values.ts";
import { commonFacts, mustBeListed, type Opened, openedAgain } from "./common.ts";
import { type Made, type Opening, type Parted, settingsOf } from "./parted.ts";
import { contentOf, partialOf } from "./udf_part.ts";

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

/** A run of UDFs. */
export interface UdfParts extends Parted {
  /** The plan of the whole run. */
  readonly plan: UdfPlan;
}

/** The parts of a plan. */
export function udfParts(plan: UdfPlan): UdfParts {
  const merged = (nodes: readonly Made[], signal?: AbortSignal) =>
    mergeRanges(
      plan,
      nodes.map(({ start, read }) => ({ start, read: async () => partialOf(await read(), plan).merged })),
      signal,
    );
  return {
    plan,
    cut: cutOf(plan),
    inputs: () => identitiesOf(sourcesRead(plan)),
    async compute({ name, start, stop }, control) {
      try {
        const settings = settingsOf(control, ({ frames }: Progress) => frames);
        return contentOf(await computePartial(plan, { start, stop }, settings));
      } catch (error) {
        throw inNode(error, name);
      }
    },
    async join(children, { signal }) {
      return contentOf({ partitions: [], merged: await merged(children, signal) ?? [] });
    },
    /** Units give the rows of positions, roots the merged buffers. */
    async results({ units, roots }, { signal, onProgress }) {
      const assembly = new Assembly(plan);
      let done = 0;
      for (const { frames, read } of units) {
        assembly.add(partialOf(await read(), plan));
        onProgress?.(done += frames);
      }
      return assembly.results(await merged(roots, signal));
    },
  };
}

/** The run of a manifest. */
export async function openUdfs({ store, manifest, context, signal }: Opening): Promise<UdfParts> {
  const read = dataReader(store);
  const dataset = await openedAgain(store, manifest, signal);
  const what = manifest.what as unknown as What;
  const udfs = await Promise.all(what.udfs.map(async ({ params, key, ...ref }) => {
    return [key, { ...ref, params: await thawed(params, read) as Params }] as const;
  }));
  mustBeListed(manifest, udfs.flatMap(([, ref]) => modulesOf(ref)));
  const given = await thawed(what.options, read) as PlanOptions;
  return udfParts(
    await udfPlan(dataset, Object.fromEntries(udfs), {
      ...given,
      ...(context ? { context } : {}),
      ...(signal ? { signal } : {}),
    }),
  );
}

function inNode(error: unknown, node: string): unknown {
  if (!isTilewiseError(error)) return error;
  const { code, message, details, cause } = error;
  return new TilewiseError(code, message, { ...details, node }, { cause });
}
