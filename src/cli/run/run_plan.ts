/**
 * Turns the arguments of `run` into a plan: opens the source and makes the UDFs, with a first pass if they need one.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import type { RoiInput } from "../../dataset/roi/roi.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { processors } from "../../portable.ts";
import { castArray } from "../../sinks/arrays/cast.ts";
import { mustCast } from "../../space/cast.ts";
import type { DType } from "../../space/dtype.ts";
import { parseBytes } from "../../space/size.ts";
import type { Results, UdfResult } from "../../udf/interface/buffer_types.ts";
import { objectsOf, withObjects } from "../../udf/buffers/object_results.ts";
import { createContext } from "../../runner/context.ts";
import type { CorrectionsInput } from "../../udf/plan/corrections.ts";
import type { PlanProgress } from "../../udf/interface/making.ts";
import type { PlanOptions } from "../../udf/plan/plan.ts";
import { udfPlan } from "../../udf/run/plan.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { UdfRef } from "../../udf/interface/udf_ref.ts";
import type { AnalysisContext, Made } from "../../analyses/analysis.ts";
import type { Arguments } from "../shell/args.ts";
import { compute } from "./compute.ts";
import { type CliIo, oneLine, outJson } from "../shell/io.ts";
import { type NamesByUdf, plannedNames } from "../outputs/named_results.ts";
import { isGranted } from "../shell/permissions.ts";
import { withBar } from "../shell/progress.ts";
import { parseCorrections, regionOfInterest } from "../inputs/run_inputs.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { openOptions } from "../flags/source_flags.ts";
import { openAsked, showWarnings } from "../inputs/sources.ts";
import { partsIn } from "../shell/several.ts";
import { stallOf, threadsFor } from "../shell/threads.ts";
import { makeUdfs, modulesIn, namedFiles, type UdfWord } from "../analyses/udf_args.ts";
import { checkedUdfs, cutOptions, RUN_SOURCES } from "./in_parts.ts";

/** A plan, and what to do with its results. */
export interface Planned {
  /** What was opened and how, and how it was planned: what another machine needs to plan the same. */
  readonly from: { readonly source: string; readonly open: OpenOptions; readonly options: PlanOptions };
  /** The plan. */
  readonly plan: UdfPlan;
  /** Whether a first pass over the data comes before it. */
  readonly waits: boolean;
  /** The names of the results that {@link finish} gives, before the run. */
  readonly names: NamesByUdf;
  /** Makes the requested results from those of the run; ends the context, as nothing else will run in it. */
  finish(results: Results): Promise<Results>;
}

/** Calls `body` with the plan for the arguments of `run`, in a context that ends with it. */
export async function withPlan<T>(
  args: Arguments,
  io: CliIo,
  body: (planned: Planned) => Promise<T>,
  keep: FirstPass = (_, compute) => compute(),
): Promise<T> {
  const { sources } = partsIn(args, RUN_SOURCES);
  const words = checkedUdfs(args); // refused before anything is opened
  for (const path of words.flatMap(namedFiles)) {
    if (isGranted({ name: "read", path })) args.inputs.add(path); // a file that may not be read cannot be written either
  }
  const memory = args.value("memory", parseBytes);
  const options = openOptions(args, io.signal);
  const roi = await regionOfInterest(args);
  const dataset = await openAsked(sources, args, options);
  showWarnings(dataset, args, io);
  const workers = workersFor(words, args) ?? threadsFor(args, io, dataset.byteLength);
  const stallTimeout = stallOf(args);
  if (words.some((word) => modulesIn(word).length > 0)) await io.watch?.(stallTimeout);
  await using context = createContext({
    ...defined({ memory, workers }),
    map: args.has("map"),
    stallTimeout,
  });
  const chosen = { ...await selection(args, dataset, roi), context };
  const facts = factsFor(dataset, chosen, args, io, keep);
  const plannedAfter = async (firstPass: AnalysisContext["firstPass"]) => {
    const made = await makeUdfs(words, { ...facts, firstPass });
    const refs = Object.fromEntries(Object.entries(made).map(([key, { ref }]) => [key, ref]));
    const plan = await planned(dataset, refs, chosen, args, io);
    mustBeCast(plan, made, outDtype(args));
    return { made, plan };
  };
  let waits = false; // for a first pass
  const checked = async () => { // a plan that is not used is not kept
    const found = await plannedAfter(() => (waits = true, Promise.resolve(undefined)));
    return waits && !args.has("dry-run") ? undefined : found;
  };
  const { made, plan } = await checked() ?? await plannedAfter(facts.firstPass);
  if (waits && args.has("dry-run")) {
    const text = "a first pass comes before this; the plan has something in place of what it finds";
    facts.tell(text, { firstPass: true });
  }
  const none = plan.roi.count === 0 && dataset.frames > 0 ? ["--roi selects no position of the scan"] : [];
  const { pages, memory: { window } } = plan;
  const read = pages && window === 0 ? [`files are read, not mapped: ${pages.why}`] : [];
  showWarnings({ source: dataset.source, warnings: [...plan.warnings, ...none, ...read] }, args, io);
  const finish = async (results: Results) => {
    await context[Symbol.asyncDispose](); // frees the memory of the workers before results are shown and saved
    return await finished(results, made, outDtype(args));
  };
  const from = { source: sources[0]!, open: options, options: chosen };
  return await body({ plan, names: namesOf(plan, made), finish, from, waits });
}

