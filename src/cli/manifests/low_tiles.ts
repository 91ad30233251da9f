/**
 * Reading a result back where there is little memory: a result that has been computed is not lost for want of a picture or a digest.
 *
 * @module
 */

import { isTilewiseError } from "../../errors.ts";
import type { Shape } from "../../space/shape.ts";

/** Rows and columns of tiles that do not keep chunks whole. */
const LOW = [32, 2048] as const;

/**
 * Does `work`; where the budget has no room for tiles of whole chunks, again with lower ones, for which chunks are decoded more than
 * once.
 */
export async function orInLowTiles<T>(
  shape: Shape,
  work: (options: { readonly tile?: Shape }) => Promise<T>,
): Promise<T> {
  try {
    return await work({});
  } catch (error) {
    if (!isTilewiseError(error) || error.code !== "over-budget") throw error;
    const tile = shape.map((_, d) => LOW[d - (shape.length - 2)] ?? 1);
    return await work({ tile }).catch((other) => {
      throw isTilewiseError(other) && ["over-budget", "invalid"].includes(other.code) ? error : other;
    });
  }
}
