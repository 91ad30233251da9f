/**
 * Variances and standard deviations of windows.
 *
 * Those of small integers are made of exact sums and sums of squares; those of all others of differences to a sample of the window,
 * as sums of squares lose all digits where samples are far from 0 (`spread.ts`).
 *
 * @module
 */

import type { OptionNames } from "../../../options.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import type { KernelFamilies, KernelFamily } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Places } from "../../../memory/places.ts";
import { type DType, dtypeInfo, floatOf } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { betweenPasses, eachLine, eachStrip, passesAlong, shapesOfPasses } from "../lines.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type OperationSetting,
  type PlacedSamples,
  type Radius,
  type TileWork,
  type ViewOperation,
} from "../operation.ts";
import { radiusRule } from "../rules.ts";
import {
  type Finish,
  type Separable,
  type SeparableScratch,
  separableScratch,
  separableWork,
} from "./separable.ts";
import { boxWeights, denseAt, passScratch, stepsOf, STRIP_ROWS, stripOf } from "./weights.ts";

// Variances of windows, and their roots: right for samples of any size, however far from 0.
//
// A tile is computed in strips of rows, as f64, with one pass for each dimension that has a radius, slowest first: the first one
// takes samples, the others join what the pass before has made. Means are those of a sample and the rest, so that no digit is lost,
// and a result depends on the samples of its window only.

/** Names of scratch memory: results of odd and even passes, means and variances behind each other; steps. */
type SpreadScratch = "first" | "second" | "steps";

/** The kernels that are called. */
const SPREAD_KERNELS: readonly KernelFamily[] = [
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
type Wanted = "variances" | "deviations";

const LAST: Readonly<Record<Wanted, number>> = { variances: 1, deviations: 2 };

/** Bytes of scratch memory: per window of a pass the rest of its mean, and its variance. */
function spreadScratch({ radius, tile }: Windows): Record<SpreadScratch, number> {
  const strip = stripOf(tile);
  const sizes = shapesOfPasses(strip, radius, passesAlong(radius)).map(sizeOf);
  return passScratch(sizes, 16);
}

/** The function that computes tiles. */
function spreadWork(
  { dtype, result, radius }: Windows,
  kernels: Kernels,
  scratch: Places<SpreadScratch>,
  wanted: Wanted,
): TileWork {
  const passes = passesAlong(radius);
  const narrow: KernelFamilies["convert_f32"] = kernel(kernels, "convert_f32", "float64");
  const { ofSamples, ofMeans } = passKernels(kernels, dtype, scratch);
  const strip = (view: PlacedSamples, out: PlacedSamples) => {
    let from: PlacedSamples | undefined;
    for (const [n, d] of passes.entries()) {
      const isLast = n === passes.length - 1;
      const made = denseAt(scratch.at(betweenPasses(n)), (from ?? view).shape.with(d, out.shape[d]!));
      const to = isLast && result === "float64" ? out : made;
      const line: Line = { d, count: 2 * radius[d]! + 1, last: isLast ? LAST[wanted] : 0 };
      if (from) ofMeans(view, from, to, line);
      else ofSamples(view, to, line);
      from = to;
    }
    if (result === "float64") return;
    eachLine(from!, out, (data, to, n) => narrow(to, data, n));
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
      const [step, apart] = [samples.strides[d]!, 8 * sizeOf(to.shape)];
      eachLine(samples, to, (data, out, n) => {
        spreads(out + apart, out, data, n, step, count, last);
      });
    },
    ofMeans: (samples, variances, made, { d, count, last }) => {
      const step = variances.strides[d]!;
      const [apart, outApart] = [8 * sizeOf(variances.shape), 8 * sizeOf(made.shape)];
      const rests = { ...variances, pointer: variances.pointer + apart };
      const steps = scratch.at("steps");
      writeSteps({ d, each: 1 }, samples, rests, steps);
      eachLine(rests, made, (rest, out, n) => {
        const deltas = steps + rest - rests.pointer;
        join(out + outApart, out, rest, rest - apart, deltas, n, step, count, last);
      });
    },
  };
}

/**
 * Options of {@link localVariance} and {@link localDeviation}.
 * @category Views
 */
export interface LocalVarianceOptions {
  /**
   * Samples on both sides of the window: one number for all dimensions, or one per dimension. Default: the radius of
   * the views, or 1 if they have none.
   */
  readonly radius?: Radius;
}

const NAMES: OptionNames<LocalVarianceOptions> = { radius: radiusRule };

