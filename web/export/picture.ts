/**
 * What an image shows as PNG: one pixel per sample, with the colours of the page.
 *
 * @module
 */

import { encodePng, type Limits } from "../../src/pictures/mod.ts";
import { DrawnImage } from "../draw/drawn.ts";
import type { ShownImage, ShownVectors } from "../draw/image.ts";
import type { LabelShare } from "../draw/legend.ts";
import { LABELS } from "../draw/maps.ts";
import { coloursOf, paint } from "../draw/paint.ts";
import type { Display } from "../state/state.ts";
import type { ExportedFile } from "./data.ts";

/** The colours of an image: red, green, blue, alpha per pixel. */
export interface Painted {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** The pixels; those without a value are transparent. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** Values of the first and the last colour. */
  readonly limits: Limits;
  /** Whether colours are directions. */
  readonly directions: boolean;
  /** The labels, if colours are names. */
  readonly labels?: readonly LabelShare[];
}

/** Paints an image, one pixel per sample. */
export function painted(image: ShownImage | ShownVectors, display: Display): Painted {
  const drawn = new DrawnImage(image);
  const { width, height, directions, planes } = drawn;
  const limits = drawn.limits(display);
  const data = new Uint8ClampedArray(4 * width * height);
  const rows = indices(height);
  if (image.axes[0].upwards) rows.reverse();
  paint(data, planes, rows, indices(width), coloursOf(display, limits, directions));
  const labels = display.colormap === LABELS && drawn.labels;
  return { width, height, data, limits, directions, ...(labels ? { labels } : {}) };
}

/** The image alone. */
export async function pictureFile(
  image: ShownImage | ShownVectors,
  display: Display,
  name: string,
): Promise<ExportedFile> {
  const { width, height, data } = painted(image, display);
  const pixels = new Uint8Array(data.buffer);
  const text = { Software: "Tilewise", Title: image.title };
  const png = await encodePng({ width, height, channels: 4, data: pixels }, { text });
  return { name, blob: new Blob([png], { type: "image/png" }) };
}

function indices(length: number): Int32Array {
  return Int32Array.from({ length }, (_, i) => i);
}
