/**
 * Schemas of the arrays of a hypercube: checked when a cube is made.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, nearest, type OptionNames } from "../../options.ts";
import { list, must, needed, oneOf, text } from "../../options/rules.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { dtypeName } from "../../space/rules.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";
import type { DimensionMap } from "./derive.ts";
import type { Dimension, Extent } from "./dimension.ts";
import { fits } from "./numbers.ts";

/**
 * The role of an array: `input` comes from a source, `output` goes to a sink, `temporary` is scratch of the kernel.
 * @category Hypercubes
 */
export type ArrayRole = "input" | "output" | "temporary";

/**
 * What the default of an array knows of the tile that it is asked for. What sources get has all of these, so that a source
 * can be a default.
 * @category Hypercubes
 */
export interface DefaultContext {
  /** The name of the array. */
  readonly name: string;
  /** Its schema, with abstract shape, description and units. */
  readonly schema: ArraySchema;
  /** Its sizes in this tile. */
  readonly shape: Shape;
  /** Its ranges in the whole problem, axis by axis. */
  readonly extents: readonly Extent[];
  /** The cube with its window on this tile. */
  readonly cube: {
    /** The dimension with this name. */
    dimension(name: string): Dimension;
  };
}

/**
 * Samples of an input that no source provides: one number for all samples (the real part of complex ones), or a function
 * that gives the samples of a tile.
 * @category Hypercubes
 */
export type ArrayDefault =
  | number
  | ((context: DefaultContext) => TypedArray | NDArray | Promise<TypedArray | NDArray>);

/**
 * An array, whose shape is given by names of dimensions and fixed sizes.
 * @category Hypercubes
 */
export interface ArraySchema {
  /** Its name. */
  readonly name: string;
  /** Names of dimensions and fixed sizes, slowest first. */
  readonly shape: readonly (string | number)[];
  /** Type of its samples. */
  readonly dtype: DType;
  /** Its role. Default `input`. */
  readonly role?: ArrayRole;
  /** Words to find it by, such as `constant`. */
  readonly tags?: readonly string[];
  /** Unit, for readers. */
  readonly units?: string;
  /** Description for readers. */
  readonly description?: string;
  /** Its samples where no source provides them; inputs only. */
  readonly default?: ArrayDefault;
}

/** The arrays of a cube with a role; an array without one is an input. */
export function withRole(
  { arrays }: { readonly arrays: ReadonlyMap<string, ArraySchema> },
  wanted: ArrayRole,
): ArraySchema[] {
  return [...arrays.values()].filter(({ role = "input" }) => role === wanted);
}

/** The names in a schema. */
const ARRAY_NAMES: OptionNames<ArraySchema> = {
  name: needed(text),
  shape: needed(list),
  dtype: needed(dtypeName),
  role: oneOf("input", "output", "temporary"),
  tags: must(
    "a list of words",
    (value) => Array.isArray(value) && value.every((tag) => typeof tag === "string"),
  ),
  units: text,
  description: text,
  default: must(
    "a number, or a function that gives samples",
    (value) => /^(number|function)$/.test(typeof value),
  ),
};

/** Checks schemas against each other and against the names of the dimensions. */
export function checkSchemas(arrays: readonly ArraySchema[], known: readonly string[]): void {
  const seen = new Set<string>();
  for (const schema of arrays) {
    checkOptionNames("hypercube()", schema, ARRAY_NAMES, `arrays[${seen.size}]`);
    const { name } = schema;
    if (name === "" || seen.has(name)) {
      throw new TilewiseError("invalid", `Cannot make a cube: array name "${name}" is empty or there twice`);
    }
    seen.add(name);
    checkAxes(schema, known);
    checkDefault(schema);
  }
}

function checkAxes({ name, shape }: ArraySchema, known: readonly string[]): void {
  const wrong = shape.find((axis) =>
    typeof axis === "string" ? !known.includes(axis) : !Number.isSafeInteger(axis) || axis < 0
  );
  if (wrong === undefined) return;
  const near = typeof wrong === "string" ? nearest(wrong, known) : undefined;
  const text = `Cannot make a cube: axis ${inWords(wrong)} of array ${name} is neither a count nor one of ${
    known.join(", ")
  }${near === undefined ? "" : `; did you mean "${near}"?`}`;
  throw new TilewiseError("invalid", text, { found: wrong });
}

function checkDefault({ name, dtype, role = "input", default: value }: ArraySchema): void {
  if (value === undefined) return;
  const refuse = (why: string) => {
    throw new TilewiseError("invalid", `Cannot make a cube: the default of array ${name} ${why}`, {
      option: "default",
      found: inWords(value),
    });
  };
  if (role !== "input") refuse(`has no use: only inputs have defaults, and its role is ${role}`);
  if (typeof value === "number" && !fits(value, dtype)) refuse(`is ${value}, which ${dtype} cannot hold`);
}

/** The window of an array, axis by axis. */
export function extentsOf({ shape }: ArraySchema, dims: DimensionMap): Extent[] {
  return shape.map((axis) => {
    if (typeof axis === "number") return [0, axis];
    const { lower, upper } = dims.get(axis)!;
    return [lower, upper];
  });
}

/** Bytes of the window of an array; refused where numbers stop being exact. */
export function bytesOf(schema: ArraySchema, dims: DimensionMap): number {
  const { itemSize } = dtypeInfo(schema.dtype);
  const shape = extentsOf(schema, dims).map(([lower, upper]) => upper - lower);
  return checkedProduct([...shape, itemSize], `array ${schema.name}`);
}
