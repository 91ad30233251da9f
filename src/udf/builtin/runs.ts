/**
 * Regions of a frame as runs of pixels, which kernels follow without looking at a pixel outside.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionNames } from "../../options.ts";
import { number } from "../../options/rules.ts";
import { type Shape, showShape } from "../../space/shape.ts";

/** A disk of pixels, `(y − cy)² + (x − cx)² ≤ r²`. */
export interface Disk {
  /** Row of the centre. */
  readonly cy: number;
  /** Column of the centre. */
  readonly cx: number;
  /** Radius, included. */
  readonly r: number;
}

/** The names of what says where a disk is. */
export const DISK_NAMES: OptionNames<Disk> = { cy: number, cx: number, r: number };

/** The pixels of a `height × width` frame that are `inside`, as runs `(y, x0, x1)`, three numbers each. */
export function runsWhere(
  height: number,
  width: number,
  inside: (y: number, x: number) => boolean,
): Int32Array {
  const runs: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!inside(y, x)) continue;
      const start = x;
      while (x < width && inside(y, x)) x++;
      runs.push(y, start, x);
    }
  }
  return Int32Array.from(runs);
}

/** Whether a point at the square root of `square` from the centre lies in a disk; none does with a negative radius. */
export function inDisk(square: number, r: number): boolean {
  return r >= 0 && square <= r * r;
}

/** The pixels of a disk as runs; none without a disk. */
export function diskRuns(size: readonly [number, number], disk?: Disk): Int32Array {
  return disk ? ringRuns(size, { ...disk, ro: disk.r, ri: -1 }) : new Int32Array(0);
}

/** A ring of pixels, those of the disk of `ro` that are not in the disk of `ri`. */
export interface Ring extends Omit<Disk, "r"> {
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
function columnsWithin(y: number, width: number, { cy, cx, r }: Disk): [start: number, stop: number] {
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

/** Sets the pixels of all runs in `frame`, row by row, to 0. */
export function clearRuns(frame: Float32Array | Float64Array, width: number, runs: Int32Array): void {
  for (let i = 0; i < runs.length; i += 3) {
    const row = runs[i]! * width;
    frame.fill(0, row + runs[i + 1]!, row + runs[i + 2]!);
  }
}

/** Height and width of frames that have two dimensions; what else there is cannot do what `task` says. */
export function heightAndWidth(sigShape: Shape, task: string): [height: number, width: number] {
  if (sigShape.length === 2) return [sigShape[0]!, sigShape[1]!];
  const text = `Cannot ${task} frames of ${showShape(sigShape)}: they need 2 dimensions`;
  throw new TilewiseError("invalid", text);
}

/** Refuses parameters that are no numbers. */
export function checkFinite(name: string, params: object, needed: readonly string[]): void {
  const values = params as Readonly<Record<string, unknown>>;
  const wrong = needed.filter((key) => typeof values[key] !== "number" || Number.isNaN(values[key]));
  if (wrong.length === 0) return;
  const found = wrong.map((key) => `${key} = ${values[key]}`).join(", ");
  throw new TilewiseError("invalid", `"${name}" needs the numbers ${needed.join(", ")}; found ${found}`, {
    option: wrong[0],
    found: String(values[wrong[0]!]),
  });
}
