/**
 * Sums and variances of windows: right for samples of any size, however far from 0.
 *
 * A tile is computed in strips of rows, as f64, with one pass for each dimension that has a radius, slowest first: the first one
 * takes samples, the others join what the pass before has made. Means and sums are those of a sample and the rest, so that no digit
 * is lost, and a result depends on the samples of its window only.
 *
 * @module
 */

import type { Kernels } from "../../../kernels/bind.ts";
import type { KernelFamilies, KernelFamily } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Places } from "../../../memory/places.ts";
import { denseStrides } from "../../../memory/strided.ts";
import type { DType } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { eachPlace, eachStrip } from "../lines.ts";
import type { PlacedSamples, TileWork } from "../operation.ts";
import type { RowsAt } from "./separable.ts";

/** Names of scratch memory: samples as f64; results of odd and even passes. */
export type SpreadScratch = "samples" | "first" | "second";

/** The kernels that are called. */
export const SPREAD_KERNELS: readonly KernelFamily[] = [
  "convert_f64",
  "spreads",
  "excesses",
  "spread_steps",
  "join_spreads",
  "join_excesses",
];

/** Of which samples. */
interface Windows {
  readonly dtype: DType;
  readonly radius: Shape;
  /** Samples of a full tile, per dimension. */
  readonly tile: Shape;
}

/** What is wanted of windows. */
export type Wanted = "variances" | "sums";

/**
 * What is made of a strip: variances of `rows` rows of `n` windows, or bases, and how much more than as many bases their sums are;
 * and the samples in their middle.
 */
export type SpreadFinish = (
  strip: Readonly<Record<"bases" | "excesses" | "variances" | "samples", RowsAt>>,
  out: RowsAt,
  rows: number,
  n: number,
) => void;

const STRIP_ROWS = 16;

/** Bytes of scratch memory: samples, and per window of a pass base, rest, variance and the step to the next mean. */
export function spreadScratch({ dtype, radius, tile }: Windows): Record<SpreadScratch, number> {
  const rank = tile.length;
  const strip = tile.map((n, d) => d === rank - 1 ? n : d === rank - 2 ? Math.min(n, STRIP_ROWS) : 1);
  let shape: Shape = strip.map((n, d) => n + 2 * radius[d]!);
  const bytes = { samples: dtype === "float64" ? 0 : 8 * sizeOf(shape), first: 0, second: 0 };
  for (const [n, d] of passesOf(radius).entries()) {
    shape = shape.with(d, strip[d]!);
    bytes[placeOf(n)] = Math.max(bytes[placeOf(n)], 32 * sizeOf(shape));
  }
  return bytes;
}

/** The function that computes tiles. */
export function spreadWork(
  { dtype, radius }: Windows,
  kernels: Kernels,
  scratch: Places<SpreadScratch>,
  wanted: Wanted,
  finish: SpreadFinish,
): TileWork {
  const widened = widens(dtype, kernels, scratch);
  const passes = passesOf(radius);
  const { ofSamples, ofParts } = passKernels(kernels, wanted);
  const strip = (view: PlacedSamples, out: PlacedSamples) => {
    let [from, each]: [Parts, number] = [{ ...widened(view), apart: 0 }, 1];
    for (const [n, d] of passes.entries()) {
      const shape = from.shape.with(d, out.shape[d]!);
      const strides = denseStrides(shape, "float64");
      const to = { pointer: scratch.at(placeOf(n)), shape, strides, apart: 8 * sizeOf(shape) };
      const line: Line = { n: shape.at(-1)!, step: from.strides[d]!, count: 2 * radius[d]! + 1 };
      if (n === 0) ofSamples(from, to, line);
      else ofParts(from, to, line, d, each, n === passes.length - 1);
      [from, each] = [to, each * line.count];
    }
    const { pointer, strides, apart } = from;
    const rowStride = strides.at(-2) ?? 0;
    const middle = radius.reduce((at, r, d) => at + r * view.strides[d]!, view.pointer);
    const made = {
      bases: { pointer, rowStride },
      excesses: { pointer: pointer + apart, rowStride },
      variances: { pointer: pointer + 2 * apart, rowStride },
      samples: { pointer: middle, rowStride: view.strides.at(-2) ?? 0 },
    };
    const to = { pointer: out.pointer, rowStride: out.strides.at(-2) ?? 0 };
    finish(made, to, out.shape.at(-2) ?? 1, out.shape.at(-1)!);
  };
  return (view, out) => eachStrip(STRIP_ROWS, radius, view, out, strip);
}

