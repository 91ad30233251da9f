/** What tiles of runs with excluded pixels must keep. */

import type { Shape } from "../../src/space/shape.ts";

/** Whether no border of tiles of `tile` touches an excluded pixel. */
export function bordersAreClear(
  tile: Shape,
  sigShape: Shape,
  excluded: readonly (readonly number[])[],
): boolean {
  return tile.every((size, d) => {
    const touched = new Set(excluded.flatMap((at) => [at[d]!, at[d]! + 1]));
    return Array.from({ length: sigShape[d]! }, (_, at) => at).every((at) =>
      at === 0 || at % size !== 0 || !touched.has(at)
    );
  });
}
