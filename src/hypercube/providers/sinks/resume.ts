/**
 * The files of outputs, and how those of an earlier run are known to be of the same one.
 *
 * Sources and kernels are functions, of which there is no digest. So the user says in words what a run computes; cube, tiles
 * and options of the sink are added to these words.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { digestOf } from "../../../sinks/chunks/digest.ts";
import { type TiledFiles, TileFiles } from "../../../sinks/tiles/tile_files.ts";
import type { Box } from "../../../space/box.ts";
import type { Extent, Hypercube } from "../../cube/cube.ts";
import { tileIter } from "../../cube/iterate.ts";
import { globalShape } from "../arrays.ts";
import type { StartContext } from "../context.ts";
import { outOfOrder } from "./placing.ts";
import type { OpenFiles } from "./under_way.ts";

/**
 * Options of sinks that can go on with an earlier run.
 * @category Hypercubes
 */
export interface ResumeOptions {
  /**
   * What the run computes, in words of your own that change whenever sources, kernel or their parameters do. A run with the same
   * words, cube and tiles goes on where an earlier one has stopped, and keeps what is complete if it fails. Default: a run that
   * fails leaves nothing. Outputs must come tile by tile: not merged, not with `ordered: false`.
   */
  readonly resume?: string;
}

/** A file or folder for some outputs. */
interface OutputFiles {
  /** Its path. */
  readonly path: string;
  /** The outputs, in the order in which the sinks of a tile are called. */
  readonly outputs: readonly string[];
  /** How their tiles lie in it. */
  readonly files: TiledFiles;
  /** What else decides its bytes: plain data. */
  readonly facts: object;
}

/** Opens files for the tiles of outputs; with `resume` those of an earlier run with these words. */
export async function tiledFiles(
  call: string,
  context: StartContext,
  all: readonly OutputFiles[],
  resume: string | undefined,
): Promise<OpenFiles> {
  const { cube, strides } = context;
  const boxesIn = (one: Hypercube, outputs: readonly string[]) =>
    outputs.map((name) => boxOf(one.arrayExtents(name)));
  const opened: TileFiles[] = [];
  const close = async () => {
    for (const one of opened) await one[Symbol.asyncDispose]();
  };
  try {
    for (const { path, outputs, files, facts } of all) {
      const resumed = resume === undefined ? undefined : {
        digest: await digestOf(decidesOf(context, outputs, { ...facts, resume })),
        *tiles() {
          for (const tile of tileIter(cube, ...strides)) yield boxesIn(tile, outputs);
        },
      };
      const coming = { windows: boxesIn(cube, outputs), ...defined({ resumed }) };
      opened.push(await TileFiles.open(path, files, coming));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    completed: resume === undefined ? 0 : Math.min(...opened.map(({ completed }) => completed)),
    async put(context) {
      const { name, tile, extents, data } = context;
      const which = all.findIndex(({ outputs }) => outputs.includes(name));
      const { origin } = boxOf(extents), place = all[which]!.outputs.indexOf(name);
      if (!await opened[which]!.put(place, tile, { origin, data })) throw outOfOrder(call, name);
    },
    finish: () => TileFiles.finish(opened),
    fail: () => opened.forEach((one) => one.flush()),
    [Symbol.asyncDispose]: close,
  };
}

function boxOf(extents: readonly Extent[]): Box {
  return { origin: extents.map(([lower]) => lower), shape: extents.map(([lower, upper]) => upper - lower) };
}

/** All on which files depend; `options`: those of the sink. */
function decidesOf({ cube, strides }: StartContext, names: readonly string[], options: object): object {
  const arrays = names.map((name) => {
    const { dtype, shape, units, description } = cube.array(name);
    const window = cube.arrayExtents(name);
    return { name, dtype, axes: shape, shape: globalShape(cube, name), window, units, description };
  });
  return { strides, arrays, options };
}
