/**
 * Which of several arrays a verb tells in full, and which in a line of another one.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { imageCount } from "../../dataset/layout/layout.ts";
import { sameShape, showShape } from "../../space/shape.ts";

/** How the others are seen. */
export const ALL_ARRAYS = "--array NAME shows one of them, --json all";

/** Arrays that are told one by one; pages and levels are told in lines of another one. */
export interface Folded {
  readonly pages: Pages | undefined;
  readonly shown: readonly StoredDataset[];
}

/** Leaves out pages and levels; `more` arrays were not opened. */
export function foldedOf(arrays: readonly StoredDataset[], more: number): Folded {
  const pages = pagesIn(arrays, more);
  const told = new Set(pages?.names);
  const shown = arrays.filter(({ array, levels }) => {
    const isTold = told.has(array);
    for (const level of levels) told.add(level.array);
    return !isTold;
  });
  return { pages, shown };
}

/** The largest of some arrays. */
export function largestOf(arrays: readonly StoredDataset[]): StoredDataset {
  return arrays.reduce((a, b) => b.byteLength > a.byteLength ? b : a);
}

/** Images that are arrays of their own, and all together are another one, as the pages of an OME-TIFF are. */
export interface Pages {
  /** The array that they are. */
  readonly whole: StoredDataset;
  readonly images: readonly StoredDataset[];
  /** The names of the images, and of their levels. */
  readonly names: ReadonlySet<string>;
  /** Those that were not opened, as there are too many. */
  readonly left: number;
}

/** The images that are told in one line of the largest array: as many as it has, and like them; `more` arrays were not opened. */
function pagesIn(arrays: readonly StoredDataset[], more: number): Pages | undefined {
  const whole = largestOf(arrays);
  const images = arrays.filter(({ frames, sigShape, dtype }) =>
    frames === 1 && dtype === whole.dtype && sameShape(sigShape, whole.sigShape)
  );
  const left = imageCount(whole.layout) - images.length;
  if (whole.frames === 1 || images.length === 0 || left < 0 || left > more) return undefined;
  const names = images.flatMap(({ array, levels }) => [array, ...levels.map(({ array }) => array)]);
  return { whole, images, names: new Set(names), left };
}

/** The line of pages, below that of the array that they are. */
export function pageRows(dataset: StoredDataset, pages: Pages | undefined): [string, string][] {
  if (dataset !== pages?.whole) return [];
  const { images: [first], left } = pages, last = pages.images.at(-1)!;
  const all = `"${first!.array}" to "${last.array}"`;
  return [[
    "images",
    left > 0 ? `${all} and ${left} more; --array NAME shows one of them` : `${all}; ${ALL_ARRAYS}`,
  ]];
}

/** The levels of its pyramid. */
export function levelRows({ array, levels }: StoredDataset): [string, string][] {
  return levels.map(({ array: name, shape }, n) => [
    `level ${n}`,
    `${showShape(shape)}, array "${name}"${name === array ? ", this one" : ""}`,
  ]);
}
