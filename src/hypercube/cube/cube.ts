/**
 * Hypercubes: dimensions by name, and schemas of the arrays over them.
 *
 * A cube is an immutable value. A change makes a new cube, so a refused change leaves nothing behind, and two cubes
 * share no mutable state.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames, type OptionRule } from "../../options.ts";
import {
  callable,
  each,
  either,
  list,
  needed,
  number,
  oneOf,
  text,
  wrongValue,
} from "../../options/rules.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { dtypeName } from "../../space/rules.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";
import { changed, CHANGES, type Dimension, dimension, type DimensionChange } from "./dimension.ts";

/**
 * Half-open range of samples along a dimension.
 * @category Hypercubes
 */
export type Extent = readonly [lower: number, upper: number];

/**
 * The role of an array: `input` comes from a source, `output` goes to a sink, `temporary` is scratch of the kernel.
 * @category Hypercubes
 */
export type ArrayRole = "input" | "output" | "temporary";

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
  /** Description for readers. */
  readonly description?: string;
  /** Unit, for readers. */
  readonly units?: string;
  /** Its samples where no source supplies them: one number, or a function like a source. */
  readonly default?: ArrayDefault;
}

/**
 * The samples of an array that no source supplies: a number for all of them (of complex samples: the real part), or a
 * function that gives those of a tile.
 * @category Hypercubes
 */
export type ArrayDefault =
  | number
  | ((context: DefaultContext) => TypedArray | NDArray | Promise<TypedArray | NDArray>);

/**
 * The facts that a default gets.
 * @category Hypercubes
 */
export interface DefaultContext {
  /** The name of the array. */
  readonly name: string;
  /** Its sizes in this tile. */
  readonly shape: Shape;
  /** Its ranges in the whole problem, axis by axis. */
  readonly extents: readonly Extent[];
  /** The cube with its window on this tile. */
  readonly cube: Hypercube;
}

/**
 * What a cube is made from: dimensions by name (sizes, or more), and schemas.
 * @category Hypercubes
 */
export interface CubeInit {
  /** Sizes of the dimensions by name, or what {@link dimension} takes. */
  readonly dimensions: Readonly<
    Record<
      string,
      | number
      | (DimensionChange & {
        /** Samples of the whole problem. */
        readonly size: number;
      })
    >
  >;
  /** Schemas of the arrays. */
  readonly arrays: readonly ArraySchema[];
}

const ARRAY_NAMES: OptionNames<ArraySchema> = {
  name: needed(text),
  shape: needed(list),
  dtype: needed(dtypeName),
  role: oneOf("input", "output", "temporary"),
  description: text,
  units: text,
  default: either("a number, or a function", number, callable),
};

const size: OptionRule = (call, option, value) => {
  if (typeof value !== "number") checkOptionNames(call, value as DimensionChange, CHANGES, option);
};

const CUBE_NAMES: OptionNames<CubeInit> = {
  dimensions: needed(each("an object of sizes by the names of dimensions", size)),
  arrays: needed((call, option, value) => {
    if (!Array.isArray(value)) throw wrongValue(call, option, value, "a list of arrays");
    value.forEach((array, i) => checkOptionNames(call, array, ARRAY_NAMES, `${option}[${i}]`));
  }),
};

/**
 * Dimensions and schemas.
 *
 * @example
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { ntime: 100, na: 7 },
 *   arrays: [{ name: "uvw", shape: ["ntime", "na", 3], dtype: "float64" }],
 * });
 * assertEquals(cube.bytesRequired(), 100 * 7 * 3 * 8);
 * const tile = cube.with({ ntime: { lower: 90 } });
 * assertEquals(tile.arrayShape("uvw"), [10, 7, 3]);
 * assertEquals(tile.arrayExtents("uvw"), [[90, 100], [0, 7], [0, 3]]);
 * ```
 * @category Hypercubes
 */
export class Hypercube {
  /** The dimensions by name. */
  readonly dimensions: ReadonlyMap<string, Dimension>;
  /** The schemas by name. */
  readonly arrays: ReadonlyMap<string, ArraySchema>;

