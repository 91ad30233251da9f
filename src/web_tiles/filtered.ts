/**
 * Filters over tiles: each tile is read with the samples around it that filters see, so that it has the same bits as in a
 * result for the whole image.
 *
 * @module
 */

import { defined } from "../options.ts";
import { TilewiseError } from "../errors.ts";
import { open } from "../formats/open.ts";
import { copyBox } from "../memory/copy_box.ts";
import { viewOf } from "../memory/strided.ts";
import type { Context } from "../runner/context.ts";
import type { Box } from "../space/box.ts";
import type { BorderInput } from "../space/border.ts";
import type { DType } from "../space/dtype.ts";
import type { Halo } from "../space/halo.ts";
import { type NDArray, zeroArray } from "../space/ndarray.ts";
import { showShape } from "../space/shape.ts";
import type { ArraySpec, JoinedArray } from "../views/array.ts";
import { mapViews } from "../views/map/map_views.ts";
import { planMap } from "../views/map/plan.ts";
import type { ViewOperations } from "../views/operations/chain.ts";

/** Filters, and what they see outside of the image. */
export interface Filtering {
  /** What is computed of each tile. */
  readonly filters: ViewOperations;
  /** What is seen outside. */
  readonly border?: BorderInput | readonly BorderInput[];
  /** Where it runs. */
  readonly context?: Context;
}

/** What filters make of an image. */
interface FilterFacts {
  /** Samples around a tile that they see. */
  readonly halo: Halo;
  /** Type of the result. */
  readonly dtype: DType;
}

/** What `filtering` makes of `array`. Errors: those of filters; `unsupported` for those that do not keep the size. */
export async function filterFacts(
  array: ArraySpec | JoinedArray,
  { filters, ...options }: Filtering,
): Promise<FilterFacts> {
  const { views, shape, dtype } = await planMap(array, filters, options);
  if (shape.join() !== array.shape.join()) {
    const text = `Cannot filter tiles: the filters make ${showShape(shape)} of ${showShape(array.shape)}; ` +
      "levels of other sizes are in pyramids";
    throw new TilewiseError("unsupported", text, { option: "filters", expected: showShape(array.shape) });
  }
  if (views.borders.includes("wrap")) {
    const text =
      "Cannot filter tiles with the border wrap, which shows samples from the other end of the image";
    throw new TilewiseError("unsupported", text, { option: "border", found: "wrap" });
  }
  return { halo: views.halo, dtype };
}

/** The part `central` of `around`, samples of the image as far as filters see, filtered. */
export async function filteredPart(
  around: NDArray,
  central: Box,
  { filters, ...options }: Filtering,
  signal?: AbortSignal,
): Promise<NDArray> {
  const made = await mapViews(await open(around), filters, { ...options, ...defined({ signal }) });
  return cut(made, central);
}

function cut({ data, shape, dtype }: NDArray, part: Box): NDArray {
  const out = zeroArray(part.shape, dtype);
  copyBox(viewOf(data, dtype, shape), part, viewOf(out.data, dtype, part.shape), part.shape.map(() => 0));
  return out;
}
