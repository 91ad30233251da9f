/**
 * The geometry of views: where a tile and its halo lie in an array, and which tiles they touch.
 *
 * One dimension, with array size `F`, tile `T`, a halo of `r` samples before the tile and `q` behind it, and tile number
 * `i`; n dimensions are n times the same:
 *
 * ```text
 *   start = i T − r       min = max(0, start)       max = min(F, (i + 1) T + q)
 *   front = min − start   back = r + T + q − front − (max − min)
 *   tiles  from floor(min / T) to ceil(max / T)
 *
 *   start        min = 0                       max                F = 10, T = 4, r = q = 2, i = 0
 *     · · | 0 1 2 3 | 4 5 |  6 7 8 9             front 2, tile 0 1 2 3, halo behind it 4 5
 * ```
 *
 * A view has `r + T + q` samples in every dimension, also at the end of the array: samples that a clipped tile lacks are
 * outside, as is the halo after them. Clipped views have the samples from `min` to `max` alone.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords } from "../options.ts";
import { type Border, type BorderMap, BORDERS } from "../space/border.ts";
import type { Box, Grid } from "../space/box.ts";
import { type Halo, haloOf, type Radius, withHalo } from "../space/halo.ts";
import { checkedProduct, type Shape, showShape } from "../space/shape.ts";

/**
 * The place of one view; boxes are in samples of the array unless stated otherwise.
 * @category Views
 */
export interface ViewGeometry {
  /** Index of the tile, per dimension. */
  readonly index: Shape;
  /** Samples of the view per dimension: tile plus halo, or, if it is clipped, those of {@link inside}. */
  readonly shape: Shape;
  /** Position in the array of the first sample of the view; negative if it is before the array. */
  readonly start: Shape;
  /** The tile, clipped to the array. */
  readonly tile: Box;
  /** The part of the array that the view covers. */
  readonly inside: Box;
  /** The tiles, in numbers of tiles, that {@link inside} touches. */
  readonly tiles: Box;
  /** Samples before {@link inside}, per dimension. */
  readonly front: Shape;
  /** Samples after {@link inside}, per dimension. */
  readonly back: Shape;
  /** The place of {@link tile} in the view. */
  readonly central: Box;
  /** The place of {@link inside} in the view: samples outside of it are those of the border. */
  readonly valid: Box;
  /** Where the tile begins in the view, as an index into its samples in row-major order. */
  readonly centralOffset: number;
}

/**
 * The geometry of the view of tile `index`, with a halo for the grid: one pass over the dimensions, as this is done for every
 * view. With `clipped`, the view ends where the array ends.
 *
 * Errors: `invalid` if there is no such tile; `overflow` if the view has more than 2^53 samples.
 *
 * @example The last of three tiles: it has two samples, and nothing is behind it
 * ```ts
 * import { gridOf } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const { inside, front, back, tile } = geometryOf(gridOf([10], [4]), { front: [2], back: [2] }, [2], false);
 * assertEquals(inside, { origin: [6], shape: [4] });
 * assertEquals([front, back, tile.shape], [[0], [4], [2]]);
 * ```
 */
export function geometryOf(grid: Grid, halo: Halo, index: Shape, clipped: boolean): ViewGeometry {
  checkIndex(grid, index);
  const rank = index.length;
  const list = () => new Array<number>(rank);
  const [shape, start, tile, tileShape, inside, insideShape] = [
    list(),
    list(),
    list(),
    list(),
    list(),
    list(),
  ];
  const [from, tiles, front, back, central] = [list(), list(), list(), list(), list()];
  let centralOffset = 0;
  for (let d = 0; d < rank; d++) {
    const [whole, size] = [grid.shape[d]!, grid.tile[d]!];
    const origin = index[d]! * size;
    const first = origin - halo.front[d]!;
    const min = Math.max(0, first);
    const max = Math.min(whole, origin + size + halo.back[d]!);
    start[d] = clipped ? min : first;
    shape[d] = clipped ? max - min : halo.front[d]! + size + halo.back[d]!;
    tile[d] = origin;
    tileShape[d] = Math.min(size, whole - origin);
    inside[d] = min;
    insideShape[d] = max - min;
    from[d] = floorDivide(min, size);
    tiles[d] = floorDivide(max - 1, size) - from[d]! + 1;
    front[d] = min - start[d]!;
    back[d] = shape[d]! - front[d]! - insideShape[d]!;
    central[d] = origin - start[d]!;
    centralOffset = centralOffset * shape[d]! + central[d]!;
  }
  checkedProduct(shape, "a view");
  return {
    index,
    shape,
    start,
    tile: { origin: tile, shape: tileShape },
    inside: { origin: inside, shape: insideShape },
    tiles: { origin: from, shape: tiles },
    front,
    back,
    central: { origin: central, shape: tileShape },
    valid: { origin: front, shape: insideShape },
    centralOffset,
  };
}

