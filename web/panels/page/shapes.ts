/**
 * What a source holds, in a few characters.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";

/** Whether it is one: other images without a scan, stacks of them, and pyramids, are for pan and zoom. */
export function isScan({ navShape, axes, levels }: Pick<Dataset, "navShape" | "axes" | "levels">): boolean {
  const positions = navShape.reduce((product, size) => product * size, 1);
  const kinds = axes.map(({ kind }) => kind);
  const isImage = kinds.includes("space") && !kinds.some((kind) => kind === "scan" || kind === "detector");
  return !isImage && levels.length <= 1 && positions > 1;
}

/** Shape of scan and pattern, and the type of the samples. */
export function shapesOf(
  { navShape, sigShape, dtype }: Pick<Dataset, "navShape" | "sigShape" | "dtype">,
): string {
  const shapes = [navShape, sigShape].filter(({ length }) => length > 0).map((sizes) => sizes.join(" × "));
  return `${shapes.join(" of ")} · ${dtype}`;
}
