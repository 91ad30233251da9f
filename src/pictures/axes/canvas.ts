/**
 * A sheet of white paper: rectangles, text and pictures on it.
 *
 * @module
 */

import type { Rgb } from "../colours/palette.ts";
import type { Raster } from "../../sinks/png/raster.ts";
import { eachDot } from "./font.ts";

const INK: Rgb = [0, 0, 0];

/** Pixels that are drawn on; the upper left one is 0, 0, and what is beyond an edge is left out. */
export class Canvas {
  readonly #data: Uint8Array;

  /** White paper. */
  constructor(readonly width: number, readonly height: number) {
    this.#data = new Uint8Array(3 * width * height).fill(255);
  }

  /** Fills a rectangle. */
  fill(x: number, y: number, width: number, height: number, colour: Rgb = INK): void {
    const [left, right] = [Math.max(0, x), Math.min(this.width, x + width)];
    for (let row = Math.max(0, y); row < Math.min(this.height, y + height); row++) {
      for (let column = left; column < right; column++) {
        this.#data.set(colour, 3 * (row * this.width + column));
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
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const at = channels * (row * width + column);
        const alpha = channels % 2 === 0 ? data[at + channels - 1]! : 255;
        if (alpha === 0) continue;
        const [red, green, blue] = channels < 3
          ? [data[at]!, data[at]!, data[at]!]
          : data.subarray(at, at + 3);
        this.fill(x + column * times, y + row * times, times, times, [red!, green!, blue!]);
      }
    }
  }

  /** The paper as a picture. */
  get raster(): Raster {
    return { width: this.width, height: this.height, channels: 3, data: this.#data };
  }
}
