/**
 * From a box of a view to the tiles that it lies in: each run of a dimension is cut at the ends of tiles.
 *
 * ```text
 *   tiles of 4, run of 6 samples from 2:   tile 0: samples 2 3 → 0 1     tile 1: samples 0 1 2 3 → 2 3 4 5
 * ```
 *
 * @module
 */

import { type Shape, sizeOf, unravel } from "../../space/shape.ts";
import type { AxisRun } from "../axis.ts";

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