/** The plan of a run; long planning shows its progress and can be interrupted. */
async function planned(
  dataset: StoredDataset,
  refs: Readonly<Record<string, UdfRef>>,
  options: PlanOptions,
  args: Arguments,
  io: CliIo,
): Promise<UdfPlan> {
  return await withBar("plan", { args, io }, (bar) => {
    const onProgress = ({ key, done }: PlanProgress) =>
      bar.note(`${key}: masks and tables, ${Math.floor(100 * done)} %`);
    return udfPlan(dataset, refs, { ...options, signal: io.signal, onProgress });
  });
}

/** Code of users runs on workers even for small data, as a hanging worker can be stopped. */
function workersFor(words: readonly UdfWord[], args: Arguments): number | undefined {
  const isForeign = words.some(({ module }) => module !== undefined);
  return isForeign && !args.has("workers") ? Math.min(8, processors()) : undefined;
}

/** The options of the plan for the selection of frames and pixels, and for partitions and tiles. */
async function selection(
  args: Arguments,
  dataset: StoredDataset,
  roi: RoiInput | undefined,
): Promise<PlanOptions> {
  const given = await parseCorrections(args, dataset);
  const corrections: CorrectionsInput | undefined = given ??
    (args.has("no-corrections") ? "none" : undefined);
  return {
    ...defined({ roi }),
    ...cutOptions(args),
    ...defined({ corrections }),
  };
}

/** The results of a first pass: computed, or from where they were kept. */
type FirstPass = (plan: UdfPlan, compute: () => Promise<UdfResult>) => Promise<UdfResult>;

/** What analyses may use to make UDFs. */
export function factsFor(
  dataset: StoredDataset,
  chosen: PlanOptions,
  args: Arguments,
  io: CliIo,
  keep: FirstPass,
): AnalysisContext {
  const firstPass = async (udf: UdfRef): Promise<UdfResult> => {
    const plan = await udfPlan(dataset, { udf }, chosen);
    return await keep(plan, async () => (await compute(plan, args, io, { name: "first pass" })).results.udf!);
  };
  return {
    dataset,
    firstPass,
    tell: (text, found) => {
      if (args.has("json")) outJson(io, { source: dataset.source, ...found });
      else if (!args.has("quiet")) io.err(`tilewise: ${oneLine(text)}\n`);
    },
    selects: chosen.roi !== undefined,
  };
}

/** The names of the results, before the run. */
export function namesOf(plan: UdfPlan, made: Readonly<Record<string, Made>>): NamesByUdf {
  const names = plannedNames(plan);
  const changed = Object.entries(made).flatMap(([key, { types }]) =>
    types ? [[key, { arrays: Object.keys(types), objects: [] }] as const] : []
  );
  return { ...names, ...Object.fromEntries(changed) };
}

/** The results of analyses, from those of UDFs. */
export async function finished(
  results: Results,
  made: Readonly<Record<string, Made>>,
  dtype: DType | undefined,
): Promise<Results> {
  const entries = Object.entries(results).map(async ([key, result]) => {
    made[key]?.judge?.(result);
    const whole = await made[key]?.finish?.(result) ?? result;
    return [key, dtype === undefined ? whole : castResult(key, whole, dtype)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Refuses a type that declared results cannot become, before the run. */
function mustBeCast(
  { udfs, set }: UdfPlan,
  made: Readonly<Record<string, Made>>,
  asked: DType | undefined,
): void {
  if (asked === undefined) return;
  for (const [u, { key }] of udfs.entries()) {
    const seen = set.udfs[u]!.filter(({ visible }) => visible).map(({ name, dtype }) =>
      [name, dtype] as const
    );
    const types = Object.entries(made[key]?.types ?? Object.fromEntries(seen));
    for (const [name, dtype] of types) mustCast(`${key}.${name}`, dtype, asked);
  }
}

/** All arrays of one UDF as arrays of `dtype`. */
function castResult(key: string, result: UdfResult, dtype: DType): UdfResult {
  const arrays = Object.entries(result).map(([name, array]) =>
    [name, castArray(`${key}.${name}`, array, dtype)] as const
  );
  return withObjects(Object.fromEntries(arrays), objectsOf(result));
}
