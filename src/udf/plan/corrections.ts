/**
 * Decides which corrections a run applies: those of the caller, those that come with the data set, or none.
 *
 * @module
 */

import { type Corrections, isNothing } from "../../dataset/correction_options.ts";
import type { Dataset } from "../../dataset/dataset.ts";

/**
 * The corrections option of a caller: corrections, or `"none"` to keep the samples as stored.
 * @category Runs
 */
export type CorrectionsInput = Corrections | "none";

/** The corrections of a run. */
export interface ChosenCorrections {
  /** The corrections; absent: none. */
  readonly corrections?: Corrections;
  /** What the data set supplied, if it is applied. */
  readonly supplied?: readonly string[];
}

/**
 * The corrections that the caller gave; without any, those that come with the data set, which are read now. Empty
 * corrections change nothing, not even the type of the samples.
 */
export async function chooseCorrections(
  dataset: Dataset,
  asked: CorrectionsInput | undefined,
): Promise<ChosenCorrections> {
  if (asked === "none") return {};
  if (asked) return isNothing(asked) ? {} : { corrections: asked };
  if (!dataset.corrections) return {};
  const { loadSupplied } = await import("../../dataset/supplied.ts");
  return { corrections: await loadSupplied(dataset.corrections), supplied: dataset.corrections.why };
}
