/**
 * `tilewise run`: computes UDFs over a scan, with progress, files and pictures.
 *
 * @module
 */

import { HEADS } from "../shell/heads.ts";
import { writeFilesAtomic } from "../../io/write/write.ts";
import type { Plan } from "../../udf/plan/plan_facts.ts";
import { analysisHelp, analysisList } from "../analyses/analysis_help.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { compute } from "./compute.ts";
import { deliver } from "../outputs/deliver.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { LOOK_FLAGS, parseLook } from "../flags/look.ts";
import { namedResults, type NamesByUdf, resultNames } from "../outputs/named_results.ts";
import { manifestPath } from "../manifests/file.ts";
import { manifestFile } from "./manifest.ts";
import { outputPaths, prepareOutputs } from "../outputs/outputs.ts";
import { allFiles, type Outputs, partialPlace, refuseSameNames, sayPartial } from "../outputs/partial.ts";
import { RUN_FLAGS } from "../flags/run_flags.ts";
import { withPlan } from "./run_plan.ts";
import { resultFiles } from "../outputs/saving.ts";
import { interruptCode } from "../shell/signals.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const RUN: Verb = {
  ...HEADS.run,
  least: 2,
  flags: [...RUN_FLAGS, ...LOOK_FLAGS, ...SOURCE_FLAGS],
  notes: analysisList(),
  topic: analysisHelp,
  examples: [
    [
      "tilewise run com scan.mib --nav 256x256 -o com.npy",
      "Centre of mass; one .npy and .png for each result.",
    ],
    ["tilewise run sum annular:ri=40,ro=110 scan.mib -o results/", "Two results in one pass over the file."],
    ["tilewise run expr:'sum(sqrt(x))' scan.mib -o root.npy", "An expression of your own, compiled."],
    ["tilewise run strainmap:radius=6 scan.mib -o strain/", "Finds the lattice, fits it, maps the strain."],
    ["tilewise run ./mine.ts scan.mib --dry-run", "What would be read and how much memory it would take."],
  ],
  source: ({ positionals }) => positionals.at(-1),
  writes: (args) => args.has("output") && !args.has("dry-run"),
  run: computeVerb,
};

async function computeVerb(args: Arguments, io: CliIo): Promise<number> {
  const look = parseLook(args);
  return await withPlan(args, io, async ({ plan, names, finish }) => {
    if (args.has("dry-run")) return explain(plan, args.positionals.at(-1)!, args, io);
    const outputs = await preparedPaths(args.text("output"), names, args);
    const { results: computed, partial } = await compute(plan, args, io, { keeps: outputs !== undefined });
    const results = await finish(computed);
    const named = namedResults(results);
    if (!outputs) {
      for (const one of named) deliver(one, { files: [] }, plan.dataset, args, io);
      return 0;
    }
    const place = partial ? partialPlace(outputs) : outputs;
    const files = resultFiles(named, place.paths, plan.dataset, look);
    const manifest = await manifestFile(place.manifest, plan, results, named, files, args, partial);
    await writeFilesAtomic(new Set([...[...files.values()].flat(), manifest]));
    if (partial) sayPartial(partial, outputs, place, io);
    for (const one of named) {
      const saved = files.get(one.label) ?? [];
      deliver(one, { files: saved, manifest: place.manifest, partial }, plan.dataset, args, io);
    }
    if (!args.has("json")) outTable(io, [["manifest", place.manifest]]);
    return partial ? interruptCode(io.signal) : 0;
  });
}

function explain(plan: Plan, source: string, args: Arguments, io: CliIo): number {
  const { bytesToRead, peakBytes, partitions, scheme } = plan;
  if (args.has("json")) {
    const summary = { bytesToRead, peakBytes, partitions: partitions.length, tileShape: scheme.tileShape };
    outJson(io, { source, ...summary, explain: plan.explain() });
  } else io.out(plan.explain().split("\n").map((line) => printable(line) + "\n").join(""));
  return 0;
}

/** The path of each result, checked before any work is done. */
async function preparedPaths(
  out: string | undefined,
  names: NamesByUdf,
  args: Arguments,
): Promise<Outputs | undefined> {
  if (out === undefined) return undefined;
  if (out === "-") throw new UsageError("run cannot write to stdout; name a file or a folder after -o");
  const named = resultNames(names);
  refuseSameNames(named);
  const paths = await outputPaths(out, named);
  const outputs = { paths, manifest: manifestPath(out, paths.values().next().value) };
  const beside = [...allFiles(outputs), ...allFiles(partialPlace(outputs))];
  await prepareOutputs([...new Set(paths.values()), outputs.manifest], args, beside);
  return outputs;
}