/** Scratch memory: that of sums, or of spreads, and a row of f64 results. */
type Scratch = SeparableScratch | SpreadScratch | "row";

/** See {@link localVariance}. */
export const LOCAL_VARIANCE: OperationEntry<LocalVarianceOptions, Scratch> = varianceEntry(
  "localVariance",
  false,
);
/** See {@link localDeviation}. */
export const LOCAL_DEVIATION: OperationEntry<LocalVarianceOptions, Scratch> = varianceEntry(
  "localDeviation",
  true,
);

function varianceEntry(name: string, root: boolean): OperationEntry<LocalVarianceOptions, Scratch> {
  return {
    name,
    params: NAMES,
    kernels: ["square_f64"],
    calls: ["convert_f32", ...SPREAD_KERNELS],
    usualRadius: 1,
    radius: ({ radius }) => radius,
    result: (dtype) => floatOf(dtype),
    values: () => root ? "sums" : "squares",
    scratch: (facts) => {
      return sumsExactly(facts)
        ? { ...separableScratch(momentsOf(facts)), steps: 0, row: 8 * facts.tile.at(-1)! }
        : { weights: 0, squares: 0, sums: 0, row: 0, ...spreadScratch(facts) };
    },
    start: (setting) => {
      const { kernels, scratch } = setting;
      return sumsExactly(setting)
        ? separableWork(momentsOf(setting), kernels, scratch, varianceFinish(setting, root))
        : spreadWork(setting, kernels, scratch, root ? "deviations" : "variances");
    },
  };
}

/** Whether sums, sums of squares, and what variances are made of are whole numbers below 2^53, for any samples. */
function sumsExactly({ dtype, radius }: OperationFacts<object>): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return kind !== "f" && countOf(radius) * 2 ** (8 * itemSize) <= 2 ** 26.5;
}

/** Makes variances, or their roots, of sums and sums of squares. */
function varianceFinish(
  { kernels, result, scratch, radius }: OperationSetting<LocalVarianceOptions, Scratch>,
  root: boolean,
): Finish {
  const variance: KernelFamilies["variance"] = kernel(kernels, "variance", "float64");
  const narrow: KernelFamilies["convert_f32"] = kernel(kernels, "convert_f32", "float64");
  const count = countOf(radius);
  return (sums, out, _, rows, n) => {
    for (let y = 0; y < rows; y++) {
      const [from, to] = [sums.pointer + y * sums.rowStride, out.pointer + y * out.rowStride];
      const made = result === "float64" ? to : scratch.at("row");
      variance(made, from, from + sums.termStride, n, count, root ? 1 : 0);
      if (result !== "float64") narrow(to, made, n);
    }
  };
}

/** Sums of windows, and sums of squares. */
function momentsOf({ dtype, tile, radius }: OperationFacts<object>): Separable {
  const product = radius.map(boxWeights);
  const terms = [{ product }, { product, ofSquares: true }];
  return { dtype, tile, radius, terms, float: "float64", finished: true };
}

function countOf(radius: Shape): number {
  return sizeOf(radius.map((r) => 2 * r + 1));
}

/**
 * The variance of the window of `2 radius + 1` samples per dimension around every sample, for arrays of any rank: the mean
 * of the squares of deviations from the mean, in f64. It is right however far the samples are from 0, exact for integers of 8
 * bits, and of 16 in windows of up to 1448 samples, and does not depend on tiles. The result is float32, or float64 for
 * float64 and integers of 32 bits. A NaN makes every result NaN whose window contains it.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localVariance, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 3, 9, 9, 9), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, localVariance({ radius: 1 }), { context });
 * assertEquals([...data], [0, 0, 8, 8, 0, 0]);
 * ```
 * @category Views
 */
export function localVariance(options: LocalVarianceOptions = {}): ViewOperation<"float32" | "float64"> {
  return operationOf(LOCAL_VARIANCE, options);
}

/**
 * The standard deviation of the window around every sample: the root of {@link localVariance}.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localDeviation, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 9, 9), shape: [4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, localDeviation({ radius: 1 }), { context });
 * assertEquals([...data], [0, Math.fround(Math.sqrt(8)), Math.fround(Math.sqrt(8)), 0]);
 * ```
 * @category Views
 */
export function localDeviation(options: LocalVarianceOptions = {}): ViewOperation<"float32" | "float64"> {
  return operationOf(LOCAL_DEVIATION, options);
}
