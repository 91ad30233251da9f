/**
 * A picture with axes: ticks, labels, a title, and a colour bar.
 *
 * @module
 */

import { type Colormap, colourTable } from "../colours/colormap.ts";
import type { Raster } from "../../sinks/png/raster.ts";
import type { Rgb } from "../colours/palette.ts";
import type { Limits } from "../scale.ts";
import { ADVANCE, eachDot, GLYPH_HEIGHT, textWidth } from "./font.ts";
import { type Tick, ticksOf } from "./ticks.ts";

/** An axis. */
interface ChartAxis {
  /** What is along it, with its unit. */
  readonly label: string;
  /** The values at the two outer edges of the picture: left and right, or bottom and top. */
  readonly range: readonly [first: number, last: number];
}

/** What is around a picture. */
export interface Chart {
  /** What it shows. */
  readonly title: string;
  /** From left to right. */
  readonly x: ChartAxis;
  /** From bottom to top. */
  readonly y: ChartAxis;
  /** The values of its colours. */
  readonly bar?: ChartBar;
}

/** A colour bar. */
interface ChartBar {
  /** The unit of the values; it is above the bar. */
  readonly label: string;
  /** The values of the first and the last colour. */
  readonly limits: Limits;
  /** The colours. */
  readonly colormap: Colormap;
  /** Values with ticks, and where they are from 0 to 1. Default: evenly spaced round values. */
  readonly ticks?: readonly (Tick & { readonly at: number })[];
}

/** The side that a picture should have, in pixels; smaller ones are enlarged by a whole factor. */
const WANTED = 640;

/** Pixels of a picture per pixel of a dot of text. */
const PER_DOT = 256;

/** Sizes in dots of text. */
const [GAP, TICK, BAR] = [4, 4, 12];

/**
 * The picture with everything around it, on white paper. The first row of `inside` is at the top.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * const inside = { width: 64, height: 64, channels: 3, data: new Uint8Array(64 * 64 * 3) } as const;
 * const axis = { label: "x", range: [0, 1] } as const;
 * const { width, height } = charted(inside, { title: "nothing", x: axis, y: axis });
 * assert(width > 640 && height > 640); // 10 pixels per pixel
 * ```
 */
export function charted(inside: Raster, chart: Chart): Raster {
  const times = Math.max(1, Math.floor(WANTED / Math.max(inside.width, inside.height)));
  const drawing = new Drawing(inside, times, chart);
  drawing.draw();
  return drawing.canvas.raster;
}

class Drawing {
  readonly canvas: Canvas;
  /** Pixels per dot. */
  readonly #dot: number;
  readonly #width: number;
  readonly #height: number;
  readonly #left: number;
  readonly #top: number;
  readonly #x: readonly Tick[];
  readonly #y: readonly Tick[];

