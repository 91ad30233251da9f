/**
 * Disks and rings as runs of pixels, `(y, x0, x1)` one after another: of each row only the ends are looked at.
 *
 * @module
 */

import type { Centre } from "./frame.ts";

/** Whether a point at the square root of `square` from the centre lies in a disk; none does with a negative radius. */
export function inDisk(square: number, r: number): boolean {
  return r >= 0 && square <= r * r;
}

/** A ring of pixels, those of the disk of `ro` that are not in the disk of `ri`. */
export interface Ring extends Centre {
  /** Outer radius, included. */
  readonly ro: number;
  /** Inner radius, excluded. */
  readonly ri: number;
}

/** Bytes of a run. */
const RUN_BYTES = 12;

/** The pixels of a ring as runs, of which a row has two at most; only the ends of its runs are looked at. */
export function ringRuns([height, width]: readonly [number, number], { cy, cx, ro, ri }: Ring): Int32Array {
  const [top, bottom] = rowsWithin(height, cy, ro);
  const runs = new Int32Array(6 * (bottom - top));
  let end = 0;
  const add = (y: number, start: number, stop: number) => {
    if (start >= stop) return;
    runs.set([y, start, stop], end);
    end += 3;
  };
  for (let y = top; y < bottom; y++) {
    const [start, stop] = columnsWithin(y, width, { cy, cx, r: ro });
    const [from, to] = columnsWithin(y, width, { cy, cx, r: ri });
    if (from < to) {
      add(y, start, Math.min(stop, from));
      add(y, Math.max(start, to), stop);
    } else add(y, start, stop);
  }
  return runs.slice(0, end);
}

/** Fewest bytes of the runs of a ring: most rows have two, but some may have one. */
export function leastRingBytes([height]: readonly [number, number], { cy, ro }: Ring): number {
  const [top, bottom] = rowsWithin(height, cy, ro);
  return RUN_BYTES * (bottom - top);
}

/** The rows that a disk may reach. */
function rowsWithin(height: number, cy: number, r: number): [top: number, bottom: number] {
  if (!(r >= 0)) return [0, 0];
  const reach = r + marginOf(r);
  if (!Number.isFinite(reach + cy)) return [0, height];
  const top = Math.min(height, Math.max(0, Math.floor(cy - reach)));
  return [top, Math.max(top, Math.min(height, Math.ceil(cy + reach) + 1))];
}

/** The pixels of a row that are in a disk, half-open; the tests of {@link inDisk} decide at both ends. */
function columnsWithin(
  y: number,
  width: number,
  { cy, cx, r }: Centre & { readonly r: number },
): [start: number, stop: number] {
  const inside = (x: number) => inDisk((y - cy) ** 2 + (x - cx) ** 2, r);
  const half = Math.sqrt(Math.max(0, r * r - (y - cy) ** 2)) + marginOf(r);
  const isFinite = Number.isFinite(half + cx);
  let start = isFinite ? Math.min(width, Math.max(0, Math.floor(cx - half))) : 0;
  let stop = isFinite ? Math.min(width, Math.max(0, Math.ceil(cx + half) + 1)) : width;
  while (start < stop && !inside(start)) start++;
  while (start < stop && !inside(stop - 1)) stop--;
  return [start, stop];
}

/** How far rounding may move the edge of a disk: squares of its size are that far from each other. */
function marginOf(r: number): number {
  return 1 + 1e-7 * Math.abs(r);
}
