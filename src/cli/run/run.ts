/**
 * `tilewise run`: computes UDFs over a scan, with progress, files and pictures.
 *
 * @module
 */

import { plannedResults, resultInWords } from "../../udf/results/result_facts.ts";
import { HEADS } from "../shell/heads.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import { ANALYSES } from "../../analyses/words.ts";
import { analysisHelp, analysisList } from "../analyses/analysis_help.ts";
import { type Arguments, storeFlag } from "../shell/args.ts";
import { compute } from "./compute.ts";
import { type CliIo, outPlan } from "../shell/io.ts";
import { AS_FLAG, SEVERAL_FLAGS } from "../shell/several.ts";
import { LOOK_FLAGS, parseLook } from "../flags/look.ts";
import { OUT_DTYPE_FLAG, outDtype } from "../flags/out_dtype.ts";
import { FORECAST_FLAGS, RUN_FLAGS, STORE_FLAGS } from "../flags/run_flags.ts";
import { RUN_SOURCES } from "./in_parts.ts";
import { withPlan } from "./run_plan.ts";
import { deliverAll, preparedPaths } from "./deliver_all.ts";
import { interruptCode } from "../shell/signals.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const RUN: Verb = {
  ...HEADS.run,
  least: 2,
  flags: [
    ...RUN_FLAGS,
    ...SEVERAL_FLAGS,
    AS_FLAG,
    OUT_DTYPE_FLAG,
    ...STORE_FLAGS,
    ...FORECAST_FLAGS,
    ...LOOK_FLAGS,
    ...SOURCE_FLAGS,
  ],
  words: Object.fromEntries(
    ANALYSES.flatMap(({ name, aliases = [], help }) => [name, ...aliases].map((word) => [word, help])),
  ),
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
    [
      "tilewise run com scan.mib --store dir:/scratch/run7 --shard 3/16",
      "One of 16 shards, on any machine; tilewise merge makes the results.",
    ],
    [
      "tilewise run sumsig a.dm4 b.dm4 c.dm4 --stack -o sums.npy",
      "Files of one shape as one series: a number for each of their frames.",
    ],
    [
      "tilewise run com scans/ --each -o maps/",
      "Every scan of a folder, with a folder of results each.",
    ],
    ["tilewise run ./mine.ts scan.mib --dry-run", "What would be read and how much memory it would take."],
  ],
  several: RUN_SOURCES,
  source: ({ positionals }) => positionals.at(-1),
  writes: (args) => args.has("output") && !args.has("dry-run"),
  run: computeVerb,
};

async function computeVerb(args: Arguments, io: CliIo): Promise<number> {
  if (storeFlag(args)) {
    return await (await import("./stored.ts")).storedUdfs(args, io);
  }
  if (args.has("storage-rate")) return await (await import("./forecast.ts")).forecastRun(RUN, args, io);
  parseLook(args); // refused before anything is computed
  return await withPlan(args, io, async ({ plan, names, finish }) => {
    const outputs = await preparedPaths(args.text("output"), plan, names, args);
    if (args.has("dry-run")) return explain(plan, plan.dataset.source, args, io);
    const { results: computed, partial } = await compute(plan, args, io, { keeps: outputs !== undefined });
    const results = await finish(computed);
    await deliverAll({ plan, results, outputs, command: args, partial }, args, io);
    return partial ? interruptCode(io.signal) : 0;
  });
}

function explain(plan: UdfPlan, source: string, args: Arguments, io: CliIo): number {
  const { bytesToRead, memory: { total: peakBytes }, partitions, scheme } = plan;
  const results = plannedResults(plan);
  const dtype = outDtype(args);
  const cast = dtype === undefined ? [] : [`written    as ${dtype}, the nearest samples`];
  const text = [plan.explain(), ...results.map(resultInWords), ...cast].join("\n");
  const mapped = plan.pages ? { mapped: plan.memory.window > 0 } : {};
  const cut = { partitions: partitions.length, tileShape: scheme.tileShape };
  return outPlan({ args, io }, { source, bytesToRead, peakBytes, ...cut, ...mapped, results }, text);
}
