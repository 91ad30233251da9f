/**
 * Runs of UDFs, part by part; their manifest, from a plan, and the plan, from a manifest.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { BUILTIN, modulesOf, type Params, type UdfRef } from "../../udf/interface/udf_ref.ts";
import { objectsOf } from "../../udf/buffers/object_results.ts";
import type { PlanOptions } from "../../udf/plan/plan.ts";
import type { Progress, UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { PreparedUdf } from "../../udf/plan/plan_udf.ts";
import { cutOf } from "../../udf/plan/units.ts";
import { ResultStore } from "../../udf/results/results.ts";
import {
  Assembly,
  computePartial,
  mergeRanges,
  type Partial,
  type PartitionBuffers,
} from "../../udf/run/partial.ts";
import { udfPlan } from "../../udf/run/plan.ts";
import { sourcesRead } from "../../udf/run/run_state.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import type { ClusterManifest, ResultLayout } from "../manifest/manifest.ts";
import { manifestFor, mustBeListed, type NamedData, type Opened, openedAgain, whatOf } from "./common.ts";
import { type Content, type Made, misfit, type Opening, type Parted, settingsOf } from "./parted.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { AllBuffers } from "../../udf/buffers/object_buffers.ts";
import { type JsonValue, ObjectRows } from "../../udf/interface/objects.ts";
import { nodeName } from "../store/node.ts";
import type { Part } from "../store/part.ts";

/** What a run is planned from, beside the plan. */
interface Planned extends Opened {
  /** The plan. */
  readonly plan: UdfPlan;
  /** How the run was planned. */
  readonly options: PlanOptions;
  /** The command, if there was one. */
  readonly command?: ClusterManifest["command"];
}

/** What is computed: the UDFs with their keys, and options of their plan. */
interface What {
  readonly udfs: readonly (Pick<UdfRef, "name" | "module" | "export"> & Pick<PreparedUdf, "key"> & {
    readonly params: Params;
  })[];
  readonly options: PlanOptions;
}

/** The options of a plan that decide bits or the cut into partitions. */
const OPTIONS = ["corrections", "partitions", "tileBytes", "cull", "backends"] as const;

/**
 * The manifest of a planned run, and the arrays that it names. Errors: `udf` for a closure, `unsupported` for parameters
 * or samples that cannot travel.
 */
export async function udfManifest(planned: Planned): Promise<NamedData> {
  const { plan, options } = planned;
  const refs = plan.udfs.map(travellingRef);
  const chosen = OPTIONS.flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]] as const]
  );
  const { mask } = plan.roi;
  return await manifestFor("udf", planned, {
    packs: plan.packs,
    modules: refs.flatMap(({ ref }) => modulesOf(ref)),
    inputs: await identitiesOf(sourcesRead(plan)),
    what: {
      udfs: refs.map(({ key, ref: { name, module, export: exported, params } }) => {
        return { key, name, module, export: exported, params };
      }),
      options: { ...Object.fromEntries(chosen), ...(mask ? { roi: mask } : {}) },
    },
    results: layoutOf(plan),
    work: cutOf(plan),
  });
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
interface UdfParts extends Parted {
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
  const dataset = await openedAgain(store, manifest, signal);
  const { udfs, options } = await whatOf<What>(store, manifest);
  mustBeListed(manifest, udfs.flatMap((ref) => modulesOf(ref)));
  const refs = Object.fromEntries(udfs.map(({ key, ...ref }) => [key, ref]));
  return udfParts(await udfPlan(dataset, refs, { ...options, ...defined({ context, signal }) }));
}

function inNode(error: unknown, node: string): unknown {
  if (!isTilewiseError(error)) return error;
  const { code, message, details, cause } = error;
  return new TilewiseError(code, message, { ...details, node }, { cause });
}

// Parts of runs of UDFs: the merged buffers, and rows per position, as arrays with names.
//
// ```
// merged/0/intensity      UDF 0: its buffer "intensity", merged over the node
// 3/1/shift               piece 3 (one partition), UDF 1: rows of its nav buffer "shift"
// ```

/** Object buffers as JSON. */
type Objects = Readonly<Record<string, readonly JsonValue[]>>;

/** What a part says beside arrays. */
interface Values {
  readonly partitions: readonly (Pick<PartitionBuffers, "partition" | "start" | "stop"> & {
    readonly objects: readonly Objects[];
  })[];
  readonly merged: readonly Objects[];
}

/** What is in a part with these results. */
function contentOf({ partitions, merged }: Partial): Content {
  const arrays: Record<string, TypedArray> = {};
  const add = (prefix: string, udfs: readonly AllBuffers[]) => {
    for (const [u, { buffers }] of udfs.entries()) {
      for (const [name, array] of Object.entries(buffers)) arrays[`${prefix}/${u}/${name}`] = array;
    }
  };
  partitions.forEach(({ udfs }, i) => add(String(i), udfs));
  add("merged", merged);
  const values: Values = {
    partitions: partitions.map(({ partition, start, stop, udfs }) => ({
      partition,
      start,
      stop,
      objects: udfs.map(objectsIn),
    })),
    merged: merged.map(objectsIn),
  };
  return { arrays, values };
}

function objectsIn({ objects }: AllBuffers): Objects {
  return Object.fromEntries(Object.entries(objects).map(([name, { values }]) => [name, values]));
}

/** The results in a part. Errors: `malformed` for a part that does not fit the plan. */
function partialOf(part: Part, plan: UdfPlan): Partial {
  const { partitions, merged } = part.values as Values;
  if (!Array.isArray(partitions) || !Array.isArray(merged)) {
    throw misfit(nodeName(part.node), "it has no partitions");
  }
  const read = (prefix: string, objects: readonly Objects[]): AllBuffers[] =>
    objects.map((values, u) => ({
      buffers: arraysUnder(part, `${prefix}/${u}/`),
      objects: rowsOf(values, plan, u),
    }));
  for (const objects of [merged, ...partitions.map((one) => one.objects)]) {
    const wanted = plan.udfs.length;
    if (objects.length !== 0 && objects.length !== wanted) {
      throw misfit(nodeName(part.node), `it has ${objects.length} UDFs`);
    }
  }
  return {
    partitions: partitions.map(({ partition, start, stop, objects }, i) => ({
      partition,
      start,
      stop,
      udfs: read(String(i), objects),
    })),
    merged: read("merged", merged),
  };
}

function arraysUnder({ arrays }: Part, prefix: string): Record<string, TypedArray> {
  const own = Object.entries(arrays).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, array]) => [name.slice(prefix.length), array]));
}

function rowsOf(objects: Objects, { set }: UdfPlan, u: number): AllBuffers["objects"] {
  const plans = set.objects[u] ?? [];
  return Object.fromEntries(
    Object.entries(objects).map(([name, list]) => {
      const entry = plans.find((plan) => plan.name === name)?.entry ?? 1;
      return [name, new ObjectRows([...list], 0, list.length / entry, entry)];
    }),
  );
}
