/**
 * Draws images without a graphics card.
 *
 * @module
 */

/// <reference lib="dom" />

import { paint } from "../draw/paint.ts";
import type { Painting, Surface } from "./surface.ts";

/** A surface on a canvas of two dimensions. */
export function surface2d(canvas: HTMLCanvasElement): Surface {
  const context = canvas.getContext("2d");
  const pixels = ({ image, n, rows, columns, colours }: Painting) => {
    const into = new Uint8ClampedArray(4 * rows.length * columns.length);
    paint(into, image.reduced(n), rows, columns, colours);
    return into;
  };
  return {
    kind: "2d",
    canvas,
    fits: () => true,
    draw(painting) {
      const [width, height] = [painting.columns.length, painting.rows.length];
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      if (width > 0 && height > 0) {
        context?.putImageData(new ImageData(pixels(painting), width, height), 0, 0);
      }
    },
    pixels,
    close() {},
  };
}
