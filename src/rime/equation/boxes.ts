/**
 * Boxes of arrays that are whole in memory: cut out for sources.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Hypercube } from "../../hypercube/cube/cube.ts";
import { globalShape } from "../../hypercube/providers/arrays.ts";
import type { Source } from "../../hypercube/providers/provider.ts";
import { dtypeInfo, type TypedArray, typedArray } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";

/**
 * A source of an input of a cube that is whole in memory; complex samples are pairs. Float64 becomes what the input needs.
 * Errors: `invalid` if the array has another length.
 */
export function sourceOf(call: string, cube: Hypercube, input: string, values: TypedArray): Source {
  const { dtype } = cube.array(input);
  const unit = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const shape = globalShape(cube, input);
  const expected = unit * sizeOf(shape);
  if (values.length !== expected) {
    const pairs = unit === 2 ? " pairs" : "";
    const text = `${call}: ${input} has ${values.length} numbers; it must have ${expected}, ${
      shape.join(" × ")
    }${pairs}`;
    throw new TilewiseError("invalid", text, { option: input, found: values.length, expected });
  }
  return ({ extents }) => {
    const count = sizeOf(extents.map(([lower, upper]) => upper - lower));
    const out = typedArray(dtype, new ArrayBuffer(count * dtypeInfo(dtype).itemSize), 0, count);
    for (const [at, from, run] of runsOf(shape, extents, unit)) {
      for (let i = 0; i < run; i++) out[at + i] = values[from + i]!;
    }
    return out;
  };
}

/** The runs of a box: place in the box, place in the whole, numbers. */
function* runsOf(
  shape: readonly number[],
  extents: readonly (readonly [number, number])[],
  unit: number,
): Generator<[inBox: number, inWhole: number, count: number]> {
  const [lower, upper] = extents.at(-1) ?? [0, 1];
  const [size, run] = [shape.at(-1) ?? 1, unit * (upper - lower)];
  let at = 0;
  for (const row of rowsIn(extents.slice(0, -1), shape)) {
    yield [at, unit * (row * size + lower), run];
    at += run;
  }
}

/** The numbers of the rows of a box, in the whole. */
function* rowsIn(
  [first, ...rest]: readonly (readonly [number, number])[],
  [, ...sizes]: readonly number[],
): Generator<number> {
  if (!first) return yield 0;
  const inner = rest.reduce((n, _, d) => n * sizes[d]!, 1);
  for (let i = first[0]; i < first[1]; i++) for (const j of rowsIn(rest, sizes)) yield i * inner + j;
}
