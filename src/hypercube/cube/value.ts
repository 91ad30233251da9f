/**
 * The value of a hypercube: dimensions by name, and schemas of the arrays over them.
 *
 * A cube is an immutable value. A change makes a new cube, so a refused change leaves nothing behind, and two cubes
 * share no mutable state.
 *
 * @module
 */

import { checkOptionNames } from "../../options.ts";
import { each } from "../../options/rules.ts";
import { CUSTOM_INSPECT, JUPYTER_DISPLAY } from "../../pictures/displayable.ts";
import type { Shape } from "../../space/shape.ts";
import { type DimensionMap, type DimensionRule, followed } from "./derive.ts";
import {
  asked,
  cubeBundle,
  describeCube,
  describeName,
  differencesOf,
  type DimensionQuery,
  found,
} from "./describe.ts";
import {
  changed,
  CHANGES,
  type Dimension,
  type DimensionChange,
  type Extent,
  extentSize,
} from "./dimension.ts";
import { type Property, withValues } from "./property.ts";
import { type ArraySchema, bytesOf, checkSchemas, extentsOf } from "./schema.ts";
import { bytesText } from "./tables.ts";
import { TilewiseError } from "../../errors.ts";

/**
 * A range as start and stop, for `slice(start, stop)`.
 * @category Hypercubes
 */
