/**
 * The end of a run: results are saved, with pictures and a manifest beside them, and told. What there is of a run that was
 * interrupted lies beside an older, whole result, and does not replace it:
 *
 * ```
 * com.npy            com.run.json            out/sum.npy            out/sum.run.json
 * com.partial.npy    com.partial.run.json    out/sum.partial.npy    out/sum.partial.run.json
 * com.npz            com.npz.run.json
 * com.partial.npz    com.partial.npz.run.json
 * ```
 *
 * @module
 */

import { defined } from "../../options.ts";
import { writeFilesAtomic } from "../../io/write/write.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import { plannedResults } from "../../udf/results/result_facts.ts";
import { mustBeHeld } from "../../pictures/save.ts";
import type { PartialRun } from "../../udf/results/manifest.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { manifestPath } from "../manifests/file.ts";
import { deliver } from "../outputs/deliver.ts";
import { lossesSaved, lossesTogether } from "../outputs/losses.ts";
import {
  isArray,
  namedResults,
  type NamesByUdf,
  type ResultName,
  resultNames,
} from "../outputs/named_results.ts";
import { leftOver } from "../outputs/older_sets.ts";
import { mustBeSaved, outputPaths, prepareSet } from "../outputs/outputs.ts";
import { refuseInputs, refuseProtected, savedFiles } from "../outputs/safe_outputs.ts";
import { resultFiles } from "../outputs/saving.ts";
import type { Arguments } from "../shell/args.ts";
import { type CliIo, outTable, printable } from "../shell/io.ts";
import { manifestFile } from "./manifest.ts";
import { existsSync } from "node:fs";
import { TilewiseError } from "../../errors.ts";

/** What is delivered. */
interface Delivery {
  /** The plan of the run. */
  readonly plan: UdfPlan;
  /** The results, as analyses have made them. */
  readonly results: Results;
  /** Where they go; absent: they are only told. */
  readonly outputs: Outputs | undefined;
  /** The command that repeats the run, for its manifest. */
  readonly command: Arguments;
  /** What the results cover, if the run was interrupted. */
  readonly partial?: PartialRun | undefined;
}

/** Saves and tells the results. */
export async function deliverAll(delivery: Delivery, args: Arguments, io: CliIo): Promise<void> {
  const { plan, results, outputs, command, partial } = delivery;
  const named = namedResults(results);
  if (!outputs) {
    for (const one of named) deliver(one, { files: [] }, plan.dataset, args, io);
    return;
  }
  const place = partial ? partialPlace(outputs) : outputs;
  const files = resultFiles(named, place.paths, plan.dataset, args);
  const saved = await Promise.all(named.map(async (one) => ({
    ...one,
    ...(isArray(one) ? await lossesSaved(place.paths.get(one.label)!, one.array, outDtype(command)) : {}),
  })));
  const manifest = await manifestFile(place.manifest, plan, results, saved, files, command, partial);
  const all = new Set([...[...files.values()].flat(), manifest]);
  const set = { results: [...new Set(place.paths.values())], files: [...all].map(({ path }) => path) };
  await writeFilesAtomic(all, partial ? [] : await leftOver(set));
  if (partial) sayPartial(partial, outputs, place, io);
  for (const one of saved) {
    const { losses } = one;
    const where = { files: files.get(one.label) ?? [], manifest: place.manifest, partial };
    deliver(one, { ...where, ...defined({ losses }) }, plan.dataset, args, io);
  }
  if (!args.has("json")) outTable(io, [...lossesTogether(saved), ["manifest", place.manifest]]);
}

/** The path of each result, checked before any work is done. */
export async function preparedPaths(
  out: string | undefined,
  plan: UdfPlan,
  names: NamesByUdf,
  args: Arguments,
): Promise<Outputs | undefined> {
  if (out === undefined) return undefined;
  await mustBeSaved(out);
  const named = resultNames(names);
  refuseSameNames(named);
  const paths = await outputPaths(out, named);
  const dtype = outDtype(args);
  for (const one of plannedResults(plan)) {
    const { label } = named.find(({ udf, result }) => udf === one.udf && result === one.result) ?? {};
    if (label !== undefined) await mustBeHeld({ ...one, ...defined({ dtype }) }, paths.get(label)!);
  }
  const manifest = manifestPath(out, paths.values().next().value, Object.keys(names));
  const outputs = { paths, manifest };
  const results = [...new Set(paths.values())];
  await prepareSet({ results, files: allFiles(outputs) }, args);
  const partial = allFiles(partialPlace(outputs));
  await refuseInputs(partial, args);
  await refuseProtected(partial);
  return outputs;
}

/** Where the results of a run go. */
interface Outputs {
  /** The path of each result, by its label. */
  readonly paths: ReadonlyMap<string, string>;
  /** The path of the manifest. */
  readonly manifest: string;
}

/** The paths of results of an interrupted run. */
export function partialPlace({ paths, manifest }: Outputs): Outputs {
  const partial = (path: string) => path.replace(/(\.run)?\.\w+$/, ".partial$&");
  const named = [...paths.values()].find((path) => manifest === `${path}.run.json`);
  return {
    paths: new Map([...paths].map(([label, path]) => [label, partial(path)])),
    manifest: named === undefined ? partial(manifest) : `${partial(named)}.run.json`,
  };
}

/** Every file that a run writes there, or may write. */
function allFiles({ paths, manifest }: Outputs): string[] {
  const own = [...new Set(paths.values())];
  return [...own.flatMap(savedFiles), manifest];
}

/** Refuses results of which two would have the same name, as of `a.ts` with the result `b`, and `a-b.ts`. */
function refuseSameNames(named: readonly ResultName[]): void {
  const labels = named.map(({ label }) => label);
  const twice = labels.find((label, i) => labels.indexOf(label) !== i);
  if (twice === undefined) return;
  const text =
    `Cannot save two results as ${twice}: give one of the modules another name, or compute them in two commands`;
  throw new TilewiseError("invalid", text, { found: twice });
}

/** Reports how much was done, where it was saved, and that older results are unchanged. */
function sayPartial(
  { frames, framesTotal }: PartialRun,
  whole: Outputs,
  place: Outputs,
  io: CliIo,
): void {
  const [first] = place.paths.values();
  const old = [...whole.paths.values()].find((path) => existsSync(path));
  io.err(
    `tilewise: interrupted after about ${frames} of ${framesTotal} frames; the partial result is kept in ` +
      `${printable(first ?? place.manifest)}${old === undefined ? "" : `, ${printable(old)} is as it was`}\n`,
  );
}
