/**
 * A chain at work: every step computes its samples for one tile into scratch memory, and gets its halo from them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { copierWithin } from "../../kernels/copiers.ts";
import type { CopyRows } from "../../memory/copy_box.ts";
import { denseStrides, type StridedView, stridedView } from "../../memory/strided.ts";
import type { BorderMap } from "../../space/border.ts";
import { type Box, box } from "../../space/box.ts";
import { withHalo } from "../../space/halo.ts";
import { type Shape, sizeOf, unravel } from "../../space/shape.ts";
import { axisRuns } from "../geometry.ts";
import { constantViews, extendRun } from "../extend.ts";
import type { PlacedSamples, TileWork, WholeArray } from "../operations/operation.ts";
import type { ChainStep } from "./steps.ts";

// Which samples each step of a chain computes for one tile, per dimension.
//
// A step computes samples inside of the array only; those outside are made from them by the border, as if the
// result of the step were an array of its own. All of them come from samples that are computed for the same tile: a
// border that reflects or repeats the edge never looks further inside than the halo reaches outside.
//
// The border `wrap` is different: what it shows lies at the other end of the array. There the step is computed
// outside as well, from samples that are the same as those at the other end, range by range:
//
// ```text
//   array 0 1 2 3 4, made for the tile 0 1 with a halo of 2
//   reflect, edge:  2 1 | 0 1 2 3        computed 0 1 2 3, then copied
//   wrap:           3 4 | 0 1 2 3        computed 3 4 and 0 1 2 3
// ```

/** Samples of one dimension that are computed together: they lie in the array side by side. */
interface WrappedRange {
  /** The first of them, as the region counts: negative in front of the array. */
  readonly from: number;
  /** The first of them in the array. */
  readonly place: number;
  /** Number of samples. */
  readonly count: number;
}

/** What a step computes for one tile. */
interface StepRegion {
  /** Its samples, with those outside of the array that the next step sees. */
  readonly made: Box;
  /** Those that are computed, per dimension. */
  readonly ranges: readonly (readonly WrappedRange[])[];
  /** The samples of the step before that it reads. */
  readonly read: Box;
}

