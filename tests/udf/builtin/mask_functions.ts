/** Functions that make masks, as users write them. */

import type { Mask } from "@tilewise/tilewise/analyses";
import type { Shape } from "@tilewise/tilewise/arrays";
import { ndarray } from "@tilewise/tilewise/arrays";
import * as masks from "@tilewise/tilewise/masks";

/** Rows whose number is a multiple of `every`, and a ring. */
export default function stripes([height, width]: Shape, { every }: { every: number }): Mask[] {
  const data = Float64Array.from(
    { length: height! * width! },
    (_, i) => Math.floor(i / width!) % every ? 0 : 1,
  );
  return [
    ndarray(data, [height!, width!], "float64"),
    masks.ring([height!, width!], { cy: 2, cx: 2, ro: 2, ri: 1 }),
  ];
}

/** No masks. */
export function nothing(): undefined {}

/** No function. */
export const number = 5;
