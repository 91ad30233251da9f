/**
 * The outputs of tiles in parts: one array per output, tile after tile.
 *
 * @module
 */

import type { ArraySchema, Hypercube } from "../../hypercube/cube/cube.ts";
import { tileIter } from "../../hypercube/cube/iterate.ts";
import type { ReadTile } from "../../hypercube/parts/tiles.ts";
import type { TilePlan } from "../../hypercube/plan/cube_plan.ts";
import { outputsOf } from "../../hypercube/plan/tile_cut.ts";
import { type DType, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { sizeOf } from "../../space/shape.ts";
import { type AllMade, type Content, type Made, misfit } from "./parted.ts";

/** Arrays one after another. */
export function joined(all: readonly TypedArray[], dtype: DType): TypedArray {
  const numbers = all.reduce((sum, { length }) => sum + length, 0);
  const out = zeros(dtype, numbers / unitsOf(dtype));
  let at = 0;
  for (const one of all) {
    copyNumbers(out.subarray(at, at + one.length) as TypedArray, one);
    at += one.length;
  }
  return out;
}

/** Outputs of a tile, by name. */
type Outputs = Readonly<Record<string, TypedArray>>;

/** Finds the outputs of tiles in parts; tiles are asked for in their order, and some may be left out. */
export function tilesOfParts({ cube, strides }: TilePlan, { units }: AllMade): ReadTile {
  const tiles = readersOf(outputsOf(cube), tileIter(cube, ...strides), units);
  let next = 0, read: () => Promise<Outputs> = () => Promise.resolve({});
  return async (tile) => {
    for (; next <= tile; next++) read = tiles.next().value ?? read;
    return await read();
  };
}

/** What reads the outputs of each tile; a part is read when it is first needed. */
function* readersOf(
  outputs: readonly ArraySchema[],
  tiles: Iterable<Hypercube>,
  units: readonly Made[],
): Generator<() => Promise<Outputs>, void> {
  const cubes = tiles[Symbol.iterator]();
  for (const unit of units) {
    let part: Promise<Content> | undefined;
    const ends = new Map<string, number>(); // where the last tile ends, by output
    for (let k = 0; k < unit.frames; k++) {
      const tile: Hypercube = cubes.next().value;
      const places = outputs.map(({ name, dtype }) => {
        const from = ends.get(name) ?? 0, to = from + sizeOf(tile.arrayShape(name)) * unitsOf(dtype);
        ends.set(name, to);
        return { name, from, to };
      });
      yield async () => {
        const { arrays } = await (part ??= unit.read());
        return Object.fromEntries(places.map(({ name, from, to }) => {
          const data = arrays[name];
          if (!data || data.length < to) throw misfit(unit.name, `"${name}" is too short`);
          return [name, data.subarray(from, to) as TypedArray];
        }));
      };
    }
  }
}
