/**
 * Copies the samples that a view shows of a tile from the tile to the view.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { copierWithin } from "../../kernels/copiers.ts";
import type { CopyRows } from "../../memory/copy_box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../../space/shape.ts";
import type { AxisRun } from "../geometry.ts";

/** Where dense samples lie in memory. */
export interface Placed {
  /** Address of the first one. */
  readonly pointer: number;
  /** Samples per dimension. */
  readonly shape: Shape;
}

/** The same step along both sides of a copy, several times. */
interface Loop {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

const ONCE: Loop = { count: 1, from: 0, to: 0 };

/**
 * Copies parts of tiles in one memory. There are several parts per view, so that this makes few objects: usually it is one
 * call of a kernel for the rows of a part.
 */
export class PartCopier {
  readonly #itemSize: number;
  readonly #rows: CopyRows;

  /** Tiles and views have samples of `dtype`, and lie in the memory of `kernels`. */
  constructor(kernels: Kernels, dtype: DType) {
    this.#itemSize = dtypeInfo(dtype).itemSize;
    this.#rows = copierWithin(kernels);
  }

  /** Copies the samples of `segments` from `tile` to `view`; the bytes copied. */
  copy(segments: readonly Segment[], tile: Placed, view: Placed): number {
    const loops: Loop[] = []; // of the dimensions that are not part of the row, the last dimension first
    let [row, all, from, to] = [this.#itemSize, this.#itemSize, tile.pointer, view.pointer];
    let [fromStride, toStride] = [row, row];
    for (let d = segments.length - 1; d >= 0; d--) {
      const { count, from: first, at, step } = segments[d]!;
      from += first * fromStride;
      to += at * toStride;
      all *= count;
      // what both sides have without gaps is one row
      if (loops.length === 0 && step === 1 && row === fromStride && row === toStride) row *= count;
      else if (count > 1) loops.push({ count, from: step * fromStride, to: toStride });
      fromStride *= tile.shape[d]!;
      toStride *= view.shape[d]!;
    }
    this.#walk(loops, loops.length - 1, to, from, row);
    return all;
  }

  #walk(loops: readonly Loop[], depth: number, to: number, from: number, row: number): void {
    const loop = loops[depth] ?? ONCE;
    if (depth <= 0) return this.#rows(to, from, row, loop.count, loop.to, loop.from);
    for (let i = 0; i < loop.count; i++) {
      this.#walk(loops, depth - 1, to + i * loop.to, from + i * loop.from, row);
    }
  }
}

// From a box of a view to the tiles that it lies in: each run of a dimension is cut at the ends of tiles.
//
// ```text
//   tiles of 4, run of 6 samples from 2:   tile 0: samples 2 3 → 0 1     tile 1: samples 0 1 2 3 → 2 3 4 5
// ```

/** Samples of one dimension that lie in the same tile. */
export interface Segment {
  /** Number of the tile along the dimension. */
  readonly tile: number;
  /** First sample in the view. */
  readonly at: number;
  /** Its place in the tile. */
  readonly from: number;
  /** Step in the tile from one sample to the next. */
  readonly step: AxisRun["step"];
  /** Number of samples. */
  readonly count: number;
}

/**
 * The segments of a run along a dimension with tiles of `size` samples.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const run = { kind: "read", at: 0, from: 2, step: 1, count: 6 } as const;
 * assertEquals(segmentsOf(run, 4).map(({ tile, from, count }) => [tile, from, count]), [[0, 2, 2], [1, 0, 4]]);
 * ```
 */
export function segmentsOf({ at, from, step, count }: AxisRun, size: number): Segment[] {
  const segments: Segment[] = [];
  for (let done = 0; done < count;) {
    const position = from + step * done;
    const inside = position % size;
    const tile = (position - inside) / size;
    const room = step === 1 ? size - inside : step === -1 ? inside + 1 : count;
    const here = Math.min(count - done, room);
    segments.push({ tile, at: at + done, from: inside, step, count: here });
    done += here;
  }
  return segments;
}

/** A tile and the samples of it that a box shows, one segment per dimension. */
export interface TilePart {
  /** Index of the tile. */
  readonly index: Shape;
  /** The samples. */
  readonly segments: readonly Segment[];
}

/** The tiles that a box touches, row-major, and what it shows of each; `axes`: the segments of its dimensions. */
export function partsOf(axes: readonly (readonly Segment[])[]): TilePart[] {
  const counts = axes.map((segments) => segments.length);
  return Array.from({ length: sizeOf(counts) }, (_, flat) => {
    const segments = unravel(flat, counts).map((i, d) => axes[d]![i]!);
    return { index: segments.map((segment) => segment.tile), segments };
  });
}
