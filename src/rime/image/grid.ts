/**
 * The pixels of an image: where on the sky they are.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { must, needed } from "../../options/rules.ts";
import type { Field } from "./layout.ts";

/**
 * The pixels of an image (ny, nx), in direction cosines: the SIN projection. Pixel `[j][i]` has
 * `l = centre[0] + (i − ⌊nx / 2⌋) · cell[0]` and `m = centre[1] + (j − ⌊ny / 2⌋) · cell[1]`.
 * @category Measurement equation
 */
export interface ImageGrid {
  /** Pixels along l and along m. */
  readonly pixels: readonly [nx: number, ny: number];
  /**
   * Distance of neighbouring pixels in l and in m, in radians. Negative: the coordinate falls as the index grows, as
   * that of l does in images in which east is left.
   */
  readonly cell: readonly [l: number, m: number];
  /** l and m of the pixel in the middle. Default 0, 0: the phase centre. */
  readonly centre?: readonly [l: number, m: number];
}

/** Most pixels along one side of an image. */
export const MOST_PIXELS = 65536;

const pair = (what: string, test: (value: unknown) => boolean) =>
  must<readonly [number, number]>(
    what,
    (value) => Array.isArray(value) && value.length === 2 && value.every(test),
  );

/** Their rules. */
const IMAGE_GRID: OptionNames<ImageGrid> = {
  pixels: needed(
    pair(
      `two whole numbers from 1 to ${MOST_PIXELS}, [nx, ny]`,
      (n) => Number.isSafeInteger(n) && n as number >= 1 && n as number <= MOST_PIXELS,
    ),
  ),
  cell: needed(pair("two numbers of radians, not 0", (x) => Number.isFinite(x) && x !== 0)),
  centre: pair("two numbers, [l, m]", Number.isFinite),
};

/** Refuses grids with pixels that are not directions: `l² + m² > 1`. */
export function checkGrid(call: string, grid: ImageGrid): void {
  checkOptionNames(call, grid, IMAGE_GRID, "grid");
  const [nx, ny] = grid.pixels;
  for (const i of [0, nx - 1]) {
    for (const j of [0, ny - 1]) {
      const [l, m] = directionOf(grid, i, j);
      if (l * l + m * m <= 1) continue;
      const text = `${call}: pixel [${j}][${i}] has l ${l} and m ${m}, and l² + m² is ${l * l + m * m}; ` +
        "directions have at most 1. Fewer pixels or smaller cells would work; cells are in radians";
      throw new TilewiseError("invalid", text, { option: "grid", found: l * l + m * m, expected: 1 });
    }
  }
}

/** l and m of the pixel `[j][i]`. */
export function directionOf(
  { pixels, cell, centre = [0, 0] }: ImageGrid,
  i: number,
  j: number,
): [number, number] {
  const along = (axis: 0 | 1, k: number) => centre[axis] + (k - (pixels[axis] >> 1)) * cell[axis];
  return [along(0, i), along(1, j)];
}

/** A part of a grid. */
export interface SubGrid {
  /** Its pixels. */
  readonly grid: ImageGrid;
  /** Where its first pixel is in the whole. */
  readonly from: readonly [i: number, j: number];
}

/** A grid as `count` × `count` parts of nearly equal sides, row after row. */
export function subGridsOf({ pixels, cell, centre = [0, 0] }: ImageGrid, count: number): SubGrid[] {
  const sides = pixels.map((n) => {
    const most = Math.min(count, n), edge = (k: number) => Math.floor(k * n / most);
    return Array.from({ length: most }, (_, k) => ({ from: edge(k), size: edge(k + 1) - edge(k) }));
  }) as [Side[], Side[]];
  const middle = (axis: 0 | 1, { from, size }: Side) =>
    centre[axis] + (from + (size >> 1) - (pixels[axis] >> 1)) * cell[axis];
  return sides[1].flatMap((y) =>
    sides[0].map((x) => ({
      grid: { pixels: [x.size, y.size], cell, centre: [middle(0, x), middle(1, y)] },
      from: [x.from, y.from],
    }))
  );
}

/** Pixels of a part along one side. */
interface Side {
  readonly from: number;
  readonly size: number;
}

/** `n − 1` of a direction. */
export function heightOf(l: number, m: number): number {
  const square = l * l + m * m;
  return -square / (1 + Math.sqrt(1 - square));
}

/** What a layout needs to know of a grid. */
export function fieldOf(grid: ImageGrid): Field {
  const { pixels: [nx, ny], cell, centre = [0, 0] } = grid;
  const along = (axis: 0 | 1, n: number) =>
    [0, n - 1].map((k) => directionOf(grid, axis ? 0 : k, axis ? k : 0)[axis]);
  const [l, m] = [along(0, nx), along(1, ny)];
  const farthest = (ends: readonly number[]) => Math.max(...ends.map(Math.abs));
  const nearest = (ends: readonly number[]) => ends[0]! * ends[1]! <= 0 ? 0 : Math.min(...ends.map(Math.abs));
  const heights = [heightOf(farthest(l), farthest(m)), heightOf(nearest(l), nearest(m))] as const;
  return { pixels: [nx, ny], cell: [cell[0], cell[1]], centre: [centre[0], centre[1]], heights };
}
