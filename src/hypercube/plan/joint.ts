/**
 * Search for the extents of a tile, along all dimensions together.
 *
 * Extents are even: 10 in tiles of 9 becomes 5 and 5, which is no more tiles and less memory. Candidates along each dimension
 * go down by a fixed ratio, for the longest dimension the largest extent that fits is found by bisection, and the best
 * ones are enlarged until nothing more fits.
 *
 * Of the tiles that use at least 90 % of the most that any uses, those that let sources and sinks move the least
 * (within 5 %) are preferred; among these the one that leaves the last dimensions longest, as they are contiguous.
 *
 * @module
 */

import type { OfExtents } from "./tile_bytes.ts";

/** What the search knows. */
export interface Search {
  /** Sizes of the dimensions that may be cut. */
  readonly sizes: readonly number[];
  /** Bytes of a tile; larger extents never give fewer. */
  readonly bytes: OfExtents;
  /** Bytes that the run moves. */
  readonly moved: OfExtents;
  /** Most bytes of a tile; one sample along each dimension does not have more. */
  readonly limit: number;
}

/** Most combinations of extents that are looked at. */
const MOST_LEAVES = 1024;

/** Ratios between candidates of a dimension, from fine to coarse. */
const RATIOS = [0.9, 0.8, 0.7, 0.6, 0.5, 0.35, 0.25, 0.1, 0.01];

/** Tiles that are enlarged before one is chosen. */
const FINALISTS = 24;

/** If a run moves more than this multiple of what it has to move, larger tiles are tried. */
const MUCH = 1.25;

/** How much larger. */
const STEP = 4;

/**
 * The extents of the best tile of at most `good` bytes, or of a larger one if the run then moves much less: up to `room`, and up to
 * `largest` unless the least tile has more. Ones if not even they fit.
 */
export function goodExtents(
  search: Omit<Search, "limit">,
  good: number,
  room: number,
  largest = Infinity,
): number[] {
  const ones = search.sizes.map(() => 1);
  const least = search.bytes(ones);
  if (least > room) return ones;
  const most = Math.min(room, Math.max(largest, least));
  const must = search.moved(search.sizes.map((n) => Math.max(1, n)));
  let best: number[] | undefined;
  for (let limit = Math.min(most, Math.max(good, least));; limit = Math.min(most, STEP * limit)) {
    const found = jointExtents({ ...search, limit });
    if (!best || search.moved(found) < search.moved(best)) best = found;
    if (limit === most || search.moved(best) <= MUCH * must) return best;
  }
}

/** The extents of the best tile. */
function jointExtents(search: Search): number[] {
  const sizes = search.sizes.map((n) => Math.max(1, n));
  const within = { ...search, sizes };
  if (search.bytes(sizes) <= search.limit) return sizes;
  const leaves = leavesOf(within).map((extents) => rowOf(extents, within));
  const largest = leaves.toSorted((a, b) => b.bytes - a.bytes).slice(0, FINALISTS);
  const finalists = [...ranked(leaves).slice(0, FINALISTS), ...largest];
  return ranked(finalists.map(({ extents }) => rowOf(enlarged(extents, within), within)))[0]!.extents;
}

/** Extents that fit, for combinations of candidates. */
function leavesOf({ sizes, bytes, limit }: Search): number[][] {
  const longest = sizes.indexOf(Math.max(...sizes));
  const others = sizes.map((_, d) => d).filter((d) => d !== longest && sizes[d]! > 1);
  const candidates = candidatesOf(others.map((d) => sizes[d]!));
  const leaves: number[][] = [];
  const extents = sizes.map(() => 1);
  const visit = (i: number): void => {
    if (bytes(extents) > limit) return;
    const d = others[i];
    if (d === undefined) {
      const most = even(
        sizes[longest]!,
        lastThat(sizes[longest]!, (n) => bytes(extents.with(longest, n)) <= limit),
      );
      return void leaves.push(extents.with(longest, most));
    }
    for (const extent of candidates[i]!) {
      extents[d] = extent;
      visit(i + 1);
    }
    extents[d] = 1;
  };
  visit(0);
  return leaves;
}

/** Candidates for each size, as fine as the number of combinations allows. */
function candidatesOf(sizes: readonly number[]): number[][] {
  let lists: number[][] = [];
  for (const ratio of RATIOS) {
    lists = sizes.map((size) => candidatesBy(size, ratio));
    if (lists.reduce((product, { length }) => product * length, 1) <= MOST_LEAVES) break;
  }
  return lists;
}

function candidatesBy(size: number, ratio: number): number[] {
  const all = new Set<number>();
  for (let target = size; target >= 1; target = Math.floor(target * ratio)) all.add(even(size, target));
  return [...all.add(1)];
}

/** Every extent enlarged, from the last dimension to the first, as far as the tile fits. */
function enlarged(leaf: readonly number[], { sizes, bytes, limit }: Search): number[] {
  const extents = [...leaf];
  for (let d = sizes.length - 1; d >= 0; d--) {
    const most = lastThat(sizes[d]!, (n) => bytes(extents.with(d, n)) <= limit);
    extents[d] = even(sizes[d]!, Math.max(extents[d]!, most));
  }
  return extents;
}

/** A tile and what it costs. */
interface Row {
  readonly extents: number[];
  readonly bytes: number;
  readonly moved: number;
}

function rowOf(extents: number[], { bytes, moved }: Search): Row {
  return { extents, bytes: bytes(extents), moved: moved(extents) };
}

/** Tiles by the preference at the top of this file, the best first. */
function ranked(rows: readonly Row[]): Row[] {
  const most = rows.reduce((max, row) => Math.max(max, row.bytes), 0);
  const full = rows.filter((row) => row.bytes >= 0.9 * most);
  const least = full.reduce((min, row) => Math.min(min, row.moved), Infinity);
  return full.filter((row) => row.moved <= 1.05 * least).toSorted((a, b) => longerLast(a.extents, b.extents));
}

function longerLast(a: readonly number[], b: readonly number[]): number {
  const d = a.findLastIndex((extent, i) => extent !== b[i]);
  return d < 0 ? 0 : b[d]! - a[d]!;
}

/** The extent of even tiles, as many as tiles of `extent` would be. */
export function even(size: number, extent: number): number {
  return Math.ceil(size / Math.ceil(size / extent));
}

/**
 * The last of 1 … n for which a condition holds, if it fails for all numbers after the first failure; 1 if it never
 * holds.
 */
function lastThat(n: number, holds: (n: number) => boolean): number {
  let [good, bad] = [1, n + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
