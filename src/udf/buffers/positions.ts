/**
 * Which scan positions of a partition have a frame: they are selected, and an image exists for them.
 *
 * @module
 */

import { visiblePositions } from "../../dataset/sync.ts";
import { lowerBound } from "../../space/search.ts";

/**
 * What determines these positions, as plain data.
 * @category User-defined functions
 */
export interface Selection {
  /** Selected flat scan positions, ascending; absent: all. */
  readonly indices?: Uint32Array;
  /** Image shown at position 0: position `n` shows image `n + syncOffset`. */
  readonly syncOffset: number;
  /** Number of images. */
  readonly images: number;
}

/** The positions in `[start, stop)` that are selected and have an image, ascending. */
export function positionsIn(selection: Selection, start: number, stop: number): Uint32Array {
  const { indices } = selection;
  const visible = visiblePositions({ ...selection, frames: stop }, start, stop);
  if (indices) return indices.slice(lowerBound(indices, visible.start), lowerBound(indices, visible.stop));
  const positions = new Uint32Array(visible.stop - visible.start);
  for (let i = 0; i < positions.length; i++) positions[i] = visible.start + i;
  return positions;
}

/** Number of positions that {@link positionsIn} gives. */
export function countIn(selection: Selection, start: number, stop: number): number {
  return framesBefore(selection, stop) - framesBefore(selection, start);
}

/** Number of selected positions before `position`: its index among the selected positions. */
export function rankOf({ indices }: Selection, position: number): number {
  return indices ? lowerBound(indices, position) : position;
}

/** Number of frames that are read before `position`. */
export function framesBefore(selection: Selection, position: number): number {
  const { indices } = selection;
  const { start, stop } = visiblePositions({ ...selection, frames: position });
  return indices ? lowerBound(indices, stop) - lowerBound(indices, start) : stop - start;
}

/** The images of the selected positions, ascending. */
export function imagesOf(selection: Selection, frames: number): Uint32Array {
  const { syncOffset } = selection;
  const positions = positionsIn(selection, 0, frames);
  return positions.map((position) => position + syncOffset);
}

/**
 * Cuts positions into blocks of at most `depth` frames; with `leaf`, no block crosses a multiple of it.
 */
export function* depthBlocks(
  positions: Uint32Array,
  depth: number,
  leaf?: number,
): Generator<[number, number]> {
  for (let from = 0; from < positions.length;) {
    let to = Math.min(from + depth, positions.length);
    if (leaf) {
      const border = (Math.floor(positions[from]! / leaf) + 1) * leaf;
      while (to > from + 1 && positions[to - 1]! >= border) to--;
    }
    yield [from, to];
    from = to;
  }
}