/** A step, as far as regions depend on it. */
interface RegionStep {
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
function regionsOf(
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
function inputCount({ place, count }: WrappedRange, factor: number, n: number): number {
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

/** What a chain at work consists of. */
interface ChainParts {
  /** Its steps. */
  readonly steps: readonly ChainStep[];
  /** The work of each. */
  readonly works: readonly TileWork[];
  /** Addresses of the results of all steps but the last: two places, used in turn. */
  readonly between: readonly number[];
  /** The array. */
  readonly whole: WholeArray;
  /** Shapes of the array and of the results of all steps: see {@link shapesOfSteps}. */
  readonly shapes: readonly Shape[];
  /** The maps of its borders. */
  readonly maps: readonly BorderMap[];
  /** The kernels, over the memory that has everything. */
  readonly kernels: Kernels;
}

/** The function that computes a tile by all steps. */
export function chainWork({ steps, works, between, whole, shapes, maps, kernels }: ChainParts): TileWork {
  const last = steps.length - 1;
  const factors = factorsOf(steps);
  const wraps = whole.borders.map((border) => border === "wrap");
  const [{ memory }, copyRows] = [kernels, copierWithin(kernels)];
  const outsides = steps.map(({ facts: { result } }): Outside => {
    return { maps, wraps, constants: constantViews(result, whole), memory, copyRows };
  });
  return async (view, out, tile) => {
    const result = box(
      tile.origin.map((o, d) => o / factors[d]!),
      tile.shape.map((n, d) => Math.ceil(n / factors[d]!)),
    );
    const regions = regionsOf(steps, shapes, wraps, result);
    let from: Placed = { samples: view, origin: originOf(view, tile) };
    for (const [k, work] of works.entries()) {
      const region = regions[k]!;
      const samples = k === last ? out : dense(between[k]!, region.made.shape, steps[k]!);
      const to = { samples, origin: region.made.origin };
      await compute(work, steps[k]!, shapes[k]!, region, from, to);
      if (k < last) surround(samples, region, shapes[k + 1]!, outsides[k]!);
      from = to;
    }
  };
}

/** Samples in memory, and where the first of them lies in the array that they are part of. */
interface Placed {
  readonly samples: PlacedSamples;
  readonly origin: Shape;
}

/** Where a view begins: as far in front of its tile as behind it. */
function originOf({ shape }: PlacedSamples, tile: Box): Shape {
  return tile.origin.map((o, d) => o - (shape[d]! - tile.shape[d]!) / 2);
}

function factorsOf(steps: readonly ChainStep[]): Shape {
  return steps.reduce<Shape>(
    (all, { factors }) => all.map((n, d) => n * factors[d]!),
    steps[0]!.factors.map(() => 1),
  );
}

function dense(pointer: number, shape: Shape, { facts: { result } }: ChainStep): PlacedSamples {
  return { pointer, shape, strides: denseStrides(shape, result) };
}

/** Runs one step over all of its ranges; usually there is one. */
async function compute(
  work: TileWork,
  { facts: { halo }, factors, partial }: ChainStep,
  shape: Shape,
  { ranges }: StepRegion,
  from: Placed,
  to: Placed,
): Promise<void> {
  const counts = ranges.map(({ length }) => length);
  for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
    const range = unravel(flat, counts).map((i, d): WrappedRange => ranges[d]![i]!);
    const covered = range.map((one, d) => inputCount(one, factors[d]!, shape[d]!));
    const begin = range.map((one, d) => one.from * factors[d]! - halo.front[d]!);
    const view = partOf(from, begin, withHalo(covered, halo));
    const out = partial
      ? to.samples
      : partOf(to, range.map((one) => one.from), range.map(({ count }) => count));
    await work(view, out, box(range.map(({ place }, d) => place * factors[d]!), covered));
  }
}

/** A part of placed samples; `begin` counts as their origin does. */
function partOf(
  { samples, origin }: Placed,
  begin: Shape,
  shape: Shape,
): PlacedSamples {
  const { pointer, strides } = samples;
  const first = begin.reduce((at, b, d) => at + (b - origin[d]!) * strides[d]!, pointer);
  return { ...samples, pointer: first, shape };
}

/** What is seen outside of the result of a step. */
interface Outside {
  readonly maps: readonly BorderMap[];
  readonly wraps: readonly boolean[];
  readonly constants: readonly StridedView[];
  readonly memory: WebAssembly.Memory;
  readonly copyRows: CopyRows;
}

/** Makes the samples outside of the array of `shape` from those that were computed. */
function surround(
  { pointer, shape: size, strides }: PlacedSamples,
  { made: { origin }, ranges }: StepRegion,
  shape: Shape,
  { maps, wraps, constants, memory, copyRows }: Outside,
): void {
  const view = stridedView(memory.buffer, pointer, constants[0]!.dtype, size, strides);
  for (let d = size.length - 1; d >= 0; d--) {
    if (wraps[d]) continue;
    const computed = ranges[d]![0]!.from;
    for (const run of axisRuns(maps[d]!, origin[d]!, size[d]!, shape[d]!)) {
      if (run.kind !== "read") extendRun(view, run, d, constants[d]!, copyRows);
      else if (run.from !== computed) throw tooFar(origin[d]! + run.at, run.from, d);
    }
  }
}

/** A border of a user may show a sample that is not computed for this tile. */
function tooFar(position: number, found: number, dimension: number): TilewiseError {
  const text =
    `The border of dimension ${dimension} shows sample ${found} at position ${position}, which a chain ` +
    "does not compute there; run its operations one by one, or use a border that reflects or repeats the edge";
  return new TilewiseError("unsupported", text, { option: "border", found });
}
