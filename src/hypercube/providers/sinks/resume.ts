/**
 * What sinks that go on with an earlier run have in common: how they know that it was the same, and the order of tiles.
 *
 * Sources and kernels are functions, of which there is no digest. So the user says in words what a run computes; cube, tiles
 * and options of the sink are added to these words.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { sha256Of } from "../../../io/hash.ts";
import { VERSION } from "../../../version.ts";
import type { Hypercube } from "../../cube/cube.ts";
import { tileIter } from "../../cube/iterate.ts";
import { globalShape } from "../arrays.ts";
import type { SinkContext, StartContext } from "../context.ts";

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

/** The digest of everything on which files depend; `options`: those of the sink. */
export async function digestOf(
  { cube, strides }: Pick<StartContext, "cube" | "strides">,
  names: readonly string[],
  options: object,
): Promise<string> {
  const arrays = names.map((name) => {
    const { dtype, shape, units, description } = cube.array(name);
    const window = cube.arrayExtents(name);
    return { name, dtype, axes: shape, shape: globalShape(cube, name), window, units, description };
  });
  const decides = { version: VERSION, runtime: globalThis.navigator?.userAgent, strides, arrays, options };
  return await sha256Of([new TextEncoder().encode(JSON.stringify(decides))]);
}

/** Eight random bytes in place of a digest, for files that are never resumed. */
export function anyDigest(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The cubes of all tiles, in their order. */
export function tilesOf({ cube, strides }: Pick<StartContext, "cube" | "strides">): Iterable<Hypercube> {
  return tileIter(cube, ...strides);
}

/** The error for an output that does not come tile by tile. */
export function outOfOrder(call: string, { name, tile }: Pick<SinkContext, "name" | "tile">): TilewiseError {
  const text =
    `${call}: the option "resume" needs outputs that come tile by tile, in their order; ${name} came with ` +
    `tile ${tile}: leave out { ordered: false }, or do not merge ${name}`;
  return new TilewiseError("unsupported", text, { option: "resume", array: name, tile });
}
