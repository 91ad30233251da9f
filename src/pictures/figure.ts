/**
 * Arrays as figures for notebooks and pages: picture, colour bar, range and shape; and the same facts as one line of
 * text.
 *
 * @module
 */

import { arrayFromAsync } from "../portable.ts";
import { joinedBytes } from "../space/bytes.ts";
import type { NDArray } from "../space/ndarray.ts";
import { colourTable } from "./colours/colormap.ts";
import { arrayLine, short } from "./array_line.ts";
import { escapeHtml, type MimeBundle } from "./displayable.ts";
import { imagesOf, lookOf, type ScanShapes } from "./images.ts";
import { colourRows } from "./picture.ts";
import { reductionOf } from "./plane.ts";
import { pngPieces } from "../sinks/png/png.ts";
import type { PixelRows } from "../sinks/png/raster.ts";

/** Size in pixels to which a small image is enlarged. */
const SHOWN_PIXELS = 256;

/** Largest number of pixels of a figure, which becomes text of the page: 2048 × 2048. Larger arrays are shown by means. */
const MOST_SHOWN = 2 ** 22;

/** The figure of an array: always text, and a picture if the array has one. */
export async function arrayBundle(array: NDArray, title: string, shapes?: ScanShapes): Promise<MimeBundle> {
  const text = `${title}: ${arrayLine(array)}`;
  const images = imagesOf(array, shapes ?? { navShape: [], sigShape: [] });
  if (!images) return { "text/plain": text, "text/html": `<code>${escapeHtml(text)}</code>` };
  const look = lookOf(images);
  const rows = colourRows(images, look, MOST_SHOWN);
  const png = toBase64(joinedBytes(await arrayFromAsync(pngPieces(rows))));
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

/** Bytes as base64. */
function toBase64(bytes: Uint8Array): string {
  const CHUNK = 32768; // arguments per call
  const text: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return btoa(text.join(""));
}