  /** A cube of checked dimensions and schemas; {@link hypercube} checks them. */
  constructor(dimensions: Iterable<Dimension>, arrays: Iterable<ArraySchema>) {
    this.dimensions = new Map([...dimensions].map((dim) => [dim.name, dim]));
    this.arrays = new Map([...arrays].map((array) => [array.name, array]));
  }

  /** The dimension with this name. */
  dimension(name: string): Dimension {
    return found(this.dimensions, name, "dimension");
  }

  /** The schema with this name. */
  array(name: string): ArraySchema {
    return found(this.arrays, name, "array");
  }

  /** A cube with changed dimensions; all changes are checked before it is made. */
  with(changes: Readonly<Record<string, DimensionChange>>): Hypercube {
    each("an object of changes by the names of dimensions", (call, option, change) => {
      const name = option.slice("changes.".length);
      this.dimension(name);
      checkOptionNames(call, change as DimensionChange, CHANGES, name);
    })("with()", "changes", changes);
    const dims = [...this.dimensions.values()];
    return new Hypercube(dims.map((dim) => changed(dim, changes[dim.name] ?? {})), this.arrays.values());
  }

  /** The window of an array, axis by axis. */
  arrayExtents(name: string): Extent[] {
    return this.array(name).shape.map((axis) => {
      if (typeof axis === "number") return [0, axis];
      const { lower, upper } = this.dimension(axis);
      return [lower, upper];
    });
  }

  /** Sizes of the window of an array. */
  arrayShape(name: string): Shape {
    return this.arrayExtents(name).map(([lower, upper]) => upper - lower);
  }

  /** Bytes of the window of an array. */
  arrayBytes(name: string): number {
    const { itemSize } = dtypeInfo(this.array(name).dtype);
    return checkedProduct([...this.arrayShape(name), itemSize], `array ${name}`);
  }

  /** Bytes of the windows of all arrays together. */
  bytesRequired(): number {
    let sum = 0;
    for (const name of this.arrays.keys()) sum += this.arrayBytes(name);
    return sum;
  }

  /** The cube as a text table. */
  toString(): string {
    const dims = [...this.dimensions.values()].map((dim) =>
      `  ${dim.name}: ${dim.lower} to ${dim.upper} of ${dim.size}${
        dim.description && ` (${dim.description})`
      }`
    );
    const arrays = [...this.arrays.values()].map(({ name, shape, dtype, role = "input" }) =>
      `  ${name}: ${shape.join(" × ") || "scalar"} ${dtype}, ${role}`
    );
    return ["dimensions", ...dims, "arrays", ...arrays].join("\n");
  }
}

/**
 * Makes a cube from sizes and schemas, and checks them: every name is unique, every shape consists of known names and
 * counts.
 * @category Hypercubes
 */
export function hypercube(init: CubeInit): Hypercube {
  checkOptionNames("hypercube()", init, CUBE_NAMES);
  const { dimensions, arrays } = init;
  const dims = Object.entries(dimensions).map(([name, given]) =>
    typeof given === "number" ? dimension(name, given) : dimension(name, given.size, given)
  );
  const names = new Set(dims.map(({ name }) => name));
  const seen = new Set<string>();
  for (const { name, shape } of arrays) {
    if (name === "" || seen.has(name)) {
      throw new TilewiseError("invalid", `Cannot make a cube: array name "${name}" is empty or there twice`);
    }
    seen.add(name);
    const wrong = shape.find((axis) =>
      typeof axis === "string" ? !names.has(axis) : !Number.isSafeInteger(axis) || axis < 0
    );
    if (wrong === undefined) continue;
    const text = `Cannot make a cube: axis ${wrong} of array ${name} is neither a count nor one of ${
      [...names].join(", ")
    }`;
    throw new TilewiseError("invalid", text, { found: wrong });
  }
  return new Hypercube(dims, arrays);
}

function found<V>(map: ReadonlyMap<string, V>, name: string, kind: string): V {
  const value = map.get(name);
  if (value !== undefined) return value;
  const known = [...map.keys()].join(", ");
  throw new TilewiseError("invalid", `There is no ${kind} "${name}"; known are ${known}`, { found: name });
}
