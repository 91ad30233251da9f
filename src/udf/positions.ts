/**
 * Which scan positions of a partition have a frame: selected, and backed by an image.
 *
 * @module
 */

/** What decides about positions, as plain data. */
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
  const { indices, syncOffset, images } = selection;
  const first = Math.max(start, -syncOffset);
  const end = Math.min(stop, images - syncOffset);
  if (!indices) return Uint32Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return indices.slice(
    lowerBound(indices, first),
    Math.max(lowerBound(indices, first), lowerBound(indices, end)),
  );
}

/** Number of values below `limit` in ascending `values`. */
export function lowerBound(values: Uint32Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Cuts positions into blocks of at most `depth` frames; with `leaf`, no block reaches over a multiple of it.
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