export interface Slice {
  /** First index inside. */
  readonly start: number;
  /** First index beyond. */
  readonly stop: number;
}

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
 * assertEquals(tile.extentSizes("ntime, na", 3), [10, 7, 3]);
 * ```
 * @category Hypercubes
 */
export class Hypercube {
  /** The dimensions by name. */
  readonly dimensions: ReadonlyMap<string, Dimension>;
  /** The schemas by name. */
  readonly arrays: ReadonlyMap<string, ArraySchema>;
  /** The properties by name. */
  readonly properties: ReadonlyMap<string, Property>;
  /** The rules of the derived dimensions by name, each after those that it follows. */
  readonly derivations: ReadonlyMap<string, DimensionRule>;

  /** A cube of checked parts; {@link hypercube} checks them. */
  constructor(
    dimensions: Iterable<Dimension>,
    arrays: Iterable<ArraySchema>,
    properties: Iterable<Property> = [],
    derivations: ReadonlyMap<string, DimensionRule> = new Map(),
  ) {
    this.dimensions = new Map([...dimensions].map((dim) => [dim.name, dim]));
    this.arrays = new Map([...arrays].map((array) => [array.name, array]));
    this.properties = new Map([...properties].map((property) => [property.name, property]));
    this.derivations = derivations;
  }

  /** The dimension with this name. */
  dimension(name: string): Dimension {
    return found(this.dimensions, name, "dimension");
  }

  /** The schema with this name. */
  array(name: string): ArraySchema {
    return found(this.arrays, name, "array");
  }

  /** The value of the property with this name; 0 or 1 for truth values. */
  property(name: string): number {
    return found(this.properties, name, "property").value;
  }

  /**
   * A cube with changed dimensions; all changes are checked before it is made. Derived dimensions follow, in size and,
   * for sums and products, in window.
   */
  with(changes: Readonly<Record<string, DimensionChange>>): Hypercube {
    each("an object of changes by the names of dimensions", (call, option, change) => {
      const name = option.slice("changes.".length);
      this.dimension(name);
      checkOptionNames(call, change as DimensionChange, CHANGES, name);
    })("with()", "changes", changes);
    const { arrays, properties, derivations } = this;
    const dims = this.#changed(changes);
    const cube = new Hypercube(dims.values(), arrays.values(), properties.values(), derivations);
    const isLarger = [...dims.values()].some((dim) =>
      extentSize(dim) > extentSize(this.dimensions.get(dim.name)!)
    );
    return isLarger ? checked(cube) : cube;
  }

  #changed(changes: Readonly<Record<string, DimensionChange>>): DimensionMap {
    const changeOf = (name: string) => Object.hasOwn(changes, name) ? changes[name]! : {};
    const dims = new Map(this.dimensions);
    for (const [name, old] of this.dimensions) {
      if (Object.hasOwn(changes, name) && !this.derivations.has(name)) {
        dims.set(name, changed(old, changeOf(name)));
      }
    }
    for (const [name, rule] of this.derivations) {
      const moved = rule.of.some((base) => dims.get(base) !== this.dimensions.get(base));
      if (!moved && !Object.hasOwn(changes, name)) continue;
      dims.set(name, followed(dims.get(name)!, rule, dims, changeOf(name), moved));
    }
    return dims;
  }

  /** A cube with these schemas instead of its own. */
  withArrays(arrays: readonly ArraySchema[]): Hypercube {
    const { dimensions, properties, derivations } = this;
    checkSchemas(arrays, [...dimensions.keys()]);
    return checked(new Hypercube(dimensions.values(), arrays, properties.values(), derivations));
  }

  /** A cube with other values of properties, cast to their dtypes: `"2.5"` is 2.5. */
  withProperties(values: Readonly<Record<string, number | string | boolean>>): Hypercube {
    const { dimensions, arrays, properties, derivations } = this;
    return new Hypercube(
      dimensions.values(),
      arrays.values(),
      withValues(properties, values).values(),
      derivations,
    );
  }

  /** Sizes of dimensions, always as a list: `sizes("ntime, na")`, `sizes("ntime", "na", 3)`. */
  sizes(...query: DimensionQuery): number[] {
    return asked(this.dimensions, query).map(({ size }) => size);
  }

  /** First samples of the windows of dimensions, always as a list. */
  lowers(...query: DimensionQuery): number[] {
    return asked(this.dimensions, query).map(({ lower }) => lower);
  }

  /** Ends of the windows of dimensions, one past their last samples, always as a list. */
  uppers(...query: DimensionQuery): number[] {
    return asked(this.dimensions, query).map(({ upper }) => upper);
  }

  /** Windows of dimensions, always as a list. */
  extents(...query: DimensionQuery): Extent[] {
    return asked(this.dimensions, query).map(({ lower, upper }) => [lower, upper]);
  }

  /** Numbers of samples in the windows of dimensions, always as a list. */
  extentSizes(...query: DimensionQuery): number[] {
    return asked(this.dimensions, query).map(extentSize);
  }

  /** Windows of dimensions as `start` and `stop`, always as a list. */
  slices(...query: DimensionQuery): Slice[] {
    return this.extents(...query).map(asSlice);
  }

  /** Dimensions by name: `const { ntime, na } = cube.select("ntime na")`. Without names: all. */
  select(...names: readonly string[]): Record<string, Dimension> {
    const dims = names.length === 0 ? [...this.dimensions.values()] : asked(this.dimensions, names);
    return Object.fromEntries(dims.map((dim) => [dim.name, dim]));
  }

  /** The window of an array, axis by axis. */
  arrayExtents(name: string): Extent[] {
    return extentsOf(this.array(name), this.dimensions);
  }

  /** The window of an array as `start` and `stop`, axis by axis. */
  arraySlices(name: string): Slice[] {
    return this.arrayExtents(name).map(asSlice);
  }

  /** Sizes of the window of an array. */
  arrayShape(name: string): Shape {
    return this.arrayExtents(name).map(([lower, upper]) => upper - lower);
  }

  /** The schema of an array with the sizes of its window as shape; a copy. */
  reify(name: string): ArraySchema & {
    /** Sizes of the window. */
    readonly shape: Shape;
  } {
    return { ...this.array(name), shape: this.arrayShape(name) };
  }

  /** Bytes of the window of an array. */
  arrayBytes(name: string): number {
    return bytesOf(this.array(name), this.dimensions);
  }

  /** Bytes of the windows of all arrays together. */
  bytesRequired(): number {
    const bytes = [...this.arrays.values()].map((array) => bytesOf(array, this.dimensions));
    return checkedSum(bytes, "the arrays of the cube");
  }

  /** {@link bytesRequired} as short text, in steps of 1024: `30.5TB`. */
  bytesText(): string {
    return bytesText(this.bytesRequired());
  }

  /** Tables of the dimensions, arrays and properties; or, with a name, all about one of these. */
  describe(name?: string): string {
    return name === undefined ? describeCube(this) : describeName(this, name);
  }

  /** What this cube has that another one has not, or has otherwise: a line per dimension, array and property. */
  differences(other: Hypercube): string[] {
    return differencesOf(this, other);
  }

  /** The tables of {@link describe}. */
  toString(): string {
    return describeCube(this);
  }

  /** How a notebook shows it: tables. */
  [JUPYTER_DISPLAY](): Readonly<Record<string, string>> {
    return cubeBundle(this);
  }

  /** How the console shows it: tables. */
  [CUSTOM_INSPECT](): string {
    return describeCube(this);
  }
}

/** The cube, unless bytes of its window are more than numbers count exactly. */
export function checked(cube: Hypercube): Hypercube {
  cube.bytesRequired();
  return cube;
}

function asSlice([start, stop]: Extent): Slice {
  return { start, stop };
}

/**
 * The sum of some counts; `overflow` beyond 2^53 − 1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(checkedSum([1, 2], "all"), 3);
 * ```
 */
export function checkedSum(counts: readonly number[], what: string): number {
  const sum = counts.reduce((a, b) => a + b, 0);
  if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  throw new TilewiseError("overflow", `Cannot size ${what}: together they are more than 2^53 bytes`, {
    expected: Number.MAX_SAFE_INTEGER,
    found: sum,
  });
}
