/**
 * Sets of components that belong together: each is known by the component whose first sample is the first of all.
 *
 * @module
 */

import type { Box } from "../../space/box.ts";
import type { Grid } from "../../space/grid.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";

/** The sets of components of tiles. */
export class ComponentSets {
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
