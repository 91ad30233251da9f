/**
 * Joins the components of tiles across their faces.
 *
 * Tiles come in row-major order. Each is compared with the tiles before it that it touches, also diagonally; of those
 * that no later tile touches, nothing is kept but the numbers of their components.
 *
 * @module
 */

import type { Box, Grid } from "../../space/box.ts";
import { ravel, type Shape, sizeOf, stridesOf } from "../../space/shape.ts";
import { type FaceLayout, faceLayout, lengthOf, type Near, offsetsBefore, offsetsOf } from "./tile_runs.ts";

// Sets of components that belong together: each is known by the component whose first sample is the first of all.

/** The sets of components of tiles. */
class ComponentSets {
  /** Per component: itself, or one of the same set whose first sample comes earlier. */
  readonly #parent: Uint32Array;
  /** Per component: where its first sample is in the whole array. */
  readonly #first: Float64Array;

  /** Room for as many components; `of` has the first ones. */
  constructor(room: number, of?: ComponentSets) {
    this.#parent = new Uint32Array(room);
    this.#first = new Float64Array(room);
    if (of) this.#parent.set(of.#parent);
    if (of) this.#first.set(of.#first);
  }

  /** Components for which there is room. */
  get room(): number {
    return this.#parent.length;
  }

  /**
   * Adds the components of a tile, each a set of its own, from number `base` on. `firsts`: their first samples as indices
   * into the tile, in ascending order.
   */
  add(base: number, firsts: Uint32Array, { origin, shape }: Box, whole: Shape): void {
    const [outer, length] = [shape.slice(0, -1), shape.at(-1)!];
    const position = outer.map(() => 0);
    let stop = length;
    let shift = ravel(origin, whole); // of the line: from indices into the tile to those into the array
    for (let i = 0; i < firsts.length; i++) { // there may be millions
      const first = firsts[i]!;
      if (first >= stop) {
        for (; first >= stop; stop += length) {
          for (let d = outer.length - 1; d >= 0 && ++position[d]! === outer[d]; d--) position[d] = 0;
        }
        shift = ravel([...position.map((p, d) => p + origin[d]!), origin.at(-1)!], whole) - (stop - length);
      }
      this.#parent[base + i] = base + i;
      this.#first[base + i] = first + shift;
    }
  }

