/**
 * Runs a plan with a progress bar; an interrupt keeps what has been merged.
 *
 * @module
 */

import { isTilewiseError } from "../../errors.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import type { PartialRun } from "../../udf/results/manifest.ts";
import type { PartialResults, UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { doneText, ProgressBar } from "../shell/progress.ts";
import { showWarnings } from "../inputs/sources.ts";

/** The outcome of a run. */
interface Computed {
  /** The results. */
  readonly results: Results;
  /** What the results cover if the run was interrupted; absent: everything. */
  readonly partial?: PartialRun;
}

/**
 * Runs the plan with progress. An interrupt keeps the merged results, if there are any and the caller saves
 * them.
 */
export async function compute(
  plan: UdfPlan,
  args: Arguments,
  io: CliIo,
  { name = "run", keeps = false }: { readonly name?: string; readonly keeps?: boolean } = {},
): Promise<Computed> {
  const bar = new ProgressBar(io, name, args.has("quiet"));
  let last: PartialResults | undefined;
  let kept: Computed | undefined;
  const keep = () => kept = keeps && last ? { results: last.results, partial: partialOf(last) } : undefined;
  io.signal.addEventListener("abort", keep);
  try {
    const running = plan.run({ signal: io.signal });
    for await (last of running) bar.update(last.progress);
    bar.clear();
    showWarnings({ source: name, warnings: running.warnings }, args, io);
    if (!args.has("quiet")) io.err(`${name === "run" ? "" : `${name}: `}${doneText(last!.progress)}\n`);
    return { results: last!.results };
  } catch (error) {
    bar.clear();
    if (isTilewiseError(error, "aborted") && kept) return kept;
    throw error;
  } finally {
    io.signal.removeEventListener("abort", keep);
  }
}

function partialOf({ progress: { frames, framesTotal }, damage }: PartialResults): PartialRun {
  return { frames, framesTotal, damage: rangesOf(damage.data) };
}

/** The ranges of entries that are set, half-open. */
function rangesOf(mask: Uint8Array): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < mask.length;) {
    const start = mask.indexOf(1, at);
    if (start < 0) break;
    const stop = mask.indexOf(0, start);
    at = stop < 0 ? mask.length : stop;
    ranges.push([start, at]);
  }
  return ranges;
}
