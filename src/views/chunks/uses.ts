/**
 * Which views show a chunk: after the last of them, nobody needs it any more.
 *
 * @module
 */

import type { Grid } from "../../space/grid.ts";
import type { Halo } from "../../space/halo.ts";
import type { Shape } from "../../space/shape.ts";

/** Per dimension, for each row of chunks: how many rows of views touch it. A chunk is in as many views as their product. */
export type ChunkUses = readonly Shape[];

/** Views, as far as chunks depend on them. */
export interface ViewsOfChunks {
  /** Tiles of the array. */
  readonly grid: Grid;
  /** Samples around tiles. */
  readonly halo: Halo;
}

/** The first and the last row of tiles whose views touch a row of chunks. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** The uses of chunks of shape `chunk`. Borders that show other chunks again are not counted. */
export function chunkUses(views: ViewsOfChunks, chunk: Shape): ChunkUses {
  return chunk.map((_, d) => spansOf(views, chunk, d).map(({ first, last }) => last - first + 1));
}

function spansOf({ grid: { shape, tile, counts }, halo }: ViewsOfChunks, chunk: Shape, d: number): Span[] {
  const [n, size, step] = [shape[d]!, tile[d]!, chunk[d]!];
  return Array.from({ length: Math.ceil(n / step) }, (_, k) => {
    const [start, stop] = [k * step, Math.min(n, (k + 1) * step)];
    const first = Math.max(0, Math.floor((start - halo.back[d]!) / size));
    return { first, last: Math.min(counts[d]!, Math.ceil((stop + halo.front[d]!) / size)) - 1 };
  });
}

/**
 * The most chunks of a plane that were seen and will be seen again, or are seen now, while views come row by row. A view
 * touches `columns` chunks of a row, of `row` chunks. While a row of tiles is on its way, rows of chunks are needed from
 * before until after it (`kept`), or up to it (`ends`), or from it on (`begins`), or for this one only: what has ended on
 * one side of the view makes room for what begins on the other.
 */
export function chunksInUse(views: ViewsOfChunks, chunk: Shape, row: number, columns: number): number {
  const d = chunk.length - 2;
  if (d < 0) return columns;
  const rows = Array.from(
    { length: views.grid.counts[d]! },
    () => ({ kept: 0, ends: 0, begins: 0, once: 0 }),
  );
  for (const { first, last } of spansOf(views, chunk, d)) {
    for (let t = first; t <= last; t++) {
      const kind = first === last ? "once" : t === first ? "begins" : t === last ? "ends" : "kept";
      rows[t]![kind]++;
    }
  }
  return rows.reduce((most, { kept, ends, begins, once }) => {
    return Math.max(most, (kept + Math.max(ends, begins)) * row + (Math.min(ends, begins) + once) * columns);
  }, 0);
}
