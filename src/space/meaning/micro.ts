/**
 * The sign of micro in front of units, for which ASCII has `u`. Elsewhere either is part of a text.
 *
 * @module
 */

/** Units that are measured in millionths. */
const UNITS = "(?=(m|s|g|A|V|W|J|T|K|N|Pa|Hz|eV|Jy|rad|arcsec)\\b)";
const SIGN = RegExp(`[µμ]${UNITS}`, "g"), LETTER = RegExp(`\\bu${UNITS}`, "g");

/** A unit with `u` for micro. */
export function withoutMicro(unit: string): string {
  return unit.replace(SIGN, "u");
}

/** A unit with `µ` for `u`. */
export function withMicro(unit: string): string {
  return unit.replace(LETTER, "µ");
}
