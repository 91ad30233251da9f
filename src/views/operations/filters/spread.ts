/**
 * Variances of windows, and their roots: right for samples of any size, however far from 0.
 *
 * A tile is computed in strips of rows, as f64, with one pass for each dimension that has a radius, slowest first: the first one
 * takes samples, the others join what the pass before has made. Means are those of a sample and the rest, so that no digit is lost,
 * and a result depends on the samples of its window only.
 *
 * @module
 */

import type { Kernels } from "../../../kernels/bind.ts";
import type { KernelFamilies, KernelFamily } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Places } from "../../../memory/places.ts";
import type { DType } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { eachPlace, eachStrip } from "../lines.ts";
import type { PlacedSamples, TileWork } from "../operation.ts";
import { denseAt, stepsOf, STRIP_ROWS, stripOf } from "./steps.ts";

/** Names of scratch memory: results of odd and even passes, means and variances behind each other; steps. */
export type SpreadScratch = "first" | "second" | "steps";

/** The kernels that are called. */
export const SPREAD_KERNELS: readonly KernelFamily[] = [
  "spreads",
  "rest_steps",
  "join_spreads",
  "convert_f32",
];

/** Of which samples, and as what. */
interface Windows {
  readonly dtype: DType;
  /** float32 or float64. */
  readonly result: DType;
  readonly radius: Shape;
  /** Samples of a full tile, per dimension. */
  readonly tile: Shape;
}

/** What the last pass makes: variances, or standard deviations; those before it also make means. */
export type Wanted = "variances" | "deviations";

const LAST: Readonly<Record<Wanted, number>> = { variances: 1, deviations: 2 };

/** Bytes of scratch memory: per window of a pass the rest of its mean, and its variance. */
export function spreadScratch({ radius, tile }: Windows): Record<SpreadScratch, number> {
  const strip = stripOf(tile);
  let shape: Shape = strip.map((n, d) => n + 2 * radius[d]!);
  const bytes = { first: 0, second: 0, steps: 0 };
  for (const [n, d] of passesOf(radius).entries()) {
    if (n > 0) bytes.steps = Math.max(bytes.steps, 8 * sizeOf(shape));
    shape = shape.with(d, strip[d]!);
    bytes[placeOf(n)] = Math.max(bytes[placeOf(n)], 16 * sizeOf(shape));
  }
  return bytes;
}

/** The function that computes tiles. */
export function spreadWork(
  { dtype, result, radius }: Windows,
  kernels: Kernels,
  scratch: Places<SpreadScratch>,
  wanted: Wanted,
): TileWork {
  const passes = passesOf(radius);
  const narrow: KernelFamilies["convert_f32"] = kernel(kernels, "convert_f32", "float64");
  const { ofSamples, ofMeans } = passKernels(kernels, dtype, scratch);
  const strip = (view: PlacedSamples, out: PlacedSamples) => {
    let from: PlacedSamples | undefined;
    for (const [n, d] of passes.entries()) {
      const isLast = n === passes.length - 1;
      const made = denseAt(scratch.at(placeOf(n)), (from ?? view).shape.with(d, out.shape[d]!));
      const to = isLast && result === "float64" ? out : made;
      const line: Line = { d, count: 2 * radius[d]! + 1, last: isLast ? LAST[wanted] : 0 };
      if (from) ofMeans(view, from, to, line);
      else ofSamples(view, to, line);
      from = to;
    }
    if (result === "float64") return;
    eachPlace(out.shape.slice(0, -1), from!, out, (data, to) => narrow(to, data, out.shape.at(-1)!));
  };
  return (view, out) => eachStrip(STRIP_ROWS, radius, view, out, strip);
}

/** Windows of `count` numbers along dimension `d`; `last` is that of the kernels: 0 if variances are followed by means. */
interface Line {
  readonly d: number;
  readonly count: number;
  readonly last: number;
}

/** The passes: the first one, and those over what the pass before has made. */
interface PassKernels {
  readonly ofSamples: (samples: PlacedSamples, to: PlacedSamples, line: Line) => void;
  readonly ofMeans: (samples: PlacedSamples, from: PlacedSamples, to: PlacedSamples, line: Line) => void;
}

function passKernels(kernels: Kernels, dtype: DType, scratch: Places<"steps">): PassKernels {
  const spreads: KernelFamilies["spreads"] = kernel(kernels, "spreads", dtype);
  const join: KernelFamilies["join_spreads"] = kernel(kernels, "join_spreads", "float64");
  const writeSteps = stepsOf(kernels, dtype);
  return {
    ofSamples: (samples, to, { d, count, last }) => {
      const [n, step, apart] = [to.shape.at(-1)!, samples.strides[d]!, 8 * sizeOf(to.shape)];
      eachPlace(to.shape.slice(0, -1), samples, to, (data, out) => {
        spreads(out + apart, out, data, n, step, count, last);
      });
    },
    ofMeans: (samples, variances, made, { d, count, last }) => {
      const [n, step] = [made.shape.at(-1)!, variances.strides[d]!];
      const [apart, outApart] = [8 * sizeOf(variances.shape), 8 * sizeOf(made.shape)];
      const rests = { ...variances, pointer: variances.pointer + apart };
      const steps = scratch.at("steps");
      writeSteps({ d, each: 1 }, samples, rests, steps);
      eachPlace(made.shape.slice(0, -1), rests, made, (rest, out) => {
        const deltas = steps + rest - rests.pointer;
        join(out + outApart, out, rest, rest - apart, deltas, n, step, count, last);
      });
    },
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
