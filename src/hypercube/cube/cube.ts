/**
 * Makes hypercubes from sizes and schemas.
 *
 * @module
 */

import { checkOptionNames, type OptionNames, type OptionRule } from "../../options.ts";
import { each, list, must, needed, text, truth, wrongValue } from "../../options/rules.ts";
import { derivationOf, type DimensionInit, type DimensionRule, inOrderOf, madeFrom } from "./derive.ts";
import { CHANGES, type Dimension } from "./dimension.ts";
import { propertiesOf, type PropertyInit } from "./property.ts";
import { type ArraySchema, checkSchemas } from "./schema.ts";
import { checked, Hypercube } from "./value.ts";

export type { ArrayRole, ArraySchema } from "./schema.ts";
export type { Extent } from "./dimension.ts";
export { Hypercube, type Slice } from "./value.ts";

/**
 * What a cube is made from: dimensions by name (sizes, or more), schemas, and properties.
 * @category Hypercubes
 */
export interface CubeInit {
  /** Dimensions by name: sizes, or sizes with more, or rules from which the sizes follow. */
  readonly dimensions: Readonly<Record<string, number | DimensionInit>>;
  /** Schemas of the arrays. */
  readonly arrays: readonly ArraySchema[];
  /** Numbers that belong to the cube, by name. */
  readonly properties?: Readonly<Record<string, number | PropertyInit>>;
}

const INIT_NAMES: OptionNames<DimensionInit & { readonly name?: string }> = {
  ...CHANGES,
  size: must(
    'a number, or a function of the sizes in "of"',
    (value) => typeof value === "number" || typeof value === "function",
  ),
  of: list,
  productOf: list,
  sumOf: list,
  baselinesOf: text,
  autoCorrelations: truth,
};

const aDimension: OptionRule<number | DimensionInit> = (call, option, value) => {
  if (typeof value !== "number") checkOptionNames(call, value as DimensionInit, INIT_NAMES, option);
};

const CUBE_NAMES: OptionNames<CubeInit> = {
  dimensions: needed(each("an object of sizes by the names of dimensions", aDimension)),
  arrays: needed((call, option, value) => {
    if (!Array.isArray(value)) throw wrongValue(call, option, value, "a list of arrays");
  }),
  properties: each("an object of numbers by the names of properties", () => {}),
};

/**
 * Makes a cube from sizes and schemas, and checks them: every name is unique, every shape consists of known names and
 * counts, sizes and bytes are exact numbers.
 *
 * @param init dimensions by name, and arrays over them
 * @returns the cube
 *
 * @example
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { time: 10, antenna: 3 },
 *   arrays: [{ name: "gain", shape: ["time", "antenna"], dtype: "complex64", role: "input" }],
 * });
 * assertEquals([...cube.arrays.keys()], ["gain"]);
 * ```
 * @category Hypercubes
 */
export function hypercube(init: CubeInit): Hypercube {
  checkOptionNames("hypercube()", init, CUBE_NAMES);
  const { dimensions, arrays, properties = {} } = init;
  const names = Object.keys(dimensions);
  checkSchemas(arrays, names);
  const inits = new Map(
    Object.entries(dimensions).map((
      [name, given],
    ): [string, DimensionInit] => [name, typeof given === "number" ? { size: given } : given]),
  );
  const rules = new Map<string, DimensionRule>();
  for (const [name, given] of inits) {
    const rule = derivationOf(name, given);
    if (rule) rules.set(name, rule);
  }
  const derivations = inOrderOf(rules, names);
  const dims = new Map<string, Dimension>();
  const order = [...names.filter((name) => !derivations.has(name)), ...derivations.keys()];
  for (const name of order) dims.set(name, madeFrom(name, inits.get(name)!, derivations.get(name), dims));
  return checked(
    new Hypercube(
      names.map((name) => dims.get(name)!),
      arrays,
      propertiesOf(properties).values(),
      derivations,
    ),
  );
}