  constructor(
    private readonly inside: Raster,
    private readonly times: number,
    private readonly chart: Chart,
  ) {
    [this.#width, this.#height] = [inside.width * times, inside.height * times];
    this.#dot = Math.max(1, Math.floor(Math.max(this.#width, this.#height) / PER_DOT));
    const dots = (count: number) => count * this.#dot;
    this.#x = ticksOf(...chart.x.range, this.#width / dots(10 * ADVANCE));
    this.#y = ticksOf(...chart.y.range, this.#height / dots(5 * GLYPH_HEIGHT));
    const line = GLYPH_HEIGHT + GAP;
    const widest = Math.max(0, ...this.#y.map(({ label }) => textWidth(label)));
    this.#left = dots(line + GAP + widest + GAP + TICK);
    this.#top = dots(2 * GAP + line);
    const right = dots(chart.bar ? 2 * GAP + BAR + TICK + GAP + 10 * ADVANCE : 4 * ADVANCE);
    const below = dots(TICK + 2 * line + 2 * GAP);
    this.canvas = new Canvas(this.#left + this.#width + right, this.#top + this.#height + below);
  }

  draw(): void {
    this.#frame(this.#left, this.#top, this.#width, this.#height);
    this.canvas.image(this.#left, this.#top, this.inside, this.times);
    this.#alongX();
    this.#alongY();
    this.#title();
    if (this.chart.bar) this.#bar(this.chart.bar);
  }

  /** A line around a rectangle. */
  #frame(x: number, y: number, width: number, height: number): void {
    const dot = this.#dot;
    this.canvas.fill(x - dot, y - dot, width + 2 * dot, height + 2 * dot);
    this.canvas.fill(x, y, width, height, [255, 255, 255]);
  }

  #alongX(): void {
    const { label, range: [first, last] } = this.chart.x;
    const dot = this.#dot, bottom = this.#top + this.#height;
    for (const { value, label } of this.#x) {
      const x = this.#left + place((value - first) / (last - first), this.#width, dot);
      this.canvas.fill(x, bottom, dot, TICK * dot);
      this.canvas.text(x - centred(label, dot), bottom + (TICK + GAP) * dot, label, dot);
    }
    const middle = this.#left + (this.#width >> 1);
    const y = bottom + (TICK + 2 * GAP + GLYPH_HEIGHT) * dot;
    this.canvas.text(middle - centred(label, dot), y, label, dot);
  }

  #alongY(): void {
    const { label, range: [first, last] } = this.chart.y;
    const dot = this.#dot;
    for (const { value, label } of this.#y) {
      const y = this.#top + place(1 - (value - first) / (last - first), this.#height, dot);
      this.canvas.fill(this.#left - (1 + TICK) * dot, y, TICK * dot, dot);
      const x = this.#left - (1 + TICK + GAP + textWidth(label)) * dot;
      this.canvas.text(x, y - (GLYPH_HEIGHT >> 1) * dot, label, dot);
    }
    this.canvas.textUp(GAP * dot, this.#top + (this.#height >> 1) + centred(label, dot), label, dot);
  }

  /** The title, as far as there is room. */
  #title(): void {
    const dot = this.#dot;
    const room = Math.floor(this.#width / dot / ADVANCE);
    const letters = [...this.chart.title];
    const text = letters.length <= room ? letters.join("") : `${letters.slice(0, room - 1).join("")}…`;
    this.canvas.text(this.#left, GAP * dot, text, dot);
  }

  #bar({ label, limits: [low, high], colormap, ticks }: ChartBar): void {
    const dot = this.#dot, table = colourTable(colormap);
    const x = this.#left + this.#width + 2 * GAP * dot;
    this.#frame(x, this.#top, BAR * dot, this.#height);
    for (let y = 0; y < this.#height; y++) {
      const at = 3 * Math.round(255 * (1 - y / Math.max(1, this.#height - 1)));
      this.canvas.fill(x, this.#top + y, BAR * dot, 1, [table[at]!, table[at + 1]!, table[at + 2]!]);
    }
    const even = ticksOf(low, high, this.#height / dot / (5 * GLYPH_HEIGHT)).map((tick) => ({
      ...tick,
      at: (tick.value - low) / (high - low),
    }));
    for (const { label, at } of ticks ?? even) {
      const y = this.#top + place(1 - at, this.#height, dot);
      this.canvas.fill(x + (BAR + 1) * dot, y, TICK * dot, dot);
      const text = x + (BAR + 1 + TICK + GAP) * dot;
      this.canvas.text(text, y - (GLYPH_HEIGHT >> 1) * dot, label, dot);
    }
    const middle = x + (BAR + TICK + GAP) * dot - centred(label, dot);
    this.canvas.text(Math.min(middle, this.canvas.width - textWidth(label) * dot), GAP * dot, label, dot);
  }
}

/** Half of the width of a text in pixels. */
function centred(text: string, dot: number): number {
  return (textWidth(text) * dot) >> 1;
}

/** A place from 0 to 1 along a side, for a line that is `dot` pixels wide. */
function place(at: number, side: number, dot: number): number {
  return Math.round(at * side - dot / 2);
}

const INK: Rgb = [0, 0, 0];

/** Pixels that are drawn on; the upper left one is 0, 0, and what is beyond an edge is left out. */
class Canvas {
  readonly #data: Uint8Array;

  /** White paper. */
  constructor(readonly width: number, readonly height: number) {
    this.#data = new Uint8Array(3 * width * height).fill(255);
  }

  /** Fills a rectangle. */
  fill(x: number, y: number, width: number, height: number, [red, green, blue]: Rgb = INK): void {
    this.#fill(x, y, width, height, red, green, blue);
  }

  /** A colour as numbers: pictures have too many pixels for a list each. */
  #fill(x: number, y: number, width: number, height: number, red: number, green: number, blue: number): void {
    const data = this.#data, left = Math.max(0, x), right = Math.min(this.width, x + width);
    for (let row = Math.max(0, y); row < Math.min(this.height, y + height); row++) {
      for (let at = 3 * (row * this.width + left); at < 3 * (row * this.width + right); at += 3) {
        data[at] = red;
        data[at + 1] = green;
        data[at + 2] = blue;
      }
    }
  }

  /** Draws a text whose upper left corner is at x, y; a dot has `size` pixels along both sides. */
  text(x: number, y: number, text: string, size: number): void {
    eachDot(text, (column, row) => this.fill(x + column * size, y + row * size, size, size));
  }

  /** Draws a text from the bottom to the top: its first character begins at x, y. */
  textUp(x: number, y: number, text: string, size: number): void {
    eachDot(text, (column, row) => this.fill(x + row * size, y - (column + 1) * size, size, size));
  }

  /** Places a picture, each of its pixels as `times` × `times`; transparent parts stay as the paper is. */
  image(x: number, y: number, { width, height, channels, data }: Raster, times: number): void {
    const second = channels < 3 ? 0 : 1;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const at = channels * (row * width + column);
        const isThere = channels % 2 === 1 || data[at + channels - 1]! > 0;
        const left = x + column * times, top = y + row * times;
        if (isThere) {
          this.#fill(left, top, times, times, data[at]!, data[at + second]!, data[at + 2 * second]!);
        }
      }
    }
  }

  /** The paper as a picture. */
  get raster(): Raster {
    return { width: this.width, height: this.height, channels: 3, data: this.#data };
  }
}
