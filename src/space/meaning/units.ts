/**
 * Units as texts: their powers, quotients and inverses.
 *
 * @module
 */

/** A unit and its power. */
type Factor = readonly [symbol: string, power: number];

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A symbol, maybe of a charge such as `e-`; then its power, as `²`, `⁻¹`, `^-1`, `-1` or `**2`. */
const FACTOR = /^([\p{L}°%"'_]+(?:[-+](?!\d))?)(?:(?:\^|\*\*)?\(?([-+]?\d+)\)?|(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/u;

/** What a unit is made of; `undefined` for texts that are no unit. */
function factorsOf(unit: string): Factor[] | undefined {
  const [above = "", below, ...more] = unit.trim().split("/");
  if (more.length > 0 || above.trim() === "") return undefined;
  const both = [[above.trim() === "1" ? "" : above, 1], [
    below?.replace(/^\((.*)\)$/, "$1") ?? "",
    -1,
  ]] as const;
  const factors: Factor[] = [];
  for (const [text, sign] of both) {
    for (const word of text.trim().split(/\s*[·⋅]\s*|(?<!\*)\*(?!\*)|\s+/).filter((word) => word !== "")) {
      const found = FACTOR.exec(word);
      if (!found) return undefined;
      const [, symbol, plain, minus, raised] = found;
      const digits = raised && Array.from(raised, (digit) => RAISED.indexOf(digit)).join("");
      factors.push([symbol!, sign * Number(plain ?? `${minus ? "-" : ""}${digits ?? 1}`)]);
    }
  }
  return factors;
}

function textOf(factors: readonly Factor[]): string {
  const powers = new Map<string, number>();
  for (const [symbol, power] of factors) powers.set(symbol, (powers.get(symbol) ?? 0) + power);
  const raised = (n: number) =>
    n === 1 ? "" : Array.from(String(n), (digit) => RAISED[Number(digit)]).join("");
  const side = (sign: number) =>
    [...powers].filter(([, power]) => power * sign > 0).map(([symbol, power]) =>
      symbol + raised(power * sign)
    );
  const [above, below] = [side(1), side(-1)];
  const under = below.length > 1 ? `(${below.join("·")})` : below[0];
  return (above.join("·") || (under ? "1" : "")) + (under ? `/${under}` : "");
}

/**
 * The unit of products of `power` numbers of a unit; `undefined` for numbers without one. A text that is not a unit stays in the text
 * of the result.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["nm", "1/nm", "e-/px", "nm^-1"].map((unit) => powerOf(unit, 2)), ["nm²", "1/nm²", "e-²/px²", "1/nm²"]);
 * assertEquals(["nm", "1/µm", "Å⁻¹", "a.u. (x)"].map((unit) => powerOf(unit, -1)), ["1/nm", "µm", "Å", "1/(a.u. (x))"]);
 * ```
 */
export function powerOf(unit: string, power: number): string | undefined {
  const factors = factorsOf(unit);
  if (factors) return textOf(factors.map(([symbol, own]) => [symbol, own * power])) || undefined;
  const whole = `(${unit})`;
  if (power === -1) return `1/${whole}`;
  return power < 0 ? `1/${whole}^${-power}` : `${whole}^${power}`;
}

// The sign of micro in front of units, for which ASCII has `u`. Elsewhere either is part of a text.

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
