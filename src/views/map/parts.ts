/**
 * How the result of an operation over views is cut into parts: ranges of rows of an image, of planes of a stack. So a
 * part is one run of the result, and parts one after another are the result. Nothing is merged.
 *
 * @module
 */

import { type Cut, cutEvenly } from "../../runner/parts.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { cutDimension } from "./blocks.ts";
import type { MapPlan } from "./map_plan.ts";

/** Rows of an image in a unit are a multiple of this: tiles have as many by default. */
const ROWS = 256;

/** The cut of a result; it depends on its shape and type only. */
export function rowCut({ shape, dtype, views: { array } }: Pick<MapPlan, "shape" | "dtype" | "views">): Cut {
  const d = cutDimension(shape);
  const row = sizeOf(shape.slice(d + 1)) * dtypeInfo(dtype).itemSize;
  const rows = sizeOf(shape) === 0 ? 0 : shape[d] ?? 1;
  const multiple = d === shape.length - 2 ? ROWS : 1;
  return cutEvenly(rows, row, multiple, sizeOf(array.shape) * dtypeInfo(array.dtype).itemSize);
}
