/**
 * Names of correlations, by the numbers that formats use, and how Stokes parameters become them.
 *
 * @module
 */

import { cannot } from "../../errors.ts";
import type { OptionNames } from "../../options.ts";
import { truth } from "../../options/rules.ts";

/**
 * How the brightness matrix of a source differs from that of Measurement Sets, which is `[[I + Q, U + iV], [U − iV, I − Q]]` for
 * linear feeds and `[[I + V, Q + iU], [Q − iU, I − V]]` for circular ones. Jones matrices are in the convention of the samples:
 * `J₁ B J₂ᴴ`.
 * @category Observations
 */
export interface Brightness {
  /** Whether it is the complex conjugate of that, as in UVH5: XY is U − iV, RL is Q − iU. Default false. */
  readonly conjugated?: boolean;
  /** Whether it is half of that: I is the sum of XX and YY, not their mean. Default false. */
  readonly halved?: boolean;
}

/** Names of the parts of a brightness. */
export const BRIGHTNESS: OptionNames<Brightness> = { conjugated: truth, halved: truth };

/** Numbers of Measurement Sets, from 1 on. */
const CASA = ["I", "Q", "U", "V", "RR", "RL", "LR", "LL", "XX", "XY", "YX", "YY"];

/** Numbers of FITS and UVH5: -1 is RR. */
const FITS = ["RR", "LL", "RL", "LR", "XX", "YY", "XY", "YX"];

/** The brightness of sources, where correlations are not those of a Measurement Set; `sums` is what pyuvdata writes of XX + YY. */
export function brightnessFor(
  sums: string | undefined,
  file: string,
  conjugated = false,
): { readonly brightness?: Brightness } {
  const word = sums?.trim().toLowerCase() ?? "", halved = word === "sum";
  if (!["", "avg", "sum"].includes(word)) {
    const text = `I is the "${word}" of XX and YY (pol_convention); avg and sum are read`;
    throw cannot("read", file, "unsupported", text, { found: word });
  }
  return conjugated || halved ? { brightness: { conjugated, halved } } : {};
}

/** The correlation with a number of a Measurement Set. */
export function casaCorrelation(number: number, file: string): string {
  const found = CASA[number - 1];
  if (found) return found;
  const text = `correlation ${number} is unknown; 1 to ${CASA.length} are read`;
  throw cannot("read", file, "unsupported", text, { found: number });
}

/** The correlation with a number of FITS. */
export function fitsCorrelation(number: number, file: string): string {
  const found = number > 0 ? CASA[number - 1] : FITS[-number - 1];
  if (found && number >= -8 && number <= 4) return found;
  const text = `polarization ${number} is unknown; -8 to -1 and 1 to 4 are read`;
  throw cannot("read", file, "unsupported", text, { found: number });
}
