/**
 * What terms of users have in common: the options with which they are made, and the place of their matrices.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import { kernel } from "../../kernels/registry.ts";
import type { OptionRule } from "../../options.ts";
import { must, wrongValue } from "../../options/rules.ts";
import { sizeOf } from "../../space/shape.ts";
import {
  arrayOf,
  type JonesBatch,
  matrixBytes,
  numbersIn,
  realOf,
  type TermSetting,
  type TermTile,
} from "./term.ts";

/** Names of terms: they are parts of names of arrays. */
export const termName: OptionRule<string> = must(
  "a name of letters, digits and _",
  (value) => typeof value === "string" && /^[A-Za-z_]\w*$/.test(value),
);

/** Schemas of inputs. */
export const inputSchemas: OptionRule<readonly ArraySchema[]> = (call, option, value) => {
  const all = Array.isArray(value) &&
    value.every((one) => typeof one?.name === "string" && Array.isArray(one.shape));
  if (!all) throw wrongValue(call, option, value, "a list of array schemas");
  const odd = value.find(({ role = "input" }) => role !== "input");
  if (odd) throw wrongValue(call, `${option}.${odd.name}.role`, odd.role, '"input"');
};

/** The array of the matrices that a term of a user writes for one source. */
export function matricesOf(name: string): ArraySchema {
  return { name: `${name}_jones`, shape: ["ntime", "na", "nchan", 8], dtype: "float64", role: "temporary" };
}

/** The same in float32. */
export function singlesOf(name: string): ArraySchema {
  return { name: `${name}_singles`, shape: ["ntime", "na", "nchan", 8], dtype: "float32", role: "temporary" };
}

/** Writes the matrices of one source at (l, m) to their place; `source` is its number in the whole problem. */
type WriteMatrices = (l: number, m: number, source: number) => void;

/** Calls `write` for each source of a batch, and multiplies what it has written into the matrices of the batch. */
export function eachSource<P>(
  { name, kernels, precision }: TermSetting<P>,
  tile: TermTile,
  write: WriteMatrices,
): (batch: JonesBatch) => void {
  const { memory } = kernels;
  const place = arrayOf(tile, `${name}_jones`);
  const own = numbersIn(memory, place);
  const [count, bytes] = [sizeOf(place.shape), matrixBytes(precision)];
  const singles = precision === "f64" ? place.pointer : arrayOf(tile, `${name}_singles`).pointer;
  const convert = kernel(kernels, "convert_f32", "float64");
  const multiply = kernel(kernels, "multiply_jones", realOf(precision));
  const { times, antennas, channels } = tile;
  return ({ jones, lm, sources, first, numbers }) => {
    const directions = new Float64Array(memory.buffer, lm, 2 * sources);
    for (let s = 0; s < sources; s++, jones += bytes * count / 8) {
      fillIdentity(own);
      write(directions[2 * s]!, directions[2 * s + 1]!, numbers?.[s] ?? first + s);
      if (precision === "mixed") convert(singles, place.pointer, count);
      multiply(jones, singles, 1, times * antennas, channels, bytes * channels, bytes);
    }
  };
}

/** Fills matrices, as pairs, with identities. */
export function fillIdentity(matrices: Float64Array | Float32Array): void {
  if (matrices.length === 0) return;
  matrices.set([1, 0, 0, 0, 0, 0, 1, 0]);
  for (let done = 8; done < matrices.length; done *= 2) {
    matrices.copyWithin(done, 0, Math.min(done, matrices.length - done));
  }
}

/** The error for a term of a user that failed for a source. */
export function termFailure(
  name: string,
  source: number,
  reason: string,
  cause: unknown,
  more = {},
): TilewiseError {
  const text = `Term "${name}" failed for source ${source}: ${reason}`;
  return new TilewiseError("udf", text, { term: name, source, ...more }, { cause });
}
