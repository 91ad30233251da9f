/**
 * Regions of a frame as runs of pixels, so that kernels read no pixel outside.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkRing, GEOMETRY, noPixel, ringRuns } from "../../masks/geometry.ts";
import type { OptionNames } from "../../options.ts";
import { needed } from "../../options/rules.ts";
import { type DType, isComplex } from "../../space/dtype.ts";
import { type Shape, showShape } from "../../space/shape.ts";

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

/** The pixels of a disk as runs; none if there is no disk. */
export function diskRuns(size: readonly [number, number], disk?: Disk): Int32Array {
  if (!disk) return new Int32Array(0);
  const { cy, cx, r: ro } = disk;
  checkRing("a hole", size, { cy, cx, ro });
  const runs = ringRuns(size, { cy, cx, ro, ri: -1 });
  let covered = 0;
  for (let i = 0; i < runs.length; i += 3) covered += runs[i + 2]! - runs[i + 1]!;
  if (covered < size[0] * size[1]) return runs;
  throw noPixel("a hole", size, `that is more than ${ro} px from (${cy}, ${cx})`);
}

/** Sets the pixels of all runs in `frame`, row by row, to 0. */
export function clearRuns(frame: Float32Array | Float64Array, width: number, runs: Int32Array): void {
  for (let i = 0; i < runs.length; i += 3) {
    const row = runs[i]! * width;
    frame.fill(0, row + runs[i + 1]!, row + runs[i + 2]!);
  }
}

/**
 * Height and width of frames that have two dimensions; other frames are refused with a message that they cannot do
 * `task`.
 */
export function heightAndWidth(sigShape: Shape, task: string): [height: number, width: number] {
  if (sigShape.length === 2) return [sigShape[0]!, sigShape[1]!];
  const text = `Cannot ${task} frames of ${showShape(sigShape)}: they need 2 dimensions`;
  throw new TilewiseError("invalid", text);
}

/** Refuses complex frames; `udf` cannot do its task with them. */
export function mustBeReal(dtype: DType, task: string, udf: string): void {
  if (!isComplex(dtype)) return;
  const text = `Cannot ${task} ${dtype} frames: they must be real`;
  throw new TilewiseError("unsupported", text, { udf, found: dtype });
}

/**
 * A disk of pixels, `(y − cy)² + (x − cx)² ≤ r²`.
 * @category Analyses
 */
export interface Disk {
  /** Row of the centre. */
  readonly cy: number;
  /** Column of the centre. */
  readonly cx: number;
  /** Radius, included. */
  readonly r: number;
}

/** The names of the options of a disk. */
// deno-fmt-ignore: written by `deno task build`
export const DISK_NAMES: OptionNames<Disk> = {
  cy: needed(GEOMETRY.cy), cx: needed(GEOMETRY.cx), r: needed(GEOMETRY.r),
};
