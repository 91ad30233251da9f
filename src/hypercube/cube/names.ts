/**
 * Names of dimensions as queries take them: several ones, several in one text, and numbers.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, nearest } from "../../options.ts";
import type { DimensionMap } from "./derive.ts";
import { type Dimension, dimension } from "./dimension.ts";

/**
 * Dimensions of a query: names, each alone or several in one text with `,`, `:`, `;` or a space between them, and numbers,
 * which stand for fixed sizes.
 * @category Hypercubes
 */
export type DimensionQuery = readonly (string | number)[];

/**
 * The dimensions of a query, in its order; a number is a dimension of this size.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { dimension } from "@tilewise/tilewise/unstable/hypercube";
 * const dims = new Map(["a", "b"].map((name) => [name, dimension(name, 3)]));
 * assertEquals(asked(dims, ["a, b", 4]).map(({ size }) => size), [3, 3, 4]);
 * ```
 */
export function asked(dims: DimensionMap, query: DimensionQuery): Dimension[] {
  return query.flatMap((item) => {
    if (typeof item === "number") return [dimension("fixed", item)];
    if (typeof item === "string") return unpacked(item).map((name) => found(dims, name, "dimension"));
    throw noName(item, "dimension", [...dims.keys()]);
  });
}

/** The names in a text. */
export function unpacked(names: string): string[] {
  return names.split(/[\s,:;]+/).filter((name) => name !== "");
}

/** What a map has under a name; the error names the nearest known one. */
export function found<V>(map: ReadonlyMap<string, V>, name: string, kind: string): V {
  const value = map.get(name);
  if (value !== undefined) return value;
  throw noName(name, kind, [...map.keys()]);
}

function noName(name: unknown, kind: string, known: readonly string[]): TilewiseError {
  const near = typeof name === "string" ? nearest(name, known) : undefined;
  const hint = known.length === 0 ? "there are none" : `known are ${known.join(", ")}`;
  const shown = typeof name === "string" ? `"${name}"` : inWords(name);
  const text = `There is no ${kind} ${shown}; ${hint}${
    near === undefined ? "" : `; did you mean "${near}"?`
  }`;
  return new TilewiseError("invalid", text, { found: typeof name === "string" ? name : inWords(name) });
}
