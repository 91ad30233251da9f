/**
 * Arrays as figures for notebooks and pages: picture, colour bar, range and shape; and the same facts as one line of
 * text.
 *
 * @module
 */

import { arrayFromAsync } from "../portable.ts";
import { dtypeInfo } from "../space/dtype.ts";
import type { NDArray } from "../space/ndarray.ts";
import { showShape, sizeOf } from "../space/shape.ts";
import { colourTable } from "./colormap.ts";
import { imagesOf, lookOf, type ScanShapes } from "./images.ts";
import { numberBlocks } from "./numbers.ts";
import { colourRows } from "./picture.ts";
import { reductionOf } from "./plane.ts";
import { concat, pngPieces } from "./png.ts";
import type { PixelRows } from "./raster.ts";
import { limitsIn } from "./scale.ts";

/** One value in several media types, as notebooks take it; images are base64. */
export type MimeBundle = Readonly<Record<string, string>>;

/** Key of the method that notebooks call to show a value; it may return a promise. */
export const JUPYTER_DISPLAY: symbol = Symbol.for("Jupyter.display");

/** Key of the method that formats a value for the console. */
export const CUSTOM_INSPECT: symbol = Symbol.for("Deno.customInspect");

/** Size in pixels to which a small image is enlarged. */
const SHOWN_PIXELS = 256;

/** Largest number of pixels of a figure, which becomes text of the page: 2048 × 2048. Larger arrays are shown by means. */
const MOST_SHOWN = 2 ** 22;

/**
 * One line: shape, dtype, range, and how much of it is valid.
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * assertEquals(arrayLine(ndarray(Uint8Array.of(1, 9), [2], "uint8")), "2 uint8, from 1 to 9");
 * ```
 */
export function arrayLine(array: NDArray): string {
  const [low, high] = limitsIn(numberBlocks(array), sizeOf(array.shape));
  const { valid, shape, dtype } = array;
  const share = valid ? valid.reduce((sum, v) => sum + (v ? 1 : 0), 0) / valid.length : 1;
  const missing = share < 1 ? `, ${(100 * share).toFixed(1)} % valid` : "";
  const of = dtypeInfo(dtype).kind === "c" ? "magnitude " : "";
  return `${showShape(shape)} ${dtype}, ${of}from ${short(low)} to ${short(high)}${missing}`;
}

/** The figure of an array: always text, and a picture if the array has one. */
export async function arrayBundle(array: NDArray, title: string, shapes?: ScanShapes): Promise<MimeBundle> {
  const text = `${title}: ${arrayLine(array)}`;
  const images = imagesOf(array, shapes ?? { navShape: [], sigShape: [] });
  if (!images) return { "text/plain": text, "text/html": `<code>${escapeHtml(text)}</code>` };
  const look = lookOf(images);
  const rows = colourRows(images, look, MOST_SHOWN);
  const png = toBase64(concat(await arrayFromAsync(pngPieces(rows))));
  const bar = colourBar(colourTable(look.colormap!), rows.limits);
  const n = reductionOf(images.shape, MOST_SHOWN);
  const reduced = n > 1 ? `; a pixel is the mean of ${n} × ${n} samples` : "";
  const html = `<figure style="display:inline-block;margin:4px">` +
    `<img alt="${escapeHtml(text)}" src="data:image/png;base64,${png}" style="${sizeOfImage(rows)}">${bar}` +
    `<figcaption><b>${escapeHtml(title)}</b> ${escapeHtml(arrayLine(array) + reduced)}</figcaption></figure>`;
  return { "text/plain": text, "text/html": html, "image/png": png };
}

/** Small images are enlarged by an integer factor, without smoothing. */
function sizeOfImage({ width, height }: PixelRows): string {
  const times = Math.max(1, Math.floor(SHOWN_PIXELS / Math.max(width, height)));
  return `width:${width * times}px;image-rendering:pixelated`;
}

function colourBar(table: Uint8Array, [low, high]: readonly [number, number]): string {
  const stops = Array.from({ length: 17 }, (_, i) => {
    const [r, g, b] = table.subarray(3 * Math.round(255 * i / 16));
    return `<stop offset="${i / 16}" stop-color="rgb(${r},${g},${b})"/>`;
  });
  const id = `bar${++bars}`;
  return `<svg width="72" height="128" role="img" aria-label="colours from ${short(low)} to ${
    short(high)
  }">` +
    `<linearGradient id="${id}" x1="0" x2="0" y1="1" y2="0">${stops.join("")}</linearGradient>` +
    `<rect x="4" y="4" width="12" height="120" fill="url(#${id})"/>` +
    `<text x="20" y="14" font-size="11" fill="currentColor">${short(high)}</text>` +
    `<text x="20" y="124" font-size="11" fill="currentColor">${short(low)}</text></svg>`;
}

let bars = 0;

function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character]!);
}

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const CHUNK = 32768; // arguments per call
  const text: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return btoa(text.join(""));
}

/**
 * Adds the methods that notebooks and consoles use to show `value`; they do not appear when it is listed or compared.
 *
 * @returns `value` itself
 */
export function displayable<T extends object>(
  value: T,
  show: { bundle: () => MimeBundle | Promise<MimeBundle>; line: () => string },
): T {
  return Object.defineProperties(value, {
    [JUPYTER_DISPLAY]: { value: show.bundle, enumerable: false },
    [CUSTOM_INSPECT]: { value: show.line, enumerable: false },
  });
}
