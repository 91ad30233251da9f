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
