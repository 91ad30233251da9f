/**
 * The arrays that several terms know: angles, frequencies.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import { dtypeInfo, typedArray } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { TermTile } from "./term.ts";

/** The angles that turn the feeds of antennas, and with them their beams. */
export const ANGLES: readonly ArraySchema[] = [
  {
    name: "parallactic_angles",
    shape: ["ntime", "na"],
    dtype: "float64",
    role: "input",
    description: "from the direction of the pole to that of the zenith",
    units: "rad",
  },
  {
    name: "feed_angles",
    shape: ["na"],
    dtype: "float64",
    role: "input",
    description: "of the feeds of antennas",
    units: "rad",
  },
];

/** The frequencies of channels. */
export const FREQUENCY: ArraySchema = {
  name: "frequency",
  shape: ["nchan"],
  dtype: "float64",
  role: "input",
  description: "of channels",
  units: "Hz",
};

/** An array of a tile that a term needs. */
export function arrayOf({ arrays }: Pick<TermTile, "arrays">, name: string): CubeArray {
  const found = arrays[name];
  if (found) return found;
  throw new TilewiseError("corrupt", `A term needs the array ${name}, which the tile does not have`);
}

/** The float64 numbers of an array of a tile; complex ones as pairs. */
export function numbersIn(memory: WebAssembly.Memory, { pointer, shape, dtype }: CubeArray): Float64Array {
  return new Float64Array(memory.buffer, pointer, sizeOf(shape) * dtypeInfo(dtype).itemSize / 8);
}

/** The numbers of a complex array of a tile, as pairs. */
export function pairsIn(
  memory: WebAssembly.Memory,
  { pointer, shape, dtype }: CubeArray,
): Float32Array | Float64Array {
  const data = typedArray(dtype, memory.buffer, pointer, sizeOf(shape));
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  throw new TilewiseError("corrupt", `Pairs of complex numbers lie in an array of ${dtype}`);
}

/** Calls `use` with the angle of each time and antenna: parallactic angle + feed angle. */
export function eachAngle(
  memory: WebAssembly.Memory,
  tile: TermTile,
  use: (angle: number, index: number) => void,
): void {
  const [parallactic, feed] = ANGLES.map(({ name }) => numbersIn(memory, arrayOf(tile, name)));
  for (let i = 0; i < tile.times * tile.antennas; i++) use(parallactic![i]! + feed![i % tile.antennas]!, i);
}
