/**
 * Draws images without a graphics card.
 *
 * @module
 */

/// <reference lib="dom" />

import { paintAdded } from "../../draw/paint.ts";
import type { Painting, Surface } from "./surface.ts";

/** A surface on a canvas of two dimensions. */
export function surface2d(canvas: HTMLCanvasElement): Surface {
  const context = canvas.getContext("2d");
  const draw = ({ width, height, pieces, colours }: Painting) => {
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    if (width === 0 || height === 0) return;
    const [one, ...others] = pieces;
    const isAll = others.length === 0 && one?.rows.length === height && one.columns.length === width;
    if (!isAll) context?.clearRect(0, 0, width, height);
    for (const { images, n, rows, columns, top, left } of pieces) {
      if (rows.length === 0 || columns.length === 0) continue;
      const into = new Uint8ClampedArray(4 * rows.length * columns.length);
      paintAdded(into, images.map((image) => image.reduced(n)), rows, columns, colours);
      context?.putImageData(new ImageData(into, columns.length, rows.length), left, top);
    }
  };
  return {
    kind: "2d",
    canvas,
    fits: () => true,
    draw,
    pixels(painting) {
      draw(painting);
      const { width, height } = painting;
      return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray(4 * width * height);
    },
    close() {},
  };
}
