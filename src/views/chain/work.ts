/**
 * A chain at work: every step computes its samples for one tile into scratch memory, and gets its halo from them.
 *
 * @module
 */

import { denseStrides, type StridedView, stridedView } from "../../memory/strided.ts";
import { type Box, box } from "../../space/box.ts";
import { type Shape, sizeOf, unravel } from "../../space/shape.ts";
import { axisRuns } from "../axis.ts";
import { constantView, extendRun } from "../extend.ts";
import type { PlacedSamples, TileWork, WholeArray } from "../operations/operation.ts";
import { inputCount, type Piece, regionsOf, shapesOfSteps, type StepRegion } from "./regions.ts";
import type { ChainStep } from "./steps.ts";

/** What a chain at work consists of. */
export interface ChainParts {
  /** Its steps. */
  readonly steps: readonly ChainStep[];
  /** The work of each. */
  readonly works: readonly TileWork[];
  /** Addresses for the results of all steps but the last. */
  readonly between: readonly number[];
  /** The array. */
  readonly whole: WholeArray;
  /** The memory that has everything. */
  readonly memory: WebAssembly.Memory;
}

/** The function that computes a tile by all steps. */
export function chainWork({ steps, works, between, whole, memory }: ChainParts): TileWork {
  const geometry = steps.map(({ facts: { radius }, factors }) => ({ radius, factors }));
  const shapes = shapesOfSteps(whole.shape, geometry);
  const last = steps.length - 1;
  const factors = factorsOf(steps);
  const constants = steps.map(({ facts: { result } }) => constantView(result, whole.fill));
  return async (view, out, tile) => {
    const result = box(
      tile.origin.map((o, d) => o / factors[d]!),
      tile.shape.map((n, d) => Math.ceil(n / factors[d]!)),
    );
    const regions = regionsOf(geometry, shapes, whole.border, result);
    let from: Placed = { samples: view, origin: originOf(view, tile) };
    for (const [k, work] of works.entries()) {
      const region = regions[k]!;
      const samples = k === last ? out : dense(between[k % 2]!, region.made.shape, steps[k]!);
      const to = { samples, origin: region.made.origin };
      await compute(work, steps[k]!, shapes[k]!, region, from, to);
      if (k < last) surround(samples, region, shapes[k + 1]!, whole, constants[k]!, memory);
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

/** Runs one step over all of its pieces; usually there is one. */
async function compute(
  work: TileWork,
  { facts: { radius }, factors, partial }: ChainStep,
  shape: Shape,
  { pieces }: StepRegion,
  from: Placed,
  to: Placed,
): Promise<void> {
  const counts = pieces.map(({ length }) => length);
  for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
    const piece = unravel(flat, counts).map((i, d): Piece => pieces[d]![i]!);
    const covered = piece.map((one, d) => inputCount(one, factors[d]!, shape[d]!));
    const begin = piece.map((one, d) => one.from * factors[d]! - radius[d]!);
    const view = partOf(from, begin, covered.map((n, d) => n + 2 * radius[d]!));
    const out = partial
      ? to.samples
      : partOf(to, piece.map((one) => one.from), piece.map(({ count }) => count));
    await work(view, out, box(piece.map(({ place }, d) => place * factors[d]!), covered));
  }
}

/** A part of placed samples; `begin` counts as their origin does. */
function partOf(
  { samples: { pointer, strides }, origin }: Placed,
  begin: Shape,
  shape: Shape,
): PlacedSamples {
  const first = begin.reduce((at, b, d) => at + (b - origin[d]!) * strides[d]!, pointer);
  return { pointer: first, shape, strides };
}

/** Makes the samples outside of the array of `shape` from those that were computed. */
function surround(
  { pointer, shape: size, strides }: PlacedSamples,
  { made: { origin } }: StepRegion,
  shape: Shape,
  { border }: WholeArray,
  constant: StridedView,
  { buffer }: WebAssembly.Memory,
): void {
  if (border === "wrap") return;
  const view = stridedView(buffer, pointer, constant.dtype, size, strides);
  for (let d = size.length - 1; d >= 0; d--) {
    const runs = axisRuns(border, origin[d]!, size[d]!, shape[d]!);
    for (const run of runs) if (run.kind !== "read") extendRun(view, run, d, constant);
  }
}
