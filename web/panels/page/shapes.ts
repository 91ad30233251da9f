/**
 * What a source holds, in a few characters.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";

/** Shape of scan and pattern, and the type of the samples. */
export function shapesOf(
  { navShape, sigShape, dtype }: Pick<Dataset, "navShape" | "sigShape" | "dtype">,
): string {
  const shapes = [navShape, sigShape].filter(({ length }) => length > 0).map((sizes) => sizes.join(" × "));
  return `${shapes.join(" of ")} · ${dtype}`;
}
