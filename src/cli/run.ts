/**
 * `tilewise run`: computes UDFs over a scan, with progress, files and pictures.
 *
 * @module
 */

import type { Dataset } from "../dataset/dataset.ts";
import { isTilewiseError } from "../errors.ts";
import { open } from "../formats/open.ts";
import { terminalPicture } from "../pictures/terminal.ts";
import { limitsOf, numbersOf } from "../pictures/scale.ts";
import type { NdArray } from "../space/ndarray.ts";
import { showShape } from "../space/shape.ts";
import { parseBytes } from "../space/size.ts";
import { createContext } from "../udf/context.ts";
import type { CorrectionsInput } from "../udf/corrections.ts";
import { type Plan, plan as planRun } from "../udf/plan.ts";
import type { Results } from "../udf/results.ts";
import { dryRun, run as runPlan } from "../udf/run.ts";
import type { Part } from "../udf/run_state.ts";
import { type Arguments, UsageError } from "./args.ts";
import { type CliIo, outJson, outTable } from "./io.ts";
import {
  type NamedArray,
  namedArrays,
  outputPaths,
  prepareOutputs,
  resultPicture,
  saveResults,
} from "./outputs.ts";
import { writeManifest } from "./manifest.ts";
import { doneText, ProgressBar } from "./progress.ts";
import { parseCorrections, parseRoi, RUN_FLAGS } from "./run_flags.ts";
import { openOptions, showWarnings, SOURCE_FLAGS } from "./sources.ts";
import { parseUdfs, resolveUdfs, UDFS, type UdfWord } from "./udf_args.ts";
import type { Verb } from "./verb.ts";

/** The verb. */
export const RUN: Verb = {
  name: "run",
  summary: "computes UDFs over a scan",
  usage: "UDF… SOURCE",
  least: 2,
  flags: [...RUN_FLAGS, ...SOURCE_FLAGS],
  notes: [
    "UDFs, with parameters as in annular:cy=64,cx=64,ri=20,ro=60:",
    ...Object.entries(UDFS).map(([name, { help }]) => `  ${name.padEnd(15)}${help}`),
    "  PATH           a module that exports a UDF: ./mine.ts, ./mine.ts#name, ./mine.ts:threshold=3",
    "  map:PATH       a module that exports a function of a frame: map:./mine.ts, map:./mine.ts#name",
  ],
  examples: [
    [
      "tilewise run com scan.mib --nav 256x256 -o com.npy",
      "Centre of mass; one .npy and .png for each result.",
    ],
    ["tilewise run sum annular:ri=40,ro=110 scan.mib -o results/", "Two results in one pass over the file."],
    ["tilewise run ./mine.ts scan.mib --dry-run", "What would be read and how much memory it would take."],
  ],
  run: computeVerb,
};

async function computeVerb(args: Arguments, io: CliIo): Promise<number> {
  return await withPlan(args, io, async (plan) => {
    if (args.has("dry-run")) return explain(plan, args.positionals.at(-1)!, args, io);
    const outputs = await preparedPaths(args.text("output"), plan);
    const { results, isPartial } = await compute(plan, args, io);
    const named = namedArrays(results);
    const files = outputs ? await saveResults(named, outputs, plan.dataset) : new Map<string, string[]>();
    for (const array of named) deliver(array, files.get(array.label) ?? [], plan.dataset, args, io);
    if (outputs && !isPartial) await writeManifest(plan, results, named, files, args, io);
    return isPartial ? 130 : 0;
  });
}

/** Calls `body` with the plan that the arguments of `run` mean, in a context that ends with it. */
export async function withPlan<T>(args: Arguments, io: CliIo, body: (plan: Plan) => Promise<T>): Promise<T> {
  const source = args.positionals.at(-1)!;
  const words = parseUdfs(args.positionals.slice(0, -1));
  const memory = args.value("memory", parseBytes);
  const workers = args.count("workers") ?? workersFor(words);
  const options = openOptions(args, io.signal);
  await using context = createContext({
    ...(memory === undefined ? {} : { memory }),
    ...(workers === undefined ? {} : { workers }),
  });
  const dataset = await open(source, options);
  showWarnings(dataset, args, io);
  const plan = await planRun(dataset, await resolveUdfs(words), {
    ...await selection(args, dataset),
    context,
  });
  showWarnings({ source, warnings: plan.warnings }, args, io);
  return await body(plan);
}

