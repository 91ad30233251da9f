/**
 * What plain files of TIFF keep of the description of an array.
 *
 * @module
 */

import type { AxisKind } from "../../space/axes.ts";
import type { DescribedArray, Keeps } from "../losses.ts";

/** What is kept where the last dimensions are a page, and so many are `outer`, which readers take for a series. */
export function tiffKeeps(outer: (array: DescribedArray) => number): Keeps {
  const kinds = (array: DescribedArray): (AxisKind | undefined)[] => {
    const pages = array.shape.slice(0, outer(array)), isSeries = pages.filter((n) => n > 1).length === 1;
    return [...pages.map(() => isSeries ? "series" as const : undefined), "space", "space", "colour"];
  };
  return { kinds, scan: outer, dropsSingle: true, types: { bool: "uint8" } };
}
