/** Finds text in a picture: where its dots are black, and those around it are not. */

import { eachDot, GLYPH_HEIGHT, textWidth } from "../../../src/pictures/axes/font.ts";
import type { Raster } from "../../../src/sinks/png/raster.ts";

/** Upper left corners of a text whose dots have `size` pixels; with `up`, of text from the bottom to the top. */
export function findText(
  { width, height, data }: Raster,
  text: string,
  size: number,
  up = false,
): { readonly x: number; readonly y: number }[] {
  const [columns, rows] = [textWidth(text), GLYPH_HEIGHT];
  const [wide, high] = [up ? rows * size : columns * size, up ? columns * size : rows * size];
  const wanted = new Uint8Array(wide * high);
  eachDot(text, (column, row) => {
    const [x, y] = up ? [row * size, (columns - 1 - column) * size] : [column * size, row * size];
    for (let i = 0; i < size; i++) wanted.fill(1, (y + i) * wide + x, (y + i) * wide + x + size);
  });
  const black = Uint8Array.from(
    { length: width * height },
    (_, i) => data[3 * i] === 0 && data[3 * i + 1] === 0 ? 1 : 0,
  );
  const isAt = (x: number, y: number) => {
    for (let row = 0; row < high; row++) {
      for (let i = 0; i < wide; i++) {
        if (black[(y + row) * width + x + i] !== wanted[row * wide + i]) return false;
      }
    }
    return true;
  };
  const found: { x: number; y: number }[] = [];
  for (let y = 0; y + high <= height; y++) {
    for (let x = 0; x + wide <= width; x++) if (isAt(x, y)) found.push({ x, y });
  }
  return found;
}
