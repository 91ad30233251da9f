/**
 * Borders: which sample is seen beyond the end of an array. There is one map per mode and dimension; corners combine the
 * maps of all dimensions. The names are those of `numpy.pad`; some other libraries use different names.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/**
 * What is seen outside of an array.
 * @category Views
 */
export type Border = "constant" | "edge" | "wrap" | "symmetric" | "reflect";

/**
 * From a position, inside or outside, to the index in `[0, n)` that is seen there; -1 for the fill value.
 * @category Views
 */
export type BorderMap = (i: number, n: number) => number;

/**
 * Every border. All maps hold for any distance from the array: they reflect or repeat as often as needed.
 *
 * @example A margin of two around three samples
 * ```ts
 * import { type BorderMap, BORDERS } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const seen = (map: BorderMap) => [-2, -1, 0, 1, 2, 3, 4].map((i) => map(i, 3)).join(" ");
 * assertEquals(seen(BORDERS.edge), "0 0 0 1 2 2 2");
 * assertEquals(seen(BORDERS.reflect), "2 1 0 1 2 1 0");
 * ```
 * @category Views
 */
export const BORDERS: Readonly<Record<Border, BorderMap>> = {
  constant: (i, n) => (i < 0 || i >= n ? -1 : i), //                           ....|abcd|....
  edge: (i, n) => Math.max(0, Math.min(i, n - 1)), //                          aaaa|abcd|dddd
  wrap: (i, n) => modulo(i, n), //                                             abcd|abcd|abcd
  symmetric: (i, n) => Math.min(modulo(i, 2 * n), 2 * n - 1 - modulo(i, 2 * n)), // dcba|abcd|dcba
  reflect: (i, n) => (n === 1 ? 0 : n - 1 - Math.abs(n - 1 - modulo(i, 2 * n - 2))), // dcb|abcd|cba
};

/**
 * Other names of borders. `reflect` alone is NumPy's, without the edge; OpenCV and SciPy mean `symmetric` by it.
 * @category Views
 */
export const BORDER_ALIASES: Readonly<Record<string, Border>> = {
  replicate: "edge",
  nearest: "edge",
  periodic: "wrap",
  reflect101: "reflect",
  mirror: "reflect",
};

/**
 * The border with this name.
 *
 * @example
 * ```ts
 * import { parseBorder } from "@tilewise/tilewise/views";
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(parseBorder("replicate"), "edge");
 * assertThrows(() => parseBorder("mirrored"), Error, "constant, edge, wrap");
 * ```
 * @category Views
 */
export function parseBorder(name: string): Border {
  const border = Object.hasOwn(BORDERS, name) ? name as Border : undefined;
  const found = border ?? (Object.hasOwn(BORDER_ALIASES, name) ? BORDER_ALIASES[name] : undefined);
  if (found) return found;
  const known = [...Object.keys(BORDERS), ...Object.keys(BORDER_ALIASES)].join(", ");
  throw new TilewiseError("invalid", `Unknown border "${name}"; known are ${known}`, { found: name });
}

/** The remainder with the sign of `n`. */
function modulo(i: number, n: number): number {
  return ((i % n) + n) % n;
}
