/**
 * The reductions of `tilewise map`: a new one is a line here.
 *
 * @module
 */

import { HISTOGRAM, OTSU } from "./histogram.ts";
import { LABEL, MEASURE } from "./labels.ts";
import type { LabelReduction, Reduction } from "./reduction.ts";

/** Every reduction, in the order of the help. */
export const REDUCTIONS: readonly Reduction[] = [HISTOGRAM, OTSU, LABEL, MEASURE];

/** The reduction called `name`. */
export function findReduction(name: string): Reduction | undefined {
  return REDUCTIONS.find((reduction) => reduction.name === name);
}

/** Whether the result is an image. */
export function makesLabels(reduction: Reduction): reduction is LabelReduction {
  return "labels" in reduction;
}
