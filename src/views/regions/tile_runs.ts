/**
 * Connected components of one tile.
 *
 * Lines of a tile are cut into runs of samples that are inside. Runs that touch runs of earlier lines are joined. A
 * component is known by its first run, so that components are numbered by their first sample.
 *
 * ```text
 *   · 1 1 · 2       runs 0 1 / 2 / 3      join 2 with 0, then with 1: all are component 1
 *   · · 1 1 1       (run 2 touches both)
 *   1 · · · ·       run 3 touches none, unless diagonal neighbours count
 * ```
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";
import { lengthOf, offsetsBefore } from "./offsets.ts";
import { join, rootOf } from "./union_find.ts";

/** Which samples are inside: those greater than a number, or, if there is none, those that are not 0. */
export type Above = number | null;

/** Samples in some memory: units are elements of `data`. */
export interface Samples {
  /** The whole memory. */
  readonly data: ArrayLike<number | bigint>;
  /** The first sample. */
  readonly first: number;
  /** Samples per dimension. */
  readonly shape: Shape;
  /** Distance of samples, per dimension; 1 along the last. */
  readonly stride: Shape;
}

/** Most runs of a tile. */
export function mostRuns(tile: Shape): number {
  const lines = tile.slice(0, -1).reduce((product, n) => product * n, 1);
  return lines * Math.ceil(tile.at(-1)! / 2);
}

/** Bytes of the arrays of {@link TileRuns}. */
export function runBytes(tile: Shape): number {
  return 4 * (4 * mostRuns(tile) + linesOf(tile) + 1);
}

function linesOf(tile: Shape): number {
  return tile.slice(0, -1).reduce((product, n) => product * n, 1);
}

/** The runs of a tile, and their components; used again for every tile. */
export class TileRuns {
  /** First sample of each run, along its line. */
  readonly start: Uint32Array;
  /** One past its last sample. */
  readonly stop: Uint32Array;
  /** Number of its component, from 1. */
  readonly label: Uint32Array;
  /** The first run of each line, and one past the last run of all. */
  readonly lines: Uint32Array;
  /** Samples per dimension of the current tile. */
  shape: Shape = [];
  /** Components of the current tile. */
  count = 0;
  readonly #parent: Uint32Array;
  readonly #touching: readonly (readonly [offset: Shape, diagonal: 0 | 1])[];

  /** For tiles of up to `tile` samples; needs {@link runBytes} bytes of `buffer` from `at` on. */
  constructor(buffer: ArrayBufferLike, at: number, tile: Shape, connectivity: number) {
    const most = mostRuns(tile);
    const part = (n: number) => new Uint32Array(buffer, at + 4 * n * most, most);
    [this.start, this.stop, this.label, this.#parent] = [part(0), part(1), part(2), part(3)];
    this.lines = new Uint32Array(buffer, at + 16 * most, linesOf(tile) + 1);
    this.#touching = offsetsBefore(tile.length - 1, connectivity).map((offset) => [
      offset,
      lengthOf(offset) < connectivity ? 1 : 0,
    ]);
  }

  /** Finds the components of a tile. */
  find(samples: Samples, above: Above): void {
    this.shape = samples.shape;
    this.#cut(samples, above);
    this.#joinLines();
    this.#number();
  }

  #cut({ data, first, shape, stride }: Samples, above: Above): void {
    const [length, outer] = [shape.at(-1)!, shape.slice(0, -1)];
    const cut = above === null ? runsOfMask : runsAbove;
    let [run, line] = [0, 0];
    const walk = (d: number, at: number): void => {
      if (d < outer.length) {
        for (let i = 0; i < outer[d]!; i++) walk(d + 1, at + i * stride[d]!);
        return;
      }
      this.lines[line++] = run;
      run = cut(this, run, data, at, length, above ?? 0);
    };
    walk(0, first);
    this.lines[line] = run;
    for (let i = 0; i < run; i++) this.#parent[i] = i;
  }

  #joinLines(): void {
    const outer = this.shape.slice(0, -1);
    const at = outer.map(() => 0);
    const lines = outer.reduce((product, n) => product * n, 1);
    for (let line = 0; line < lines; line++) {
      for (const [offset, diagonal] of this.#touching) {
        let other = 0;
        for (let d = 0; d < outer.length && other >= 0; d++) {
          const i = at[d]! + offset[d]!;
          other = i < 0 || i >= outer[d]! ? -1 : other * outer[d]! + i;
        }
        if (other >= 0) this.#joinPair(line, other, diagonal);
      }
      for (let d = outer.length - 1; d >= 0 && ++at[d]! === outer[d]; d--) at[d] = 0;
    }
  }

  /** Joins the runs of two lines that touch: they have a sample at the same place, or `diagonal` places apart. */
  #joinPair(line: number, other: number, diagonal: 0 | 1): void {
    const { start, stop, lines } = this;
    let [i, j] = [lines[line]!, lines[other]!];
    const [last, end] = [lines[line + 1]!, lines[other + 1]!];
    while (i < last && j < end) {
      if (start[i]! < stop[j]! + diagonal && start[j]! < stop[i]! + diagonal) join(this.#parent, i, j);
      if (stop[i]! < stop[j]!) i++;
      else j++;
    }
  }

  #number(): void {
    const { label } = this;
    const runs = this.lines[linesOf(this.shape)]!;
    this.count = 0;
    for (let run = 0; run < runs; run++) {
      const root = rootOf(this.#parent, run);
      label[run] = root === run ? ++this.count : label[root]!;
    }
  }
}

type Runs = Pick<TileRuns, "start" | "stop">;

/** Puts the runs of samples above a number into the lists from `run` on; one past the last of them. */
function runsAbove(
  { start, stop }: Runs,
  run: number,
  data: ArrayLike<number | bigint>,
  at: number,
  length: number,
  above: number,
): number {
  for (let x = 0; x < length;) {
    while (x < length && !(data[at + x]! > above)) x++;
    if (x === length) break;
    start[run] = x;
    while (x < length && data[at + x]! > above) x++;
    stop[run++] = x;
  }
  return run;
}

/** As {@link runsAbove}, for samples that are not 0. */
function runsOfMask(
  { start, stop }: Runs,
  run: number,
  data: ArrayLike<number | bigint>,
  at: number,
  length: number,
): number {
  for (let x = 0; x < length;) {
    while (x < length && !data[at + x]) x++;
    if (x === length) break;
    start[run] = x;
    while (x < length && data[at + x]) x++;
    stop[run++] = x;
  }
  return run;
}