/** Arrays behind each other, `apart` bytes from one to the next: bases, rests, variances, steps. */
interface Parts extends PlacedSamples {
  readonly apart: number;
}

/** Lines of `n` windows of `count` numbers that lie `step` bytes apart. */
interface Line {
  readonly n: number;
  readonly step: number;
  readonly count: number;
}

/** The passes: the first one, and one along dimension `d` of what the pass before has made of `each` samples. */
interface PassKernels {
  readonly ofSamples: (from: Parts, to: Parts, line: Line) => void;
  readonly ofParts: (from: Parts, to: Parts, line: Line, d: number, each: number, isLast: boolean) => void;
}

function passKernels(kernels: Kernels, wanted: Wanted): PassKernels {
  return wanted === "sums" ? sumKernels(kernels) : varianceKernels(kernels);
}

function varianceKernels(kernels: Kernels): PassKernels {
  const spreads: KernelFamilies["spreads"] = kernel(kernels, "spreads", "float64");
  const join: KernelFamilies["join_spreads"] = kernel(kernels, "join_spreads", "float64");
  const steps = stepsOf(kernels);
  return {
    ofSamples: (from, to, { n, step, count }) => {
      eachPlace(to.shape.slice(0, -1), from, to, (data, out) => {
        spreads(out, out + to.apart, out + 2 * to.apart, data, n, step, count);
      });
    },
    ofParts: (from, to, { n, step, count }, d, _each, isLast) => {
      steps(from, d, 1);
      const { apart } = from;
      const whole = isLast ? 0 : 1;
      eachPlace(to.shape.slice(0, -1), from, to, (data, out) => {
        const made = [out, out + to.apart, out + 2 * to.apart] as const;
        join(...made, data, data + apart, data + 2 * apart, data + 3 * apart, n, step, count, whole);
      });
    },
  };
}

function sumKernels(kernels: Kernels): PassKernels {
  const excesses: KernelFamilies["excesses"] = kernel(kernels, "excesses", "float64");
  const join: KernelFamilies["join_excesses"] = kernel(kernels, "join_excesses", "float64");
  const steps = stepsOf(kernels);
  return {
    ofSamples: (from, to, { n, step, count }) => {
      eachPlace(to.shape.slice(0, -1), from, to, (data, out) => {
        excesses(out, out + to.apart, data, n, step, count);
      });
    },
    ofParts: (from, to, { n, step, count }, d, each) => {
      steps(from, d, each);
      const { apart } = from;
      eachPlace(to.shape.slice(0, -1), from, to, (data, out) => {
        join(out, out + to.apart, data, data + apart, data + 3 * apart, n, step, count);
      });
    },
  };
}

/** Writes the steps along dimension `d`, of means or of sums of `each` samples, to their place. */
function stepsOf(kernels: Kernels): (parts: Parts, d: number, each: number) => void {
  const steps: KernelFamilies["spread_steps"] = kernel(kernels, "spread_steps", "float64");
  return ({ shape, strides, apart, pointer }, d, each) => {
    const within = shape.with(d, shape[d]! - 1);
    const to = { pointer: pointer + 3 * apart, strides };
    eachPlace(within.slice(0, -1), { pointer, strides }, to, (from, out) => {
      steps(out, from, from + apart, within.at(-1)!, strides[d]!, each);
    });
  };
}

/** Makes the samples of strips f64, at a place of their own unless they are. */
export function widens(
  dtype: DType,
  kernels: Kernels,
  scratch: Places<"samples">,
): (view: PlacedSamples) => PlacedSamples {
  if (dtype === "float64") return (view) => view;
  const widen: KernelFamilies["convert_f64"] = kernel(kernels, "convert_f64", dtype);
  return (view) => {
    const { shape } = view;
    const to = { pointer: scratch.at("samples"), shape, strides: denseStrides(shape, "float64") };
    eachPlace(shape.slice(0, -1), view, to, (data, out) => widen(out, data, shape.at(-1)!));
    return to;
  };
}

function placeOf(pass: number): "first" | "second" {
  return pass % 2 === 0 ? "first" : "second";
}

/** The dimensions of the passes; without a halo only the last one. */
function passesOf(radius: Shape): number[] {
  const passes = [...radius.keys()].filter((d) => radius[d]! > 0);
  return passes.length > 0 ? passes : [radius.length - 1];
}
