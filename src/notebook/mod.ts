/**
 * Live results in a Deno notebook: one display that is updated during a run.
 *
 * Results, data sets and plans are displayed if they are the last expression of a cell; this module shows a run in
 * progress. Do not stop a cell with the stop button, which ends the notebook's kernel: pass a signal, such as
 * `AbortSignal.timeout(60_000)`.
 *
 * @example One update a second
 * ```ts
 * import { open, plan, sumFrames } from "@tilewise/tilewise";
 * import { show } from "@tilewise/tilewise/notebook";
 * import { assertEquals } from "@std/assert";
 *
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const shown: object[] = [];
 * const display = (value: object) => void shown.push(value); // in a notebook: leave it out
 * const { manifest } = await show(await plan(scan, { sum: sumFrames() }), { rate: 1, display });
 * assertEquals([manifest.results.length, shown.length > 0], [1, true]);
 * ```
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../options.ts";
import { callable, limit } from "../options/rules.ts";
import type { PlanTypes, Results } from "../udf/interface/buffer_types.ts";
import { checkPlan } from "../udf/plan/given.ts";
import { type RunManifest, runManifest } from "../udf/results/manifest.ts";
import type { PartialResults, Plan, RunOptions } from "../udf/plan/plan_facts.ts";
import { RUN_OPTIONS } from "../udf/run/plan.ts";

/**
 * Shows something on the page: as a new display, or in the place of the display with the same id.
 * @category Notebooks
 */
export type Display = (
  value: object,
  options: {
    /** Id of the display. */
    readonly display_id: string;
    /** Whether to replace what the display shows. */
    readonly update: boolean;
  },
) => void | Promise<void>;

/**
 * Options of {@link show}.
 * @category Notebooks
 */
export interface ShowOptions extends RunOptions {
  /** Largest number of updates per second. Above 0 or infinite. Default 5. */
  readonly rate?: number;
  /** How to show something on the page. Default: as the notebook does. */
  readonly display?: Display;
}

const SHOW_OPTIONS: OptionNames<ShowOptions> = { ...RUN_OPTIONS, rate: limit, display: callable };

/**
 * What {@link show} returns.
 * @category Notebooks
 */
export interface Shown<R extends PlanTypes = PlanTypes> {
  /** The results. */
  readonly results: Results<R>;
  /** The manifest: inputs, what was computed how, and digests of the results. */
  readonly manifest: RunManifest;
}

let displays = 0;

/**
 * Runs a plan and shows its partial results; the last picture stays.
 *
 * @param plan what `plan` gave
 * @param options of the run, and how often to show
 * @returns the results and their manifest
 *
 * @example
 * ```ts
 * import { open, plan, sumFrames } from "@tilewise/tilewise";
 * import { show } from "@tilewise/tilewise/notebook";
 * import { assertEquals } from "@std/assert";
 *
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const planned = await plan(scan, { sum: sumFrames() });
 * const { results } = await show(planned, { display: () => {} }); // in a cell of a notebook: show(planned)
 * assertEquals([...results.sum.intensity.data], [4, 6]);
 * ```
 * @category Notebooks
 */
export async function show<R extends PlanTypes>(
  plan: Plan<R>,
  options: ShowOptions = {},
): Promise<Shown<R>> {
  checkPlan("show()", plan);
  checkOptionNames("show()", options, SHOW_OPTIONS);
  const { rate = 5, display = notebookDisplay(), ...runOptions } = options;
  const display_id = `tilewise-${Date.now()}-${++displays}`;
  let [shown, update] = [-Infinity, false];
  let last: PartialResults<R> | undefined;
  const put = async () => {
    await display(last!.results, { display_id, update });
    [shown, update] = [performance.now(), true];
  };
  for await (last of plan.run(runOptions)) {
    if (performance.now() - shown >= 1000 / rate) await put();
  }
  await put();
  const { results } = last!;
  return { results, manifest: await runManifest(plan, results) };
}

/** The display of this notebook. It is looked up when it is used: outside of a notebook, access to it is an error. */
function notebookDisplay(): Display {
  const { Deno } = globalThis as unknown as { Deno: { jupyter: { display: Display } } };
  return (value, options) => Deno.jupyter.display(value, options);
}
