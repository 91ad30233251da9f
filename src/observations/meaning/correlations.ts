/**
 * Names of correlations, by the numbers that formats use.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** Numbers of Measurement Sets, from 1 on. */
const CASA = ["I", "Q", "U", "V", "RR", "RL", "LR", "LL", "XX", "XY", "YX", "YY"];

/** Numbers of FITS and UVH5: -1 is RR. */
const FITS = ["RR", "LL", "RL", "LR", "XX", "YY", "XY", "YX"];

/** The correlation with a number of a Measurement Set. */
export function casaCorrelation(number: number, file: string): string {
  const found = CASA[number - 1];
  if (found) return found;
  const text = `Cannot read ${file}: correlation ${number} is unknown; 1 to ${CASA.length} are read`;
  throw new TilewiseError("unsupported", text, { file, found: number });
}

/** The correlation with a number of FITS. */
export function fitsCorrelation(number: number, file: string): string {
  const found = number > 0 ? CASA[number - 1] : FITS[-number - 1];
  if (found && number >= -8 && number <= 4) return found;
  const text = `Cannot read ${file}: polarization ${number} is unknown; -8 to -1 and 1 to 4 are read`;
  throw new TilewiseError("unsupported", text, { file, found: number });
}
