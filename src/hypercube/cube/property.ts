/**
 * Properties of a hypercube: numbers with a name and a type that belong to one cube, such as a noise level.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkNames, checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { either, needed, number, text, truth } from "../../options/rules.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { dtypeName } from "../../space/rules.ts";
import { fits, rounded } from "./numbers.ts";

/**
 * What a property is made from; a number alone is a `float64` with this default.
 * @category Hypercubes
 */
export interface PropertyInit {
  /** Type of its value; not complex. */
  readonly dtype: DType;
  /** Its value unless another one is set; a text is read as a number. */
  readonly default: number | string | boolean;
  /** Description for readers. */
  readonly description?: string;
}

/**
 * A property of a cube.
 * @category Hypercubes
 */
export interface Property {
  /** Its name. */
  readonly name: string;
  /** Type of its value. */
  readonly dtype: DType;
  /** Its value unless another one is set. */
  readonly default: number;
  /** Its value, as the dtype holds it; 0 or 1 for truth values. */
  readonly value: number;
  /** Description for readers. */
  readonly description: string;
}

// deno-fmt-ignore: written by `deno task build`
const PROPERTY_NAMES: OptionNames<PropertyInit> = {
  dtype: needed(dtypeName),
  default: needed(either("a number, a text or a truth value", number, text, truth)), description: text,
};

/** The checked properties of a cube. */
export function propertiesOf(inits: Readonly<Record<string, number | PropertyInit>>): Map<string, Property> {
  return new Map(
    Object.entries(inits).map(([name, given]) => {
      const init: PropertyInit = typeof given === "number" ? { dtype: "float64", default: given } : given;
      checkOptionNames("hypercube()", init, PROPERTY_NAMES, `properties.${name}`);
      if (init.default === undefined || name === "") throw wrong(name, init.default, init.dtype);
      const { dtype, description = "" } = init;
      const value = cast(name, init.default, dtype);
      return [name, { name, dtype, default: value, value, description }];
    }),
  );
}

/** The properties with other values, cast to their dtypes. */
export function withValues(
  properties: ReadonlyMap<string, Property>,
  values: Readonly<Record<string, number | string | boolean>>,
): Map<string, Property> {
  checkNames("The cube has no property", values, [...properties.keys()]);
  return new Map([...properties].map(([name, property]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return [name, value === undefined ? property : { ...property, value: cast(name, value, property.dtype) }];
  }));
}

/**
 * A value as `dtype` holds it: texts are read as numbers, floats are rounded. A value that would become another one, such as
 * 2.5 as an integer, is refused.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals([cast("x", "2.5", "float64"), cast("x", 0.1, "float32")], [2.5, Math.fround(0.1)]);
 * assertThrows(() => cast("x", 2.5, "int32"), Error, "int32 cannot hold 2.5");
 * ```
 */
export function cast(name: string, value: number | string | boolean, dtype: DType): number {
  const isText = typeof value === "string";
  const number = isText && value.trim() === "" ? undefined : Number(value);
  const known = ["number", "string", "boolean"].includes(typeof value);
  if (!known || number === undefined || (isText && Number.isNaN(number) && value.trim() !== "NaN")) {
    throw wrong(name, value, dtype);
  }
  if (dtypeInfo(dtype).kind === "c" || !fits(number, dtype)) throw wrong(name, value, dtype);
  return rounded(number, dtype);
}

function wrong(name: string, value: unknown, dtype: DType): TilewiseError {
  const text = `Cannot set property "${name}": ${dtype} cannot hold ${inWords(value)}`;
  return new TilewiseError("invalid", text, { option: `properties.${name}`, found: inWords(value) });
}
