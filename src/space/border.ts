/**
 * Borders: which sample is seen beyond the end of an array. There is one map per mode and dimension; corners combine the
 * maps of all dimensions. The names are those of `numpy.pad`; some other libraries use different names.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords, isNamed, type OptionRule } from "../options.ts";
import { must } from "../options/rules.ts";
import { type Shape, showShape } from "./shape.ts";

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
 * Every border. All maps hold for any distance from the array: they reflect or repeat as often as needed, and all of
 * their results are exact for positions and sizes up to 2^53.
 *
 * @example A margin of two around three samples
 * ```ts
 * import { type BorderMap } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const seen = (map: BorderMap) => [-2, -1, 0, 1, 2, 3, 4].map((i) => map(i, 3)).join(" ");
 * assertEquals(seen(BORDERS.edge), "0 0 0 1 2 2 2");
 * assertEquals(seen(BORDERS.reflect), "2 1 0 1 2 1 0");
 * ```
 * @category Views
 */
export const BORDERS: Readonly<Record<Border, BorderMap>> = {
  constant: (i, n) => (i < 0 || i >= n ? -1 : i), //   ....|abcd|....
  edge: (i, n) => Math.max(0, Math.min(i, n - 1)), //  aaaa|abcd|dddd
  wrap, //                                             abcd|abcd|abcd
  symmetric, //                                        dcba|abcd|dcba
  reflect, //                                          edcb|abcd|cbab
};

/** Other names of borders. `reflect` alone is NumPy's, without the edge; OpenCV and SciPy mean `symmetric` by it. */
const BORDER_ALIASES: Readonly<Record<string, Border>> = {
  replicate: "edge",
  nearest: "edge",
  periodic: "wrap",
  reflect101: "reflect",
  mirror: "reflect",
};

/**
 * A border of your own, as `borderFunction()` makes it: an export of a module, or a function of the calling thread.
 * @category Views
 */
export interface CustomBorder {
  /** URL of the module. */
  readonly module?: string;
  /** The export of the module; of a function, its name. */
  readonly export: string;
  /** The function, where it is not an export. */
  readonly function?: BorderMap;
}

/**
 * The border of one dimension. `uninitialised`: samples outside of the array have any values. They never are samples of
 * other arrays, but nothing else is promised.
 * @category Views
 */
export type AxisBorder = Border | "uninitialised" | CustomBorder;

/**
 * A border as users give it: its name, another name for it, or a function.
 * @category Views
 */
export type BorderInput = AxisBorder | string | BorderMap;

/** Rule for borders: one, or a list with one per dimension. Names are checked later. */
export const borderRule: OptionRule<BorderInput | readonly BorderInput[]> = must(
  "the name of a border, a function of a position and a size, borderFunction(…), or a list with one of these per dimension",
  (value) => Array.isArray(value) ? value.every(isInput) : isInput(value),
);

function isInput(value: unknown): value is BorderInput {
  return typeof value === "string" || typeof value === "function" || isCustom(value);
}

function isCustom(value: unknown): value is CustomBorder {
  return isNamed(value) && typeof (value as Partial<CustomBorder>).export === "string";
}

/**
 * The border with this name.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(parseBorder("replicate"), "edge");
 * assertThrows(() => parseBorder("mirrored"), Error, "constant, edge, wrap");
 * ```
 * @category Views
 */
export function parseBorder(name: string): Border | "uninitialised" {
  if (name === "uninitialised") return name;
  const border = Object.hasOwn(BORDERS, name) ? name as Border : undefined;
  const found = border ?? (Object.hasOwn(BORDER_ALIASES, name) ? BORDER_ALIASES[name] : undefined);
  if (found) return found;
  const known = [...Object.keys(BORDERS), "uninitialised", ...Object.keys(BORDER_ALIASES)].join(", ");
  throw new TilewiseError("invalid", `Unknown border "${name}"; known are ${known}`, { found: name });
}

/** The border of each dimension of an array of `shape`: the same one for all, or one per dimension. */
export function bordersOf(asked: BorderInput | readonly BorderInput[], shape: Shape): readonly AxisBorder[] {
  if (!Array.isArray(asked)) {
    const one = axisBorder(asked as BorderInput);
    return shape.map(() => one);
  }
  if (asked.length === shape.length) return asked.map(axisBorder);
  const text = `A list of borders has one per dimension: an array of ${showShape(shape)} takes ` +
    `${shape.length}, not ${asked.length}`;
  throw new TilewiseError("invalid", text, { expected: shape.length, found: asked.length });
}

function axisBorder(asked: BorderInput): AxisBorder {
  if (typeof asked === "function") return { export: asked.name || "a function", function: asked };
  if (isCustom(asked)) return asked;
  if (typeof asked !== "string") throw new TilewiseError("invalid", `${inWords(asked)} is not a border`);
  return parseBorder(asked);
}

/** Borders in text: `edge`, or `edge, wrap`; `fill` is the constant. */
export function showBorders(borders: readonly AxisBorder[], fill: number): string {
  const name = (border: AxisBorder) =>
    typeof border === "object" ? border.export : border === "constant" ? `constant ${fill}` : border;
  return (new Set(borders).size === 1 ? [borders[0]!] : borders).map(name).join(", ");
}

function wrap(i: number, n: number): number {
  const rest = i % n;
  return rest < 0 ? rest + n : rest + 0; // 0 instead of −0
}

/** Both directions show the same: position −1 what 0 shows, −2 what 1 shows. */
function symmetric(i: number, n: number): number {
  const at = (i < 0 ? -1 - i : i) % (2 * n);
  return at < n ? at : n - 1 - (at - n);
}

/** Both directions show the same: position −1 what 1 shows. */
function reflect(i: number, n: number): number {
  if (n === 1) return 0;
  const at = Math.abs(i) % (2 * n - 2);
  return at < n ? at : 2 * n - 2 - at;
}
