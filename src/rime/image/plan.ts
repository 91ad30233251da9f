/**
 * What plans of images, and of the visibilities of images, have in common.
 *
 * @module
 */

import { showAccount } from "../../memory/account.ts";
import { insideOf } from "../../runner/context.ts";
import { type AnyPlan, type FactsOf, notCut } from "../../runner/plan.ts";
import type { TileProgress } from "../../runner/progress.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";

/**
 * What is planned: of the rows only the baselines have been read, and the memory that it needs is known.
 * @category Measurement equation
 */
export interface ImagingPlan extends AnyPlan {
  /** How often the rows will be read: more than once where not all planes, or not all pixels, fit in memory together. */
  readonly passes: number;
  /** Planes of w. */
  readonly planes: number;
}

/** The plan with these facts; `what` says in words what `make` will make. */
export function imagingPlan<F extends FactsOf<ImagingPlan>, R>(
  facts: F,
  what: string,
  make: (settings: RunSettings<TileProgress>) => Promise<R>,
): F & Pick<ImagingPlan, "explain" | "parts"> & {
  run(options?: RunSettings<TileProgress>): Promise<R>;
} {
  const { memory, passes, planes, context } = facts;
  return {
    ...facts,
    parts: notCut,
    explain: () =>
      [
        what,
        `${planes} planes of w; the rows are read ${passes} times`,
        `memory: ${showAccount(memory, insideOf(context))}`,
      ].join("\n"),
    async run(settings = {}) {
      checkRunOptions("run()", facts, settings, RUN_SETTINGS);
      return await make(settings);
    },
  };
}
