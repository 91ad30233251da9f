/**
 * Cubes over arrays that are whole in memory.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ArraySchema, type Hypercube, hypercube } from "../../hypercube/cube/cube.ts";
import { withRole } from "../../hypercube/cube/schema.ts";
import { globalShape, slice, wholeView } from "../../hypercube/providers/arrays.ts";
import type { Provider, Source } from "../../hypercube/providers/provider.ts";
import { dtypeOf, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";

/** The cube of `arrays`, with those of the dimensions that they have. */
export function cubeOver(arrays: readonly ArraySchema[], sizes: object): Hypercube {
  const named = new Set<unknown>(arrays.flatMap(({ shape }) => shape));
  return hypercube({
    dimensions: Object.fromEntries(Object.entries(sizes).filter(([name]) => named.has(name))),
    arrays,
  });
}

/**
 * Sources of the inputs of a cube; arrays that are none of its inputs are left out. Complex samples are pairs, and float64
 * becomes what an input needs. Errors: `invalid` for an array of another length.
 */
export function inMemory(
  call: string,
  cube: Hypercube,
  arrays: Readonly<Record<string, TypedArray>>,
): Provider {
  const sources = withRole(cube, "input").flatMap(({ name }) => {
    const values = arrays[name];
    return values ? [[name, sourceOf(call, cube, name, values)]] : [];
  });
  return { name: "arrays", sources: Object.fromEntries(sources) };
}

function sourceOf(call: string, cube: Hypercube, input: string, values: TypedArray): Source {
  const { dtype } = cube.array(input), units = unitsOf(dtype), pair = units > 1 ? [units] : [];
  const whole = globalShape(cube, input), expected = units * sizeOf(whole);
  if (values.length !== expected) {
    const text = `${call}: ${input} has ${values.length} numbers; it must have ${expected}, ${
      whole.join(" × ")
    }${units > 1 ? " pairs" : ""}`;
    throw new TilewiseError("invalid", text, { option: input, found: values.length, expected });
  }
  const view = wholeView(values, [...whole, ...pair], dtypeOf(values));
  return ({ extents, shape }) => {
    const box = slice(view, [...extents, ...pair.map((n) => [0, n] as const)], [...shape, ...pair]);
    const out = zeros(dtype, sizeOf(shape));
    if (box.constructor === out.constructor) return box;
    out.set(box as never); // both are numbers, or neither is
    return out;
  };
}
