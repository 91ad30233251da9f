/**
 * The words of `predict`: the name of the file, and what the flags say of the prediction.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isKind } from "../../sinks/registry.ts";
import { TilewiseError } from "../../errors.ts";
import type { Observation, ObservationOptions } from "../../observations/observation.ts";
import { chosen } from "../../rime/observed/correlations.ts";
import { observationOptions } from "../flags/observation_flags.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { checkThreads } from "../shell/threads.ts";
import type { InParts } from "../stores/units.ts";
import type { Sky } from "../../skies/component.ts";

/** Where the model goes: a file, or the set that gets a column. */
function outputOf(args: Arguments): string {
  const out = args.text("output")?.replace(/[/\\]+$/, "");
  if (args.has("column")) {
    if (out !== undefined) {
      throw new UsageError("-o and --column are two places for the model; leave one of them out");
    }
    if (args.has("correlations")) {
      throw new UsageError(
        "--column has the correlations of the rows; leave --correlations out, or write -o OUT",
      );
    }
    return args.positionals[1]!;
  }
  if (out === undefined) {
    if (args.has("dry-run")) return "model.zarr";
    throw new UsageError("predict needs -o OUT or --column NAME, or --dry-run to see the plan");
  }
  if (isZarr(out) || isKind(out, "npy")) return out;
  throw new UsageError(`predict cannot write ${out}: the name must end with .zarr or .npy`);
}

/** Whether the model is a Zarr. */
export function isZarr(out: string): boolean {
  return /\.zarr$/i.test(out);
}

/** Which rows the flags mean. */
export function rowsAsked(args: Arguments, signal: AbortSignal): ObservationOptions {
  const { column: _, ...rows } = observationOptions(args, signal); // --column is what is written
  return rows;
}

/** What the flags say of the prediction. */
export function predictionOptions(
  args: Arguments,
  observation: Pick<Observation, "convention" | "correlations">,
) {
  const correlations = args.value("correlations", (text) => correlationsOf(text, observation));
  return {
    convention: observation.convention,
    ...howAsked(args),
    ...defined({ correlations }),
  };
}

/** What the flags say of predictions of any correlations. */
export function howAsked(args: Arguments) {
  return {
    precision: wordOf(args, "precision", ["f64", "mixed"]),
    ...(args.has("convention") ? { convention: wordOf(args, "convention", ["fourier", "casa"]) } : {}),
    ...(args.has("behind") ? { behind: wordOf(args, "behind", ["refuse", "skip"]) } : {}),
  };
}

/** Names, or how many of the feeds of the observation. */
function correlationsOf(text: string, { correlations }: Pick<Observation, "correlations">): string[] {
  if (!/^\d+$/.test(text.trim())) return text.split(",").map((name) => name.trim().toUpperCase());
  const isCircular = correlations.some((name) => /^[RL]{2}$/.test(name));
  const all = isCircular ? ["RR", "RL", "LR", "LL"] : ["XX", "XY", "YX", "YY"];
  const found = ({ 1: [all[0]!], 2: [all[0]!, all[3]!], 4: all } as Record<string, string[]>)[text.trim()];
  if (found) return found;
  throw new TilewiseError("invalid", "write 1, 2 or 4, or names such as XX,YY", { found: text });
}

/** A prediction, in parts or not, checked as far as that is possible without sky and observation. */
export function predictInParts(args: Arguments): InParts {
  const output = outputOf(args);
  checkThreads(args);
  rowsAsked(args, new AbortController().signal);
  const { correlations } = predictionOptions(args, { convention: "casa", correlations: [] });
  if (correlations) chosen(correlations);
  return { output, tellsShards: !args.has("column"), modules: [] };
}

/** A number of source visibilities per second, as text. */
export function speed(count: number, seconds: number): string {
  const rate = count / Math.max(seconds, 1e-9);
  return rate >= 1e8 ? `${(rate / 1e9).toFixed(2)} · 10⁹` : `${(rate / 1e6).toFixed(2)} · 10⁶`;
}

/** A measure of the work that says whether threads are worth their start: as many bytes take about as long to filter. */
export function workOf({ points, gaussians, sersics }: Sky, { rows, frequencies }: Observation): number {
  const sources = points.length + gaussians.length + sersics.length;
  return sources * rows * frequencies.length;
}

/** The word of a flag; without the flag, the first one. */
export function wordOf<T extends string>(args: Arguments, flag: string, words: readonly [T, ...T[]]): T {
  const found = args.value(flag, (text) => {
    const word = words.find((one) => one === text);
    if (word) return word;
    throw new TilewiseError("invalid", `write ${words.join(" or ")}`, { found: text });
  });
  return found ?? words[0];
}

/** A sky, and the observation that it is predicted for. */
export interface AskedSky {
  readonly skyPath: string;
  readonly sky: Sky;
  readonly source: string;
}

/** What both say in JSON. */
export function askedFacts({ skyPath, sky, source }: AskedSky): Record<string, unknown> {
  const { points, gaussians, sersics } = sky;
  const components = { points: points.length, gaussians: gaussians.length, disks: sersics.length };
  return { source, sky: skyPath, components };
}