/**
 * Samples per dimension of every view of a grid: tile plus halo.
 * @category Views
 */
export function viewShape({ shape, tile }: Grid, radius: Radius): number[] {
  return withHalo(tile, haloOf(radius, shape));
}

/**
 * Samples per dimension of the largest clipped view of a grid: no more than the array has.
 */
export function clippedShape(grid: Grid, radius: Radius): number[] {
  return viewShape(grid, radius).map((n, d) => Math.min(n, grid.shape[d]!));
}

/** Integer division without intermediate rounding: exact to 2^53. */
function floorDivide(a: number, b: number): number {
  return (a - a % b) / b;
}

/** Throws `invalid` if there is no tile `index`, or if that is not a list. */
export function checkIndex({ counts }: Grid, index: Shape): void {
  const isList = Array.isArray(index);
  const inside = isList && index.length === counts.length &&
    index.every((i, d) => Number.isSafeInteger(i) && i >= 0 && i < counts[d]!);
  if (inside) return;
  const found = isList ? index.join(", ") : inWords(index);
  const which = isList ? `There is no tile (${found})` : `An index is a list of numbers, not ${found}`;
  const text = `${which}: the grid has ${showShape(counts)} tiles`;
  throw new TilewiseError("invalid", text, { expected: showShape(counts), found });
}

// One dimension of a view as a short list of runs: samples to read, samples to copy within the view, and samples that
// get the fill value. A view is the product of the lists of its dimensions.
//
// ```text
//   F = 5, T = 3, r = 2, i = 1, symmetric:   view  1 2 [3 4 4] 3 2      (array 0 1 2 3 4)
//   read 1 2 3 4 → 0        copy 3 ← 4 backwards: what is in the view already is not read again
// ```

/** Samples of one dimension that are handled in the same way. */
export interface AxisRun {
  /** `read`: from the array. `copy`: from elsewhere in the view. `fill`: the fill value. */
  readonly kind: "read" | "copy" | "fill";
  /** First sample of the run, in the view. */
  readonly at: number;
  /** The source of that sample: a position in the array (`read`) or in the view (`copy`). */
  readonly from: number;
  /** Step from the source of one sample to the source of the next; never 0 for `read`. */
  readonly step: -1 | 0 | 1;
  /** Number of samples. */
  readonly count: number;
}

/**
 * The runs of a view that begins at `start` in an array of `n` samples and has `length` samples; `read` runs come
 * first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(axisRuns("edge", -2, 6, 10), [
 *   { kind: "read", at: 2, from: 0, step: 1, count: 4 },
 *   { kind: "copy", at: 0, from: 2, step: 0, count: 2 },
 * ]);
 * ```
 */
export function axisRuns(border: Border | BorderMap, start: number, length: number, n: number): AxisRun[] {
  const map = typeof border === "string" ? BORDERS[border] : border;
  const [min, max] = [Math.max(0, start), Math.min(n, start + length)];
  const whole: AxisRun = { kind: "read", at: min - start, from: min, step: 1, count: max - min };
  const ghost = (at: number): AxisRun => {
    const from = map(start + at, n);
    if (from < 0) return { kind: "fill", at, from: 0, step: 0, count: 1 };
    if (from >= min && from < max) return { kind: "copy", at, from: from - start, step: 1, count: 1 };
    return { kind: "read", at, from, step: 1, count: 1 };
  };
  const runs: AxisRun[] = [whole];
  for (const [first, end] of [[0, min - start], [max - start, length]] as const) {
    let open: AxisRun | undefined;
    for (let at = first; at < end; at++) {
      const one = ghost(at);
      const longer: AxisRun | undefined = open && joined(open, one);
      if (open && !longer) runs.push(open);
      open = longer ?? one;
    }
    if (open) runs.push(open);
  }
  const order = { read: 0, copy: 1, fill: 2 };
  return runs.sort((a, b) => order[a.kind] - order[b.kind]);
}

/** `run` extended by the next sample, if that continues `run`; a run of one sample can be continued with any step. */
function joined(run: AxisRun, next: AxisRun): AxisRun | undefined {
  if (run.kind !== next.kind) return undefined;
  const count = run.count + 1;
  if (run.kind === "fill") return { ...run, count };
  const step = run.count === 1 ? next.from - run.from : run.step;
  if (next.from !== run.from + run.count * step) return undefined;
  if (step === 1 || step === -1) return { ...run, step, count };
  return step === 0 && run.kind === "copy" ? { ...run, step, count } : undefined;
}
