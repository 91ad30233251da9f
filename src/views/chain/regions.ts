/**
 * Which samples each step of a chain computes for one tile, per dimension.
 *
 * A step computes samples inside of the array only; those outside are made from them by the border, as if the
 * result of the step were an array of its own. All of them come from samples that are computed for the same tile: a
 * border that reflects or repeats the edge never looks further inside than the halo reaches outside.
 *
 * The border `wrap` is different: what it shows lies at the other end of the array. There the step is computed
 * outside as well, from samples that are the same as those at the other end, range by range:
 *
 * ```text
 *   array 0 1 2 3 4, made for the tile 0 1 with a halo of 2
 *   reflect, edge:  2 1 | 0 1 2 3        computed 0 1 2 3, then copied
 *   wrap:           3 4 | 0 1 2 3        computed 3 4 and 0 1 2 3
 * ```
 *
 * @module
 */

import { type Box, box } from "../../space/box.ts";
import type { Shape } from "../../space/shape.ts";

/** Samples of one dimension that are computed together: they lie in the array side by side. */
export interface WrappedRange {
  /** The first of them, as the region counts: negative in front of the array. */
  readonly from: number;
  /** The first of them in the array. */
  readonly place: number;
  /** Number of samples. */
  readonly count: number;
}

/** What a step computes for one tile. */
export interface StepRegion {
  /** Its samples, with those outside of the array that the next step sees. */
  readonly made: Box;
  /** Those that are computed, per dimension. */
  readonly ranges: readonly (readonly WrappedRange[])[];
  /** The samples of the step before that it reads. */
  readonly read: Box;
}

/** A step, as far as regions depend on it. */
export interface RegionStep {
  /** Samples on both sides that it needs. */
  readonly reach: Shape;
  /** Samples of its input per sample of its result. */
  readonly factors: Shape;
}

/** Shapes of the array and of the results of all steps. */
export function shapesOfSteps(shape: Shape, steps: readonly RegionStep[]): Shape[] {
  const shapes: Shape[] = [shape];
  for (const { factors } of steps) shapes.push(shapes.at(-1)!.map((n, d) => Math.ceil(n / factors[d]!)));
  return shapes;
}

/**
 * The regions of all steps for `tile` of the result of the last one. `shapes`: see {@link shapesOfSteps}; `wraps`: the
 * dimensions with that border.
 */
export function regionsOf(
  steps: readonly RegionStep[],
  shapes: readonly Shape[],
  wraps: readonly boolean[],
  tile: Box,
): StepRegion[] {
  const regions: StepRegion[] = [];
  let made = tile;
  for (let k = steps.length - 1; k >= 0; k--) {
    const [before, shape] = [shapes[k]!, shapes[k + 1]!];
    const { reach, factors } = steps[k]!;
    const ranges = made.origin.map((o, d) => rangesOf(wraps[d]!, o, made.shape[d]!, shape[d]!));
    const ends = ranges.map((list, d) => {
      const [first, last] = [list[0]!, list.at(-1)!];
      const [f, r] = [factors[d]!, reach[d]!];
      const stop = last.from * f + inputCount(last, f, before[d]!);
      return [first.from * f - r, stop + r] as const;
    });
    const read = box(ends.map(([start]) => start), ends.map(([start, stop]) => stop - start));
    regions.unshift({ made, ranges, read });
    made = read;
  }
  return regions;
}

/** Samples of the input that a range is made of, without the halo: at the end of an array of `n`, fewer are left. */
export function inputCount({ place, count }: WrappedRange, factor: number, n: number): number {
  return Math.min(count * factor, n - place * factor);
}

/** The samples from `start` that are computed, of `count`, in an array of `n`. */
function rangesOf(wraps: boolean, start: number, count: number, n: number): WrappedRange[] {
  const stop = start + count;
  if (!wraps) {
    const from = Math.max(0, start);
    return [{ from, place: from, count: Math.min(n, stop) - from }];
  }
  const ranges: WrappedRange[] = [];
  for (let from = start; from < stop;) {
    const place = ((from % n) + n) % n;
    const length = Math.min(n - place, stop - from);
    ranges.push({ from, place, count: length });
    from += length;
  }
  return ranges;
}
