/**
 * A colour bar beside a picture, with the values at its two ends.
 *
 * @module
 */

import { type Colormap, colourTable } from "./colormap.ts";
import type { Raster } from "./png.ts";
import type { Limits } from "./scale.ts";

/** Glyphs of 3 × 5 dots, a row of three bits each: what numbers are written with. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  "0": [7, 5, 5, 5, 7],
  "1": [2, 6, 2, 2, 7],
  "2": [7, 1, 7, 4, 7],
  "3": [7, 1, 7, 1, 7],
  "4": [5, 5, 7, 1, 1],
  "5": [7, 4, 7, 1, 7],
  "6": [7, 4, 7, 5, 7],
  "7": [7, 1, 1, 2, 2],
  "8": [7, 5, 7, 5, 7],
  "9": [7, 5, 7, 1, 7],
  "-": [0, 0, 7, 0, 0],
  "+": [0, 2, 7, 2, 0],
  ".": [0, 0, 0, 0, 2],
  "e": [0, 7, 7, 4, 7],
};
const [GLYPH_WIDTH, GLYPH_HEIGHT] = [4, 5]; // one dot of space to the right
const [BAR, GAP] = [10, 4];

/**
 * The RGBA picture with a colour bar at its right: the highest value above, the lowest below.
 *
 * @param scale dots a pixel of the text; default by the height of the picture
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const raster = { width: 8, height: 32, channels: 4, data: new Uint8Array(8 * 32 * 4) } as const;
 * const { width, height } = withLegend(raster, [0, 1.5], "viridis");
 * assertEquals([width, height], [8 + 4 + 10 + 4 + 3 * 4, 32]);
 * ```
 */
export function withLegend(
  raster: Raster,
  [low, high]: Limits,
  map: Colormap,
  scale: number = Math.max(1, Math.floor(raster.height / 128)),
): Raster {
  const labels = [shorten(high), shorten(low)];
  const text = Math.max(...labels.map(({ length }) => length)) * GLYPH_WIDTH * scale;
  const height = Math.max(raster.height, (2 * GLYPH_HEIGHT + 2) * scale);
  const width = raster.width + GAP + BAR * scale + GAP + text;
  const data = new Uint8Array(4 * width * height);
  for (let y = 0; y < raster.height; y++) {
    data.set(
      (raster.data as Uint8Array).subarray(4 * y * raster.width, 4 * (y + 1) * raster.width),
      4 * y * width,
    );
  }
  const canvas = { width, height, channels: 4, data } as const;
  drawBar(canvas, raster.width + GAP, BAR * scale, map);
  const x = raster.width + GAP + BAR * scale + GAP;
  drawText(canvas, labels[0]!, x, 0, scale);
  drawText(canvas, labels[1]!, x, height - GLYPH_HEIGHT * scale, scale);
  return canvas;
}

/** At most four digits that count. */
function shorten(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function drawBar({ width, height, data }: Raster, x: number, columns: number, map: Colormap): void {
  const table = colourTable(map);
  for (let y = 0; y < height; y++) {
    const colour = 3 * Math.round(255 * (1 - y / Math.max(1, height - 1)));
    for (let i = 0; i < columns; i++) {
      data.set([...table.subarray(colour, colour + 3), 255], 4 * (y * width + x + i));
    }
  }
}

/** Gray dots: they show on white paper and on a dark screen. */
const INK = [128, 128, 128, 255];

function drawText({ width, data }: Raster, text: string, x: number, y: number, scale: number): void {
  [...text].forEach((character, n) => {
    const rows = GLYPHS[character] ?? [];
    for (let dot = 0; dot < 3 * rows.length * scale * scale; dot++) {
      const [row, column] = [Math.floor(dot / (3 * scale)), dot % (3 * scale)];
      if (!(rows[Math.floor(row / scale)]! >> (2 - Math.floor(column / scale)) & 1)) continue;
      data.set(INK, 4 * ((y + row) * width + x + n * GLYPH_WIDTH * scale + column));
    }
  });
}
