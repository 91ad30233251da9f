/**
 * Pictures in a terminal: two pixels per character as coloured half blocks, or ASCII characters as shades without
 * colour.
 *
 * @module
 */

import { colourCode, type Colours, type Rgb } from "./colours/palette.ts";
import type { Raster } from "../sinks/png/raster.ts";

/** How a picture is drawn with characters. */
interface TerminalOptions {
  /** Columns it may use. Default 64. */
  readonly columns?: number;
  /** The colours that the terminal shows; without colours, ASCII characters as shades. Default true: 24-bit colours. */
  readonly colour?: Colours;
}

const SHADES = " .:-=+*#%@";
const HOLE = "·";
const RESET = "\x1b[0m";

/** Average colour of the pixels of half a character; `undefined` if most are transparent. */
type Cell = Rgb | undefined;

/**
 * The picture as lines of text, at most `columns` wide, with square pixels; small pictures are not enlarged beyond
 * one pixel per column.
 *
 * @example Two pixels, white above black
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const raster = { width: 1, height: 2, channels: 1 as const, data: Uint8Array.of(255, 0) };
 * assertEquals(terminalPicture(raster), "\x1b[38;2;255;255;255m\x1b[48;2;0;0;0m▀\x1b[0m");
 * ```
 */
export function terminalPicture(raster: Raster, options: TerminalOptions = {}): string {
  const { columns = 64, colour = true } = options;
  const width = Math.max(1, Math.min(columns, raster.width));
  const height = Math.max(1, Math.round(raster.height * width / raster.width / 2)) * 2;
  const cells = shrink(raster, width, height);
  const lines: string[] = [];
  for (let y = 0; y < height; y += 2) {
    const top = cells.slice(y * width, (y + 1) * width);
    const bottom = cells.slice((y + 1) * width, (y + 2) * width);
    lines.push(colour ? colourLine(top, bottom, colour) : asciiLine(top, bottom));
  }
  return lines.join("\n");
}

function colourLine(
  top: readonly Cell[],
  bottom: readonly Cell[],
  colours: Exclude<Colours, false>,
): string {
  let line = "";
  let before = "";
  top.forEach((upper, x) => {
    const lower = bottom[x];
    const [style, character] = half(upper, lower, colours);
    line += style === before ? character : `${before ? RESET : ""}${style}${character}`;
    before = style;
  });
  return before ? line + RESET : line;
}

function half(
  upper: Cell,
  lower: Cell,
  colours: Exclude<Colours, false>,
): [style: string, character: string] {
  const style = (colour: Rgb, back = false) => `\x1b[${colourCode(colour, colours, back)}m`;
  if (upper && lower) return [style(upper) + style(lower, true), "▀"];
  if (upper) return [style(upper), "▀"];
  if (lower) return [style(lower), "▄"];
  return ["", HOLE];
}

function asciiLine(top: readonly Cell[], bottom: readonly Cell[]): string {
  return top.map((upper, x) => {
    const cells = [upper, bottom[x]].filter((cell) => cell !== undefined);
    if (cells.length === 0) return HOLE;
    const mean = cells.reduce((sum, cell) => sum + luma(cell), 0) / cells.length;
    return SHADES[Math.min(SHADES.length - 1, Math.floor(mean / 256 * SHADES.length))];
  }).join("");
}

function luma([red, green, blue]: readonly [number, number, number]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Means over the pixels that fall into each of `width × height` cells. */
function shrink(raster: Raster, width: number, height: number): Cell[] {
  const cells: Cell[] = [];
  for (let y = 0; y < height; y++) {
    const rows = span(y, height, raster.height);
    for (let x = 0; x < width; x++) cells.push(mean(raster, rows, span(x, width, raster.width)));
  }
  return cells;
}

/** The pixels `[first, end)` of `size` that cell `i` of `count` covers: at least one. */
function span(i: number, count: number, size: number): [first: number, end: number] {
  const first = Math.min(size - 1, Math.floor(i * size / count));
  return [first, Math.max(first + 1, Math.floor((i + 1) * size / count))];
}

function mean(raster: Raster, [top, bottom]: [number, number], [left, right]: [number, number]): Cell {
  const sum: [number, number, number] = [0, 0, 0];
  let opaque = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const colour = pixel(raster, y * raster.width + x);
      if (!colour) continue;
      opaque++;
      colour.forEach((value, c) => sum[c]! += value);
    }
  }
  if (2 * opaque < (bottom - top) * (right - left)) return undefined;
  return sum.map((value) => Math.round(value / opaque)) as [number, number, number];
}

function pixel({ channels, data }: Raster, i: number): Cell {
  const at = i * channels;
  const byte = data instanceof Uint8Array ? (n: number) => data[n]! : (n: number) => data[n]! / 257;
  if (channels % 2 === 0 && byte(at + channels - 1) < 128) return undefined;
  return channels < 3 ? [byte(at), byte(at), byte(at)] : [byte(at), byte(at + 1), byte(at + 2)];
}
