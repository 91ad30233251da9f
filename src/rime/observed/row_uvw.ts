/**
 * Baselines of an observation as an input of predictions, read tile by tile.
 *
 * @module
 */

import type { ProviderContext, SinkContext } from "../../hypercube/providers/context.ts";
import { readRows, type RowGrid } from "../../observations/model/grid.ts";
import type { Observation } from "../../observations/observation.ts";

/** u, v and w of rows, as an input and for what is done with the results. */
export interface UvwOfTiles {
  /** The source of the input `uvw`. */
  readonly source: (context: ProviderContext) => Promise<Float64Array>;
  /** u, v and w of the rows of a tile; NaN where nothing was observed. */
  readonly ofTile: (context: SinkContext) => Float64Array;
}

/** Rows as they are in the observation. */
export function rowUvw(observation: Observation): UvwOfTiles {
  return held((start, stop) => observation.uvw(start, stop));
}

/** Rows in their places on a grid; NaN for places without a row. */
export function gridUvw(observation: Observation, { rows }: RowGrid): UvwOfTiles {
  return held(async (start, stop) => {
    const own = rows.subarray(start, stop);
    const uvw = await readRows((from, to) => observation.uvw(from, to), own, 3);
    own.forEach((row, place) => row < 0 && uvw.fill(NaN, 3 * place, 3 * place + 3));
    return uvw;
  });
}

/** Tiles that differ in their channels only follow each other: their rows are read once. */
function held(read: (start: number, stop: number) => Promise<Float64Array>): UvwOfTiles {
  let last: { readonly key: string; readonly data: Promise<Float64Array> } | undefined;
  return {
    async source({ extents: [[start, stop] = [0, 0]] }) {
      const key = `${start}:${stop}`;
      if (last?.key !== key) last = { key, data: read(start, stop) };
      return await last.data;
    },
    ofTile: (context) => context.input("uvw").data as Float64Array,
  };
}
