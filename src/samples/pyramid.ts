/**
 * A simulated micrograph of cells for a pyramid: uint16, and the number of cells is known.
 *
 * @module
 */

import { type NDArray, ndarray } from "../space/ndarray.ts";
import { Random } from "./poisson.ts";

/** Pixels along both sides. */
export const PYRAMID_SIDE = 2048;
/** Cells in the image. No cell touches another. */
export const PYRAMID_CELLS = 400;
/** Rows and columns of half a micrometre. */
const AXES = ["y", "x"].map((name) => ({ name, kind: "space", scale: 0.5, unit: "µm" } as const));

/** Background and largest value of a cell, in counts. */
const [BACKGROUND, BRIGHT] = [200, 3000];
/** Cells lie in squares of a grid, so that they do not touch. */
const GRID = 20;

/** Draws the image; gives the share that is done, and at the end the samples. */
export function* samplePyramid(): Generator<number, NDArray<"uint16">> {
  const level = new Uint16Array(PYRAMID_SIDE ** 2).fill(BACKGROUND);
  const random = new Random(7);
  const share = () => random.next() / 2 ** 32;
  for (let cell = 0; cell < PYRAMID_CELLS; cell++) {
    drawCell(level, cell, share);
    yield 0.6 * cell / PYRAMID_CELLS;
  }
  for (let y = 0; y < PYRAMID_SIDE; y++) {
    for (let i = y * PYRAMID_SIDE; i < (y + 1) * PYRAMID_SIDE; i++) level[i]! += random.next() >>> 26; // 0 to 63
    if (y % 64 === 0) yield 0.6 + 0.3 * y / PYRAMID_SIDE;
  }
  return { ...ndarray(level, [PYRAMID_SIDE, PYRAMID_SIDE], "uint16"), axes: AXES };
}

/** A soft disk with a bright middle, anywhere in its square. */
function drawCell(level: Uint16Array, cell: number, share: () => number): void {
  const square = PYRAMID_SIDE / GRID;
  const [top, left] = [Math.floor(cell / GRID) * square, (cell % GRID) * square];
  const radius = 14 + 22 * share();
  const room = square - 2 * radius - 4;
  const [cy, cx] = [top + 2 + radius + room * share(), left + 2 + radius + room * share()];
  const bright = BRIGHT * (0.4 + 0.6 * share());
  for (let y = Math.floor(cy - radius); y <= cy + radius; y++) {
    for (let x = Math.floor(cx - radius); x <= cx + radius; x++) {
      const distance = Math.hypot(y - cy, x - cx) / radius;
      if (distance < 1) level[y * PYRAMID_SIDE + x]! += bright * (1 - distance * distance) ** 0.5;
    }
  }
}
