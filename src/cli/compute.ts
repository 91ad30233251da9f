/**
 * Runs a plan with a progress bar; an interrupt keeps what has been merged.
 *
 * @module
 */

import { isTilewiseError } from "../errors.ts";
import type { Plan } from "../udf/plan.ts";
import type { Results } from "../udf/results.ts";
import { run as runPlan } from "../udf/run.ts";
import type { Part } from "../udf/run_state.ts";
import type { Arguments } from "./args.ts";
import type { CliIo } from "./io.ts";
import { doneText, ProgressBar } from "./progress.ts";
import { showWarnings } from "./sources.ts";

/** What came out. */
export interface Computed {
  /** The results. */
  readonly results: Results;
  /** Whether the run was interrupted. */
  readonly isPartial: boolean;
}

/** Runs the plan with progress. An interrupt keeps what has been merged, if there is anything to keep. */
export async function compute(
  plan: Plan,
  args: Arguments,
  io: CliIo,
  name: string = "run",
): Promise<Computed> {
  const stall = args.count("stall-timeout", 1);
  const bar = new ProgressBar(io, name, args.has("quiet"));
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
    showWarnings({ source: name, warnings: running.warnings }, args, io);
    if (!args.has("quiet")) io.err(`${name === "run" ? "" : `${name}: `}${doneText(last!.progress)}\n`);
    return { results: last!.results, isPartial: false };
  } catch (error) {
    bar.clear();
    const isKept = isTilewiseError(error, "aborted") && kept && last && args.has("output") && name === "run";
    if (!isKept) throw error;
    const { frames, framesTotal } = last!.progress;
    io.err(
      `tilewise: interrupted after about ${frames} of ${framesTotal} frames; the partial result is kept\n`,
    );
    return { results: kept!, isPartial: true };
  } finally {
    io.signal.removeEventListener("abort", keep);
  }
}
