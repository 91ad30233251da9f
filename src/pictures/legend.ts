/**
 * A colour bar beside a picture, with the values at its two ends.
 *
 * @module
 */

import { type Colormap, colourTable } from "./colours/colormap.ts";
import type { PixelRows } from "../sinks/png/raster.ts";
import type { Limits } from "./scale.ts";

/** Glyphs of 3 × 5 dots for numbers; each row is three bits. */
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
 * @param scale dots per pixel of the text; default by the height of the picture
 *
 * @example
 * ```ts
 * import { rowsOf } from "../sinks/png/raster.ts";
 * import { assertEquals } from "@std/assert";
 * const raster = { width: 8, height: 32, channels: 4, data: new Uint8Array(8 * 32 * 4) } as const;
 * const { width, height } = withLegend(rowsOf(raster), [0, 1.5], "viridis");
 * assertEquals([width, height], [8 + 4 + 10 + 4 + 3 * 4, 32]);
 * ```
 */
export function withLegend(
  picture: PixelRows,
  [low, high]: Limits,
  map: Colormap,
): PixelRows {
  const scale = Math.max(1, Math.floor(picture.height / 128));
  const labels = [shorten(high), shorten(low)] as const;
  const text = Math.max(...labels.map(({ length }) => length)) * GLYPH_WIDTH * scale;
  const height = Math.max(picture.height, (2 * GLYPH_HEIGHT + 2) * scale);
  const bar = picture.width + GAP;
  const x = bar + BAR * scale + GAP;
  return {
    ...picture,
    width: x + text,
    height,
    opaque: false,
    row(y, into) {
      into.fill(0);
      if (y < picture.height) picture.row(y, into.subarray(0, 4 * picture.width));
      into.subarray(4 * bar, 4 * (bar + BAR * scale)).set(barRow(y, height, BAR * scale, map));
      drawText(into.subarray(4 * x), labels[0], Math.floor(y / scale), scale);
      drawText(into.subarray(4 * x), labels[1], Math.floor((y - height) / scale) + GLYPH_HEIGHT, scale);
    },
  };
}

/** At most four significant digits. */
function shorten(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function barRow(y: number, height: number, columns: number, map: Colormap): Uint8Array {
  const colour = 3 * Math.round(255 * (1 - y / Math.max(1, height - 1)));
  const [red, green, blue] = colourTable(map).subarray(colour, colour + 3);
  const row = new Uint8Array(4 * columns);
  for (let i = 0; i < columns; i++) row.set([red!, green!, blue!, 255], 4 * i);
  return row;
}

/** Gray dots: visible on white paper and on a dark screen. */
const INK = [128, 128, 128, 255];

/** Draws row `line` of the dots of `text`, as far as there is room. */
function drawText(into: Uint8Array, text: string, line: number, scale: number): void {
  [...text].forEach((character, n) => {
    const dots = GLYPHS[character]?.[line] ?? 0;
    for (let column = 0; column < 3 * scale; column++) {
      if (dots >> (2 - Math.floor(column / scale)) & 1) into.set(INK, 4 * (n * GLYPH_WIDTH * scale + column));
    }
  });
}
