/**
 * The reductions of `tilewise map`: a new one is a line here.
 *
 * @module
 */

import { HISTOGRAM, OTSU } from "./histogram.ts";
import { LABEL, MEASURE } from "./labels.ts";
import type { LabelReduction, ReductionWord } from "./reduction.ts";

/** Every reduction, in the order of the help. */
export const REDUCTIONS: readonly ReductionWord[] = [HISTOGRAM, OTSU, LABEL, MEASURE];

/** The reduction called `name`. */
export function findReduction(name: string): ReductionWord | undefined {
  return REDUCTIONS.find((reduction) => reduction.name === name);
}

/** Whether the result is an image. */
export function makesLabels(reduction: ReductionWord): reduction is LabelReduction {
  return "labels" in reduction;
}
