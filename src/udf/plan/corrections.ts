/**
 * Which corrections a run applies: those of the caller, those that come with the data set, or none.
 *
 * @module
 */

import { type Corrections, isNothing } from "../../dataset/corrections.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { loadSupplied } from "../../dataset/supplied.ts";

/**
 * What a caller may say: corrections of their own, or that the samples are to stay as they are.
 * @category Runs
 */
export type CorrectionsInput = Corrections | "none";

/** The corrections of a run. */
export interface ChosenCorrections {
  /** What to correct; absent: nothing. */
  readonly corrections?: Corrections;
  /** What the data set supplied, if that is applied. */
  readonly supplied?: readonly string[];
}

/**
 * What the caller said; if nothing, what comes with the data set, which is read now. Corrections of nothing change
 * nothing, not even the type of the samples.
 */
export async function chooseCorrections(
  dataset: Dataset,
  asked: CorrectionsInput | undefined,
): Promise<ChosenCorrections> {
  if (asked === "none") return {};
  if (asked) return isNothing(asked) ? {} : { corrections: asked };
  if (!dataset.corrections) return {};
  return { corrections: await loadSupplied(dataset.corrections), supplied: dataset.corrections.why };
}
