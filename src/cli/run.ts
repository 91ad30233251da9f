/**
 * `tilewise run`: computes UDFs over a scan, with progress, files and pictures.
 *
 * @module
 */

import type { Plan } from "../udf/plan.ts";
import { analysisHelp, analysisList } from "./analysis_help.ts";
import { type Arguments, UsageError } from "./args.ts";
import { compute } from "./compute.ts";
import { deliver } from "./deliver.ts";
import { type CliIo, outJson, outTable } from "./io.ts";
import { LOOK_FLAGS, parseLook } from "./look.ts";
import { namedResults, type NamesByUdf, resultNames } from "./named_results.ts";
import { outputPaths, prepareOutputs, saveResults } from "./outputs.ts";
import { makeManifest, writeManifest } from "./manifest.ts";
import { RUN_FLAGS } from "./run_flags.ts";
import { withPlan } from "./run_plan.ts";
import { SOURCE_FLAGS } from "./source_flags.ts";
import type { Verb } from "./verb.ts";

/** The verb. */
export const RUN: Verb = {
  name: "run",
  summary: "computes analyses (UDFs) over a scan, all in one pass",
  usage: "UDF… SOURCE",
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
  run: computeVerb,
};

async function computeVerb(args: Arguments, io: CliIo): Promise<number> {
  const look = parseLook(args);
  return await withPlan(args, io, async ({ plan, names, finish }) => {
    if (args.has("dry-run")) return explain(plan, args.positionals.at(-1)!, args, io);
    const outputs = await preparedPaths(args.text("output"), names);
    const { results: computed, isPartial } = await compute(plan, args, io);
    const results = await finish(computed);
    const named = namedResults(results);
    const made = outputs && !isPartial ? await makeManifest(plan, results, args) : undefined; // it looks at the inputs
    const files = outputs
      ? await saveResults(named, outputs, plan.dataset, look)
      : new Map<string, string[]>();
    const manifest = made ? await writeManifest(made, named, files, args) : undefined;
    for (const one of named) {
      const saved = { files: files.get(one.label) ?? [], ...(manifest === undefined ? {} : { manifest }) };
      deliver(one, saved, plan.dataset, args, io);
    }
    if (manifest !== undefined && !args.has("json")) outTable(io, [["manifest", manifest]]);
    return isPartial ? 130 : 0;
  });
}

function explain(plan: Plan, source: string, args: Arguments, io: CliIo): number {
  const { bytesToRead, peakBytes, partitions, scheme } = plan;
  if (args.has("json")) {
    const summary = { bytesToRead, peakBytes, partitions: partitions.length, tileShape: scheme.tileShape };
    outJson(io, { source, ...summary, explain: plan.explain() });
  } else io.out(plan.explain() + "\n");
  return 0;
}

/** Where each result goes, checked before any work is done. */
async function preparedPaths(
  out: string | undefined,
  names: NamesByUdf,
): Promise<Map<string, string> | undefined> {
  if (out === undefined) return undefined;
  if (out === "-") throw new UsageError("run cannot write to stdout; name a file or a folder after -o");
  const paths = await outputPaths(out, resultNames(names));
  await prepareOutputs(paths.values());
  return paths;
}
