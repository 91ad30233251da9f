/**
 * Values along a line.
 *
 * @module
 */

import type { Plane } from "../../src/pictures/mod.ts";
import type { Position } from "../state/state.ts";

/** Values along a line, one per sample of its length. */
export interface Profile {
  /** The values; NaN where the line leaves the image or nothing is known. */
  readonly values: Float64Array;
  /** Distance between two values, in rows and in columns. */
  readonly step: Position;
}

/** Most values of a profile. */
const MOST = 1 << 14;

/**
 * Values from `start` to `stop`, between samples by linear interpolation; each is the mean over `width` samples across
 * the line. NaN is left out of the mean.
 */
export function profileOf(
  plane: Plane,
  [start, stop]: readonly [Position, Position],
  width: number = 1,
): Profile {
  const [down, right] = [stop[0] - start[0], stop[1] - start[1]];
  const length = Math.hypot(down, right);
  const count = Math.max(2, Math.min(MOST, Math.ceil(length) + 1));
  const step: Position = [down / (count - 1), right / (count - 1)];
  const across: Position = length > 0 ? [-right / length, down / length] : [0, 0];
  const rows = new Rows(plane);
  const lines = Math.max(1, Math.round(width));
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let [sum, n] = [0, 0];
    for (let k = 0; k < lines; k++) {
      const off = k - (lines - 1) / 2;
      const value = rows.between(
        start[0] + i * step[0] + off * across[0],
        start[1] + i * step[1] + off * across[1],
      );
      if (Number.isNaN(value)) continue;
      sum += value;
      n++;
    }
    values[i] = sum / n; // 0 / 0 is NaN
  }
  return { values, step };
}

/** Rows that were read. */
class Rows {
  readonly #rows = new Map<number, Float64Array>();

  constructor(readonly plane: Plane) {}

  /** The value between four samples. */
  between(y: number, x: number): number {
    const [top, left] = [Math.floor(y + 1e-9), Math.floor(x + 1e-9)];
    const [v, u] = [Math.max(0, y - top), Math.max(0, x - left)];
    const near = (a: number, b: number, t: number) => t < 1e-9 ? a : a + t * (b - a);
    const along = (row: number) => near(this.#at(row, left), u < 1e-9 ? 0 : this.#at(row, left + 1), u);
    return near(along(top), v < 1e-9 ? 0 : along(top + 1), v);
  }

  #at(y: number, x: number): number {
    if (!(y >= 0 && y < this.plane.height && x >= 0 && x < this.plane.width)) return NaN;
    let row = this.#rows.get(y);
    if (!row) {
      if (this.#rows.size > 256) this.#rows.clear();
      this.#rows.set(y, row = new Float64Array(this.plane.width));
      this.plane.row(y, row);
    }
    return row[x]!;
  }
}
