/**
 * How big grids are, and where pixels, cells and planes lie on them. All of it follows from the problem alone, not from memory
 * or workers, so that the bits of results do.
 *
 * @module
 */

import { throwIfAborted } from "../../errors.ts";
import { fftLength } from "../../kernels/families/fft_tables.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import type { CheckedRows } from "./rows.ts";
import { OVERSAMPLING, type Window } from "./window.ts";
import { Turns } from "../../turns.ts";

/** Wavelengths. */
export interface Reach {
  /** Largest |u|. */
  readonly u: number;
  /** Largest |v|. */
  readonly v: number;
  /** Least and largest |w|. */
  readonly w: readonly [least: number, most: number];
}

/** Rows that are read at a time. */
const ROWS = 65536;

/** How far baselines reach in all channels; those that are not numbers do not count. */
export async function reachOf(
  { nrow, uvw, frequency }: CheckedRows,
  signal: AbortSignal | undefined,
): Promise<Reach> {
  const most = [0, 0, 0];
  let least = Infinity;
  const turns = new Turns();
  for (let start = 0; start < nrow; start += ROWS) {
    throwIfAborted(signal);
    const values = await uvw(start, Math.min(nrow, start + ROWS));
    for (let i = 0; i < values.length; i++) {
      const size = Math.abs(values[i]!), axis = i % 3;
      if (!(size < Infinity)) continue;
      if (size > most[axis]!) most[axis] = size;
      if (axis === 2 && size < least) least = size;
    }
    if (turns.due) await turns.give();
  }
  const low = frequency.reduce((a, b) => Math.min(a, b), Infinity) / SPEED_OF_LIGHT;
  const high = frequency.reduce((a, b) => Math.max(a, b), 0) / SPEED_OF_LIGHT;
  const [u, v, w] = most.map((metres) => metres * high) as [number, number, number];
  return { u, v, w: least < Infinity && low < Infinity ? [least * low, w] : [0, 0] };
}

/** Pixels, and what is between them and the samples. */
export interface Field {
  /** Pixels along l and m. */
  readonly pixels: readonly [number, number];
  /** Distance of pixels. */
  readonly cell: readonly [number, number];
  /** The direction of the pixel in the middle. */
  readonly centre: readonly [number, number];
  /** Least and largest `n − 1`. */
  readonly heights: readonly [number, number];
}

/** A grid, its planes and the window of its samples. */
export interface Layout {
  /** The field. */
  readonly field: Field;
  /** The window. */
  readonly window: Window;
  /** Cells along u and v. */
  readonly cells: readonly [number, number];
  /** How many of them samples reach, the first and the last ones; only these are kept. */
  readonly kept: readonly [number, number];
  /** Columns and rows in memory: also those for pixels, and columns that repeat the first ones. */
  readonly stored: readonly [columns: number, rows: number];
  /** Cells by which samples are weighed: as many as the image has pixels. */
  readonly weighed: readonly [number, number];
  /** Planes of w. */
  readonly planes: number;
  /** Planes that a sample is spread over: 1 for flat grids. */
  readonly depth: number;
  /** Whether w counts: then samples with a negative w are their mirror images, for one plane as for several. */
  readonly wTerm: boolean;
  /** w of plane 0, and from plane to plane, in wavelengths. */
  readonly w: readonly [first: number, step: number];
  /** The `n − 1` whose phase samples get, so that planes need only the rest. */
  readonly middle: number;
  /** Cells of a tile, by which samples are ordered, along each axis. */
  readonly tile: number;
  /** Tiles along u and v. */
  readonly tiles: readonly [number, number];
}

/** Most tiles of a grid. */
const MOST_TILES = 2 ** 16;

/** The layout for a field and what baselines reach. */
export function layoutOf(
  field: Field,
  window: Window,
  epsilon: number,
  reach: Reach,
  wTerm: boolean,
): Layout {
  const { support } = window, { pixels: [nx, ny], cell } = field;
  const cells = field.pixels.map((n) => fftLength(Math.max(OVERSAMPLING * n, 2 * support + 2))) as [
    number,
    number,
  ];
  const kept = [0, 1].map((axis) => {
    const most = [reach.u, reach.v][axis]! * Math.abs(cell[axis]!) * cells[axis]!;
    return Math.min(cells[axis]!, 2 * (Math.ceil(most + support / 2) + 1));
  }) as [number, number];
  let tile = 16;
  while (Math.ceil(kept[0] / tile) * Math.ceil(kept[1] / tile) > MOST_TILES) tile *= 2;
  return {
    field,
    window,
    weighed: field.pixels,
    cells,
    kept,
    stored: [Math.max(nx, kept[0] + support + 1), Math.max(ny, kept[1])],
    tile,
    tiles: [Math.ceil(kept[0] / tile), Math.ceil(kept[1] / tile)],
    ...planesOf(field, support, epsilon, reach.w, wTerm),
  };
}

/** Planes of w: none apart where w hardly matters, so that one plane in the middle has an error below a tenth of `epsilon`. */
function planesOf(
  { heights: [low, high] }: Field,
  support: number,
  epsilon: number,
  [least, most]: readonly [number, number],
  wTerm: boolean,
): Pick<Layout, "planes" | "depth" | "wTerm" | "w" | "middle"> {
  if (!wTerm) return { planes: 1, depth: 1, wTerm, w: [0, 0], middle: 0 };
  const middle = (low + high) / 2, half = (high - low) / 2;
  if (Math.PI * half * (most - least) < epsilon / 10) {
    return { planes: 1, depth: 1, wTerm, w: [(least + most) / 2, 0], middle };
  }
  const step = 1 / (2 * OVERSAMPLING * half);
  const planes = Math.ceil((most - least) / step) + support + 1;
  return { planes, depth: support, wTerm, w: [least - step * support / 2, step], middle };
}

/** l and m of pixel (0, 0) and the steps to the next ones. */
export function axesOf(
  { pixels, cell, centre }: Field,
): { readonly from: [number, number]; readonly step: [number, number] } {
  const from = [0, 1].map((axis) => centre[axis]! - (pixels[axis]! >> 1) * cell[axis]!);
  return { from: from as [number, number], step: [...cell] as [number, number] };
}