/** Code of somebody else runs on workers, however small the data: a worker that hangs can be stopped. */
function workersFor(words: readonly UdfWord[]): number | undefined {
  const isForeign = words.some(({ name }) => !Object.hasOwn(UDFS, name));
  return isForeign ? Math.max(1, Math.min(8, navigator.hardwareConcurrency)) : undefined;
}

/** The options of the plan that say which frames and pixels count. */
async function selection(args: Arguments, dataset: Dataset) {
  const roi = args.text("roi");
  const partitions = args.count("partitions", 1);
  const given = await parseCorrections(args, dataset);
  const corrections: CorrectionsInput | undefined = given ??
    (args.has("no-corrections") ? "none" : undefined);
  return {
    ...(roi === undefined ? {} : { roi: await parseRoi(roi, dataset) }),
    ...(partitions === undefined ? {} : { partitions }),
    ...(corrections ? { corrections } : {}),
  };
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
async function preparedPaths(out: string | undefined, plan: Plan): Promise<Map<string, string> | undefined> {
  if (out === undefined) return undefined;
  if (out === "-") throw new UsageError("run cannot write to stdout; name a file or a folder after -o");
  const paths = await outputPaths(out, namedArrays(dryRun(plan)));
  await prepareOutputs(paths.values());
  return paths;
}

/** Runs the plan with progress. An interrupt keeps what has been merged, if there is anything to keep. */
export async function compute(
  plan: Plan,
  args: Arguments,
  io: CliIo,
): Promise<{ results: Results; isPartial: boolean }> {
  const stall = args.count("stall-timeout", 1);
  const bar = new ProgressBar(io, "run", args.has("quiet"));
  let last: Part | undefined;
  let kept: Results | undefined;
  const keep = () => kept = last?.results;
  io.signal.addEventListener("abort", keep);
  try {
    const running = runPlan(plan, {
      signal: io.signal,
      ...(stall === undefined ? {} : { stallTimeout: stall * 1000 }),
    });
    for await (last of running) bar.update(last.progress);
    bar.clear();
    if (!args.has("quiet")) io.err(`${doneText(last!.progress)}\n`);
    return { results: last!.results, isPartial: false };
  } catch (error) {
    bar.clear();
    if (!isTilewiseError(error, "aborted") || !kept || !last || !args.has("output")) throw error;
    const { frames, framesTotal } = last.progress;
    io.err(
      `tilewise: interrupted after about ${frames} of ${framesTotal} frames; the partial result is kept\n`,
    );
    return { results: kept, isPartial: true };
  } finally {
    io.signal.removeEventListener("abort", keep);
  }
}

function deliver(
  { udf, result, label, array }: NamedArray,
  files: readonly string[],
  dataset: Dataset,
  args: Arguments,
  io: CliIo,
): void {
  const { source } = dataset;
  const [min, max] = limitsOf(numbersOf(array));
  const { shape, dtype } = array;
  if (args.has("json")) return outJson(io, { source, udf, result, shape, dtype, min, max, files });
  outTable(io, [
    [label, `${showShape(shape)} ${dtype}, from ${format(min)} to ${format(max)}`],
    ...files.map((file) => ["", file] as const),
  ]);
  if (files.length === 0 && !args.has("quiet") && io.outIsTerminal) showPicture(array, dataset, io);
}

function showPicture(array: NdArray, dataset: Dataset, io: CliIo): void {
  const raster = resultPicture(array, dataset);
  if (raster) {
    io.out(terminalPicture(raster, { columns: Math.min(io.columns, 64), colour: io.colour }) + "\n");
  }
}

function format(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}
