/**
 * Decides which corrections a run applies: those of the caller, those that come with the data set, or none.
 *
 * @module
 */

import { CORRECTION_OPTIONS, type Corrections, isNothing } from "../../dataset/correction_options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { checkOptionNames, isNamed, type OptionRule } from "../../options.ts";
import { oneOf, wrongValue } from "../../options/rules.ts";

/**
 * The corrections option of a caller: corrections, or `"none"` to keep the samples as stored.
 * @category Runs
 */
export type CorrectionsInput = Corrections | "none";

/** Rule for them. */
export const corrections: OptionRule<CorrectionsInput> = (call, option, value) => {
  if (typeof value === "string") return oneOf("none")(call, option, value);
  if (!isNamed(value)) {
    throw wrongValue(call, option, value, 'an object such as { dark, gain, excluded }, or "none"');
  }
  checkOptionNames<Corrections>(call, value, CORRECTION_OPTIONS, option);
};

/** The corrections of a run. */
interface ChosenCorrections {
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
  dataset: StoredDataset,
  asked: CorrectionsInput | undefined,
): Promise<ChosenCorrections> {
  if (asked === "none") return {};
  if (asked) return isNothing(asked) ? {} : { corrections: asked };
  if (!dataset.corrections) return {};
  const { loadSupplied } = await import("../../dataset/supplied.ts");
  return { corrections: await loadSupplied(dataset.corrections), supplied: dataset.corrections.why };
}
