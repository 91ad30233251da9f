/**
 * Runs `tilewise predict`.
 *
 * @module
 */

import { openObservation } from "../../observations/open.ts";
import { type ObservationPlan, planObservation } from "../../rime/observed/predict_observation.ts";
import { readSky } from "../../skies/read.ts";
import { formatBytes } from "../../space/size.ts";
import { observationOptions } from "../flags/observation_flags.ts";
import { showWarnings } from "../inputs/sources.ts";
import { type Losses, lossesSaved, lossRows } from "../outputs/losses.ts";
import { digestOfFile } from "../manifests/digest_of_file.ts";
import {
  manifestIn,
  manifestRows,
  namesBeside,
  type OutputFiles,
  preparedPlace,
} from "../manifests/files.ts";
import { Opened } from "../manifests/opened.ts";
import { MODEL } from "../../observations/model/msv4_nodes.ts";
import { baseOf } from "../../observations/model/to_msv4.ts";
import { createContext } from "../../runner/context.ts";
import type { Beside } from "../../io/write/together.ts";
import { PartFiles } from "../../io/write/write.ts";
import { toldOf } from "../../space/meaning/values.ts";
import { bytesOf } from "../outputs/size.ts";
import { pass } from "../shell/progress.ts";
import { type Arguments, storeFlag } from "../shell/args.ts";
import { type CliIo, outJson, outPlan, outTable, printable } from "../shell/io.ts";
import { contextForViews } from "../shell/threads.ts";
import {
  askedFacts,
  type AskedSky,
  isZarr,
  predictInParts,
  predictionOptions,
  speed,
  workOf,
} from "./predict_words.ts";

/** Runs the verb; the exit code. */
export async function predict(args: Arguments, io: CliIo): Promise<number> {
  const [skyPath, source] = args.positionals as [string, string];
  const { output: out } = predictInParts(args); // refused before anything is opened
  const column = args.text("column");
  if (column !== undefined) {
    return await (await import("./predict_column.ts")).predictColumn({ skyPath, source, column }, args, io);
  }
  using opened = new Opened();
  const sky = await readSky(skyPath, { signal: io.signal });
  await using observation = await openObservation(source, observationOptions(args, io.signal));
  showWarnings(observation, args, io);
  await using context = contextForViews(args, io, workOf(sky, observation));
  const options = predictionOptions(args, observation);
  if (storeFlag(args)) {
    const { signal: _, ...open } = observationOptions(args, io.signal);
    const spec = { sky: skyPath, observation: source, open, options };
    return await (await import("./predict_stored.ts")).storedPrediction({ spec, out, context }, args, io);
  }
  const plan = await planObservation(sky, observation, out, {
    ...options,
    context,
    signal: io.signal,
  });
  const asked = { skyPath, sky, source, out };
  const prepare = () => preparedPlace(out, { results: [out], folders: isZarr(out) }, args, io);
  if (args.has("dry-run")) {
    if (args.has("output")) await prepare();
    return explain(plan, asked, args, io);
  }
  const place = await prepare();
  const started = performance.now();
  await using parts = new PartFiles();
  const beside: Beside = (path) =>
    namesBeside(parts, "predict", place, [out], async () => {
      const inputs = await opened.inputs();
      opened[Symbol.dispose]();
      return { result: await resultOf(plan, out, path, io), inputs };
    }, args);
  await pass("predict", plan.resultBytes, { args, io }, (run) => plan.run({ ...run, beside }));
  await tell(plan, { ...asked, ...manifestIn(place) }, (performance.now() - started) / 1000, args, io);
  return 0;
}

/** The result in the manifest. Its digest is read in a context of its own: the run still holds the memory of its tiles. */
async function resultOf(plan: ObservationPlan, out: string, path: string, { signal }: CliIo) {
  await using context = createContext({ workers: 0, memory: plan.context.memory });
  const array = isZarr(out) ? { array: `${baseOf(out)}${MODEL}` } : {};
  const sha256 = await digestOfFile(path, out, { context, signal, ...array });
  const { shape, dtype } = plan;
  return {
    result: "visibilities",
    shape,
    dtype,
    ...toldOf(plan),
    sha256,
    files: [out],
    ...await lossesOf(plan, out),
  };
}

/** What the file does not hold; a Measurement Set says all of it. */
async function lossesOf(plan: ObservationPlan, out: string): Promise<Losses> {
  return isZarr(out) ? {} : await lossesSaved(out, plan);
}

/** What was asked for. */
interface PredictRequest extends Pick<OutputFiles, "manifest">, AskedSky {
  readonly out: string;
}

function facts(plan: ObservationPlan, { out, ...asked }: PredictRequest): Record<string, unknown> {
  const { shape, dtype, correlations, convention, missing, behind, sourceVisibilities } = plan;
  return {
    ...askedFacts(asked),
    file: out,
    shape,
    dtype,
    correlations,
    convention,
    missing,
    behind,
    sourceVisibilities,
  };
}

function explain(plan: ObservationPlan, asked: PredictRequest, args: Arguments, io: CliIo): number {
  const { tiles, memory: { total: peakBytes } } = plan;
  const said = { ...facts(plan, asked), tiles, peakBytes }, text = plan.explain();
  return outPlan({ args, io }, said, text, `${asked.out}\n${text}`);
}

async function tell(
  plan: ObservationPlan,
  asked: PredictRequest,
  seconds: number,
  args: Arguments,
  io: CliIo,
): Promise<void> {
  const bytes = await bytesOf(asked.out);
  const losses = await lossesOf(plan, asked.out);
  if (args.has("json")) {
    return outJson(io, { ...facts(plan, asked), bytes, ...losses, ...manifestIn(asked), seconds });
  }
  const { shape, dtype, correlations, convention, missing, sources, sourceVisibilities } = plan;
  io.out(`${printable(asked.out)}  ${shape.join(" × ")} ${dtype}, ${formatBytes(bytes)}\n`);
  outTable(io, [
    ["sources", `${sources} of ${asked.skyPath}`],
    ["correlations", `${correlations.join(", ")}, phase as in ${convention}`],
    ...(plan.behind > 0
      ? [
        [
          "behind",
          `${plan.behind} sources behind the phase centre or below the horizon are left out`,
        ] as const,
      ]
      : []),
    ...lossRows(losses),
    ...manifestRows(asked),
    ...(missing > 0 ? [["missing", `${missing} rows are NaN and flagged`] as const] : []),
    [
      "speed",
      `${speed(sourceVisibilities, seconds)} source visibilities per second, ${seconds.toFixed(2)} s`,
    ],
  ]);
}
