/**
 * Sources from arrays in memory.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkNames, checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { each, either, must, text } from "../../options/rules.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { type StridedView, stridedView } from "../../memory/strided.ts";
import { dtypeInfo, isArrayOf, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { isArray } from "../../space/rules.ts";
import { sameShape, type Shape, showShape, sizeOf, stridesOf } from "../../space/shape.ts";
import type { Extent, Hypercube } from "../cube/cube.ts";
import { withRole } from "../cube/schema.ts";
import { firstTile } from "../cube/iterate.ts";
import type { StartContext } from "./context.ts";
import type { Provider, Source } from "./provider.ts";

/**
 * Options of {@link fromArrays}.
 * @category Hypercubes
 */
export interface FromArraysOptions {
  /** The name of the provider in messages. Default `arrays`. */
  readonly name?: string;
}

const OPTIONS: OptionNames<FromArraysOptions> = { name: text };

const arraysRule = each(
  "an object of arrays by the names of inputs",
  either("an array, or a typed array", must("", isArray), must("", ArrayBuffer.isView)),
);

/**
 * A provider of arrays that are whole: each tile gets the slice of its extents. Typed arrays have the shape that the schema
 * says; other arrays must have that shape and type, and may be strided.
 *
 * Errors, when a run begins: `invalid` for names that the cube does not have, and for other shapes and types.
 *
 * @param arrays arrays by their names in the cube
 * @param options the name of the provider
 * @returns the provider
 *
 * @example
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { cubeFunction, fromArrays, hypercube, planTiles, toMemory } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { n: 4 },
 *   arrays: [{ name: "x", shape: ["n"], dtype: "int32" }, { name: "y", shape: ["n"], dtype: "int32", role: "output" }],
 * });
 * const twice = cubeFunction(({ arrays: { x, y } }) => {
 *   for (const i of x.data.keys()) y.data[i] = 2 * x.data[i]!;
 * }, { arrays: { x: "int32", y: "int32" } });
 * await using context = createContext({ workers: 0 });
 * const y = toMemory("y");
 * const sources = [fromArrays({ x: Int32Array.of(1, 2, 3, 4) })];
 * await run(planTiles(cube, { context, tile: ["n"] }), { kernel: twice, sources, sinks: [y] });
 * assertEquals(y.array("y", "int32").data, Int32Array.of(2, 4, 6, 8));
 * ```
 * @category Hypercubes
 */
export function fromArrays(
  arrays: Readonly<Record<string, NDArray | TypedArray>>,
  options: FromArraysOptions = {},
): Provider {
  arraysRule("fromArrays()", "arrays", arrays);
  checkOptionNames("fromArrays()", options, OPTIONS);
  const { name: provider = "arrays" } = options;
  const sources = Object.entries(arrays).map(([name, array]): [string, Source] => {
    return [name, ({ cube, extents, dtype, shape }) => {
      const whole = wholeView(array, globalShape(cube, name), dtype);
      return slice(whole, extents, shape);
    }];
  });
  return {
    name: provider,
    sources: Object.fromEntries(sources),
    start: (context) =>
      Object.entries(arrays).forEach(([name, array]) => check(context, provider, name, array)),
  };
}

/** The sizes of the whole problem along the axes of an array. */
export function globalShape(cube: Hypercube, name: string): number[] {
  return cube.array(name).shape.map((axis) => typeof axis === "number" ? axis : cube.dimension(axis).size);
}

/** The sizes of an array in the first tile, which is the largest one. */
export function largestShape({ cube, strides }: Pick<StartContext, "cube" | "strides">, name: string): Shape {
  return firstTile(cube, strides).arrayShape(name);
}

/** A dense array over bytes of any memory, or a strided one. */
export function wholeView(array: NDArray | TypedArray, shape: Shape, dtype: NDArray["dtype"]): StridedView {
  const data = ArrayBuffer.isView(array) ? array : array.data;
  const { itemSize } = dtypeInfo(dtype);
  const strides = (ArrayBuffer.isView(array) ? stridesOf(shape) : array.stride).map((n) => n * itemSize);
  return stridedView(data.buffer, data.byteOffset, dtype, shape, strides);
}

/** A dense copy of a box. */
export function slice(whole: StridedView, extents: readonly Extent[], shape: Shape): TypedArray {
  const data = zeros(whole.dtype, sizeOf(shape));
  const origin = extents.map(([lower]) => lower);
  copyBox(whole, { origin, shape }, wholeView(data, shape, whole.dtype), origin.map(() => 0));
  return data;
}

function check({ cube }: StartContext, provider: string, name: string, array: NDArray | TypedArray): void {
  const inputs = withRole(cube, "input").map(({ name }) => name);
  checkNames("there is no input", { [name]: array }, inputs);
  const { dtype } = cube.array(name);
  const shape = globalShape(cube, name);
  const isTyped = ArrayBuffer.isView(array);
  const data = isTyped ? array : array.data;
  const fits = isArrayOf(data, dtype) &&
    (isTyped
      ? data.length === sizeOf(shape) * unitsOf(dtype)
      : array.dtype === dtype && sameShape(array.shape, shape));
  if (fits) return;
  const found = isTyped ? `${inWords(array)} of ${array.length}` : `${showShape(array.shape)} ${array.dtype}`;
  const text = `${name} must be ${showShape(shape)} samples of ${dtype}; it is ${found}`;
  throw new TilewiseError("invalid", text, {
    array: name,
    provider,
    expected: `${showShape(shape)} ${dtype}`,
    found,
  });
}