  /** Two components belong together. */
  join(a: number, b: number): void {
    const [left, right] = [this.#rootOf(a), this.#rootOf(b)];
    if (left === right) return;
    if (this.#first[left]! < this.#first[right]!) this.#parent[right] = left;
    else this.#parent[left] = right;
  }

  /** Halves the way to it. */
  #rootOf(member: number): number {
    const parent = this.#parent;
    while (parent[member] !== member) {
      const next = parent[parent[member]!]!;
      parent[member] = next;
      member = next;
    }
    return member;
  }

  /**
   * Numbers the sets by their first samples, from 1, and writes the number of each component; the number of sets. The
   * components of tile `t` are those from `starts[t]` on.
   *
   * In a tile, first samples are in ascending order. So are those of tiles side by side, line by line: it is enough to
   * count how many of them are in each line of a row of tiles.
   */
  number(labels: Uint32Array, starts: Float64Array, { shape, tile, counts }: Grid): number {
    const width = shape.at(-1)!;
    const linesOf = (layers: number) => shape.length === 1 ? 1 : layers * sizeOf(shape.slice(1, -1));
    const tiles = sizeOf(counts.slice(1));
    const next = new Uint32Array(linesOf(Math.min(tile[0]!, shape[0]!)));
    let count = 0;
    for (let row = 0; row < counts[0]!; row++) {
      const line = shape.length === 1 ? 0 : row * linesOf(tile[0]!);
      const [from, to] = [starts[row * tiles]!, starts[(row + 1) * tiles]!];
      next.fill(0);
      for (let i = from; i < to; i++) {
        if (this.#parent[i] === i) next[Math.floor(this.#first[i]! / width) - line]!++;
      }
      for (const [l, n] of next.entries()) [next[l], count] = [count, count + n];
      for (let i = from; i < to; i++) {
        if (this.#parent[i] === i) labels[i] = ++next[Math.floor(this.#first[i]! / width) - line]!;
      }
    }
    for (let i = 0, all = starts.at(-1)!; i < all; i++) labels[i] = labels[this.#rootOf(i)]!;
    return count;
  }
}

/** Bytes of memory per component of a tile: its set, its first sample and its final number. */
export const COMPONENT_BYTES = 16;

/** The final numbers of the components of all tiles. */
export interface LabelTable {
  /** Number of components of the whole array. */
  readonly count: number;
  /** The tiles: the numbers hold for no others. */
  readonly grid: Grid;
  /** For each tile, in row-major order: where its components are in `labels`; and one past the last of all. */
  readonly starts: Float64Array;
  /** The final number of each component of each tile. */
  readonly labels: Uint32Array;
}

/** A tile whose faces may touch those of a later one. */
interface Kept {
  /** Number of its first component. */
  readonly base: number;
  readonly shape: Shape;
  readonly faces: Uint32Array;
}

/** Bytes of the faces that are kept. */
export function keptBytes({ counts, tile }: Grid): number {
  return 4 * faceLayout(tile).firsts * (1 + reachOf(counts));
}

/** How far back a tile looks, in tiles. */
function reachOf(counts: Shape): number {
  return stridesOf(counts).reduce((sum, stride) => sum + stride, 0);
}

/** The components of the tiles so far. */
export class JoinedComponents {
  readonly #layout: FaceLayout;
  readonly #kept = new Map<number, Kept>();
  readonly #starts: Float64Array;
  readonly #before: readonly Shape[];
  #sets = new ComponentSets(0);
  #total = 0;

  /** For the tiles of `grid`; there may be `most` components, `tooMany` is the error if there are more. */
  constructor(
    private readonly grid: Grid,
    private readonly near: Near,
    private readonly most: number,
    private readonly tooMany: (components: number) => Error,
  ) {
    this.#layout = faceLayout(grid.tile);
    this.#starts = new Float64Array(sizeOf(grid.counts) + 1);
    this.#before = offsetsBefore(grid.counts.length, near);
  }

  /** Adds the next tile. */
  add(list: Uint32Array, { origin, shape }: Box): void {
    const { counts, tile } = this.grid;
    const index = origin.map((o, d) => o / tile[d]!);
    const flat = ravel(index, counts);
    const [base, count] = [this.#total, list[0]!];
    this.#grow(base + count, (flat + 1) / sizeOf(counts));
    const { firsts } = this.#layout;
    this.#sets.add(base, list.subarray(firsts, firsts + count), { origin, shape }, this.grid.shape);
    this.#starts[flat] = base;
    this.#starts[flat + 1] = this.#total;
    const one = { base, shape, faces: list.slice(0, firsts) };
    for (const offset of this.#before) {
      const at = index.map((i, d) => i + offset[d]!);
      if (at.some((i, d) => i < 0 || i >= counts[d]!)) continue;
      this.#joinTiles(this.#kept.get(ravel(at, counts))!, one, offset);
    }
    this.#kept.set(flat, one);
    this.#kept.delete(flat - reachOf(counts));
  }

  /** The final numbers, by the first sample of each component. */
  table(): LabelTable {
    this.#kept.clear();
    const shared = typeof SharedArrayBuffer !== "undefined"; // so that workers need no copies
    const bytes = 4 * this.#total;
    const labels = new Uint32Array(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
    const count = this.#sets.number(labels, this.#starts, this.grid);
    return { count, grid: this.grid, starts: this.#starts, labels };
  }

  /** Makes room, if need be for as many components as there will be if the other tiles have as many as those so far. */
  #grow(total: number, part: number): void {
    if (total > this.most) throw this.tooMany(total);
    const expected = Math.ceil(1.05 * total / part) + 1024;
    if (total > this.#sets.room) {
      this.#sets = new ComponentSets(Math.min(expected, this.most), this.#sets);
    }
    this.#total = total;
  }

  /** Joins what touches across the face, edge or corner between `one` and the tile at `offset` from it. */
  #joinTiles(other: Kept, one: Kept, offset: Shape): void {
    const d = offset.findIndex((step) => step !== 0);
    const [front, back] = this.#layout.faces[d]!;
    const rest = [...offset.keys()].filter((e) => e !== d);
    const free = rest.filter((e) => offset[e] === 0);
    const [mine, theirs] = [faceStrides(one.shape, rest), faceStrides(other.shape, rest)];
    const fixed = rest.filter((e) => offset[e] !== 0);
    const from = fixed.reduce((at, e) => at + (offset[e]! < 0 ? 0 : one.shape[e]! - 1) * mine[e]!, front);
    const to = fixed.reduce((at, e) => at + (offset[e]! < 0 ? other.shape[e]! - 1 : 0) * theirs[e]!, back);
    for (const delta of offsetsOf(free.length, this.near.connectivity - lengthOf(offset))) {
      if (delta.some((step, i) => step !== 0 && !this.near.dims.includes(free[i]!))) continue;
      const counts = free.map((e, i) => one.shape[e]! - Math.abs(delta[i]!));
      const a = free.reduce((at, e, i) => at + Math.max(0, -delta[i]!) * mine[e]!, from);
      const b = free.reduce((at, e, i) => at + Math.max(0, delta[i]!) * theirs[e]!, to);
      this.#joinLayers(one, other, counts, free.map((e) => mine[e]!), free.map((e) => theirs[e]!), a, b);
    }
  }

  #joinLayers(one: Kept, other: Kept, counts: Shape, mine: Shape, theirs: Shape, a: number, b: number): void {
    let last = -1; // most samples are of the same two components as the one before
    const walk = (d: number, a: number, b: number): void => {
      if (d < counts.length) {
        for (let i = 0; i < counts[d]!; i++) walk(d + 1, a + i * mine[d]!, b + i * theirs[d]!);
        return;
      }
      const [left, right] = [one.faces[a]!, other.faces[b]!];
      if (left === 0 || right === 0) return;
      const pair = left * 2 ** 26 + right;
      if (pair === last) return;
      last = pair;
      this.#sets.join(one.base + left - 1, other.base + right - 1);
    };
    walk(0, a, b);
  }
}

/** Distances of samples of a face in the list, per dimension of the tile. */
function faceStrides(shape: Shape, rest: readonly number[]): number[] {
  const strides = shape.map(() => 0);
  let stride = 1;
  for (const d of rest.toReversed()) {
    strides[d] = stride;
    stride *= shape[d]!;
  }
  return strides;
}
