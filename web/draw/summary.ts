/**
 * An image in one sentence, for those who cannot see it.
 *
 * @module
 */

import type { Limits } from "../../src/pictures/mod.ts";
import { hasDirections, type Shown, sizesOf } from "./numbers.ts";
import { numberText } from "./words.ts";

/** Title, size and range of an image. */
export function summaryOf(image: Shown, [low, high]: Limits): string {
  const [rows, columns] = sizesOf(image);
  const unit = image.unit && image.unit !== "1" ? ` ${image.unit}` : "";
  const what = hasDirections(image) ? "lengths of vectors" : "values";
  const range = image.meaning === "label"
    ? "one colour for each label"
    : `${what} shown from ${numberText(low)} to ${numberText(high)}${unit}`;
  const missing = missingOf(image, rows * columns);
  return `${image.title}: ${rows} rows, ${columns} columns, ${range}${missing}`;
}

/** How much has not been computed. */
function missingOf(image: Shown, count: number): string {
  const { valid } = "y" in image ? image.y : image.array;
  if (!valid) return "";
  let missing = 0;
  for (let i = 0; i < valid.length; i++) if (valid[i] === 0) missing++;
  if (missing === 0) return "";
  const percent = Math.max(1, Math.round(100 * missing / Math.max(1, Math.min(count, valid.length))));
  return `, ${percent} percent not computed`;
}
