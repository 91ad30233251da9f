/**
 * Medians and percentiles of windows.
 *
 * Samples are compared as integers; floats are turned into integers of the same order, strip by strip. Medians of 3 × 3 and
 * 5 × 5 have kernels of their own. All others are selected among the samples of the window, or, if these are many and small,
 * found by a histogram that slides.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import { hasKernel } from "../../../kernels/exists.ts";
import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import { denseStrides } from "../../../memory/strided.ts";
import type { OptionNames } from "../../../options.ts";
import { must, needed } from "../../../options/rules.ts";
import { type DType, dtypeInfo, typedArray } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { eachLine, eachPlane, eachStrip } from "../lines.ts";
import { type Nested, nestedRule, offsetsIn, radiusOfWindow, windowNumbers } from "./nested.ts";
import {
  type OperationEntry,
  type OperationFacts,
  operationOf,
  type OperationSetting,
  type PlacedSamples,
  type Radius,
  type ViewOperation,
} from "../operation.ts";
import { radiusRule } from "../rules.ts";

/**
 * Options of {@link median}.
 * @category Views
 */
export interface MedianOptions {
  /**
   * Samples on both sides of the window: one number for all dimensions, or one per dimension. Default: the radius of
   * the views, or 1 if they have none.
   */
  readonly radius?: Radius;
  /** The samples of the window that count: nested lists of 1 and 0, instead of a radius. Default: all. */
  readonly footprint?: Nested;
}

/**
 * Options of {@link percentile}.
 * @category Views
 */
export interface PercentileOptions extends MedianOptions {
  /** From 0, the least sample of the window, to 100, the greatest. */
  readonly percent: number;
}

const NAMES: OptionNames<MedianOptions> = { radius: radiusRule, footprint: nestedRule };

/** Rows of floats that are turned into integers at a time. */
const STRIP_ROWS = 32;
/** Bytes of scratch memory of the kernel `median_5`. */
const MEDIAN_5_SCRATCH = 23_936;
/** Samples of the largest window. */
const MOST_SAMPLES = 32767;

/** See {@link median}. */
export const MEDIAN: OperationEntry<MedianOptions, Scratch> = rankEntry<MedianOptions>(
  "median",
  NAMES,
  (_, count) => count >> 1,
);
/** See {@link percentile}. */
export const PERCENTILE: OperationEntry<PercentileOptions, Scratch> = rankEntry<PercentileOptions>(
  "percentile",
  {
    ...NAMES,
    percent: needed(must("a number from 0 to 100", (p) => typeof p === "number" && p >= 0 && p <= 100)),
  },
  ({ percent }, count) => Math.min(count - 1, Math.floor(count * percent / 100)),
);

/**
 * Scratch memory: offsets of the samples of a window; floats as integers, and results; sorted columns; the histogram of a
 * window.
 */
type Scratch = "offsets" | "keys" | "found" | "columns" | "histogram";

function rankEntry<P extends MedianOptions>(
  name: string,
  params: OptionNames<P>,
  rankOf: (params: P, count: number) => number,
): OperationEntry<P, Scratch> {
  return {
    name,
    params,
    kernels: ["window_min"],
    calls: ["median_3", "median_5", "select_rank", "slide_rank", "order_keys", "order_floats"],
    usualRadius: 1,
    radius: ({ radius, footprint }) => footprint ? radiusOfWindow(footprint) : radius,
    result: (dtype) => dtype,
    values: () => "same",
    check: (facts) => checkWindow(name, facts),
    scratch: (facts) => scratchOf(facts, windowOf(facts, rankOf)),
    start: (setting) => {
      const window = windowOf(setting, rankOf);
      const select = window.network ? byNetwork(setting, window.network) : bySelection(setting, window);
      return dtypeInfo(setting.dtype).kind === "f" ? inStrips(setting, select) : select;
    },
  };
}

/** The window of one use, and how its samples are ranked: plans and workers decide alike. */
interface WindowFacts {
  readonly window: Shape;
  /** Which of its samples count, row-major. */
  readonly has: (index: number) => boolean;
  /** How many come before the result. */
  readonly rank: number;
  /** The network that ranks them, if there is one; else they are selected. */
  readonly network: 3 | 5 | undefined;
}

function windowOf<P extends MedianOptions>(
  { params, radius }: OperationFacts<P>,
  rankOf: (params: P, count: number) => number,
): WindowFacts {
  const window = radius.map((r) => 2 * r + 1);
  const has = hasOf(params.footprint);
  const count = countOf(window, params.footprint);
  const rank = rankOf(params, count);
  const middle = params.footprint === undefined && rank === count >> 1;
  return { window, has, rank, network: middle ? squareOf(radius) : undefined };
}

/** Computes results of samples that are integers. */
type Select = (view: PlacedSamples, out: PlacedSamples) => void;

/** 3 or 5 for windows of 3 × 3 and 5 × 5 samples in the last two dimensions. */
function squareOf(radius: Shape): 3 | 5 | undefined {
  const [ry, rx] = radius.slice(-2);
  if (radius.slice(0, -2).some((r) => r > 0) || ry !== rx) return undefined;
  return ry === 1 ? 3 : ry === 2 ? 5 : undefined;
}

/** How many samples of the window count. Plans ask this of windows that are refused for their size. */
function countOf(window: Shape, footprint: Nested | undefined): number {
  if (footprint === undefined) return sizeOf(window);
  return windowNumbers(footprint).values.filter((value) => value !== 0).length;
}

/** Which samples of the window count, row-major. */
function hasOf(footprint: Nested | undefined): (index: number) => boolean {
  if (footprint === undefined) return () => true;
  const { values } = windowNumbers(footprint);
  return (index) => values[index] !== 0;
}

/** The integers that stand for samples of this type. */
function keyType(dtype: DType): DType {
  return dtype === "float32" ? "int32" : dtype === "float64" ? "int64" : dtype;
}

function byNetwork(
  { kernels, dtype, scratch }: OperationSetting<MedianOptions, Scratch>,
  size: 3 | 5,
): Select {
  const median: KernelFamilies["median_3"] = kernel(
    kernels,
    size === 3 ? "median_3" : "median_5",
    keyType(dtype),
  );
  const columns = scratch.at("columns");
  return (view, out) => {
    eachPlane(view, out, (data, rowStride, to, outStride, rows, n) => {
      median(to, outStride, data, rowStride, rows, n, columns);
    });
  };
}

function bySelection(
  { kernels, dtype, scratch }: OperationSetting<MedianOptions, Scratch>,
  { window, has, rank }: WindowFacts,
): Select {
  const { buffer } = kernels.memory;
  const select: KernelFamilies["select_rank"] = kernel(kernels, "select_rank", keyType(dtype));
  const slide = slides(dtype) ? slider(kernels, dtype, scratch.at("histogram")) : undefined;
  const offsets = scratch.at("offsets");
  return (view, out) => {
    const list = offsetsIn(window, view.strides, has);
    const { leaving, entering } = edgesOf(list, dtypeInfo(dtype).itemSize);
    const [count, edges, n] = [list.length, leaving.length, out.shape.at(-1)!];
    typedArray("uint32", buffer, offsets, count + 2 * edges).set([...list, ...leaving, ...entering]);
    const [left, right] = [offsets + 4 * count, offsets + 4 * (count + edges)];
    const isFaster = isSlidingFaster(dtype, { count, edges, n });
    eachLine(view, out, (data, to) => {
      if (slide && isFaster) slide(to, data, n, offsets, count, left, right, edges, rank);
      else select(to, data, n, offsets, count, rank);
    });
  };
}

/** The kernel that slides a histogram, which it leaves empty, as it is when it starts. */
function slider(kernels: Kernels, dtype: DType, histogram: number) {
  const slide: KernelFamilies["slide_rank"] = kernel(kernels, "slide_rank", dtype);
  new Uint8Array(kernels.memory.buffer, histogram, histogramBytes(dtype)).fill(0);
  type Rest = Parameters<typeof slide> extends [...infer R, histogram: number] ? R : never;
  return (...rest: Rest) => slide(...rest, histogram);
}

/** Turns floats into integers, strip by strip, and the results back. */
function inStrips(
  { kernels, dtype, radius, scratch }: OperationSetting<MedianOptions, Scratch>,
  select: Select,
): Select {
  const toKeys: KernelFamilies["order_keys"] = kernel(kernels, "order_keys", dtype);
  const toFloats: KernelFamilies["order_floats"] = kernel(kernels, "order_floats", dtype);
  const strip = (from: PlacedSamples, to: PlacedSamples): void => {
    const { shape } = from;
    const keys = { pointer: scratch.at("keys"), shape, strides: denseStrides(shape, dtype) };
    const found = { pointer: scratch.at("found"), shape: to.shape, strides: denseStrides(to.shape, dtype) };
    eachLine(from, keys, (data, out, n) => toKeys(out, data, n));
    select(keys, found);
    eachLine(found, to, (data, out, n) => toFloats(out, data, n));
  };
  return (view, out) => eachStrip(STRIP_ROWS, radius, view, out, strip);
}

function scratchOf(
  { dtype, radius, tile }: OperationFacts<MedianOptions>,
  { network: size }: WindowFacts,
): Record<Scratch, number> {
  const { itemSize, kind } = dtypeInfo(dtype);
  const strip = tile.map((n, d) =>
    d === tile.length - 1 ? n : d === tile.length - 2 ? Math.min(n, STRIP_ROWS) : 1
  );
  const isFloat = kind === "f";
  const width = Math.max(tile.at(-1)!, 16 / itemSize) + 2;
  return {
    offsets: size ? 0 : 3 * 4 * sizeOf(radius.map((r) => 2 * r + 1)),
    keys: isFloat ? itemSize * sizeOf(strip.map((n, d) => n + 2 * radius[d]!)) : 0,
    found: isFloat ? itemSize * sizeOf(strip) : 0,
    columns: size === 5 ? MEDIAN_5_SCRATCH : size ? 6 * width * itemSize + 16 : 0,
    histogram: slides(dtype) && !size ? histogramBytes(dtype) : 0,
  };
}

function checkWindow(name: string, { params: { footprint }, radius }: OperationFacts<MedianOptions>): void {
  const found = sizeOf(radius.map((r) => 2 * r + 1));
  if (found > MOST_SAMPLES) {
    const text = `${name}() takes windows of up to ${MOST_SAMPLES} samples; radius ${
      radius.join(", ")
    } has ${found}`;
    throw new TilewiseError("unsupported", text, { option: "radius", expected: MOST_SAMPLES, found });
  }
  if (footprint === undefined || windowNumbers(footprint).values.some((value) => value !== 0)) return;
  const text = `${name}(): the footprint has no samples; 1 stands for one that counts`;
  throw new TilewiseError("invalid", text, { option: "footprint", found: 0 });
}

/**
 * The median filter: every sample becomes the median of its window, for arrays of any rank; of an even number of samples
 * the greater of the two in the middle. The result has the type of the samples. NaN is greater than all numbers, as in
 * sorted arrays, so that a few of them do not spread; -0 is less than 0.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool. Images with radius 1 and 2 are fastest.
 *
 * @param options radius or shape of the window
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, median } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 90, 4, 5, 0, 6), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, median({ radius: 1 }), { context });
 * assertEquals(data, Uint8Array.of(3, 4, 5, 4, 5, 6));
 * ```
 * @category Views
 */
export function median(options: MedianOptions = {}): ViewOperation {
  return operationOf(MEDIAN, options);
}

/**
 * Every sample becomes the sample of its window that is greater than `percent` of them: number `n * percent / 100`,
 * rounded down, of the `n` sorted samples, and the last one for 100. Everything else is as for {@link median}.
 *
 * @param options the percentage, and radius or shape of the window
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, percentile } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 90, 4, 5, 0, 6), shape: [1, 6] });
 * await using context = createContext({ workers: 0 });
 * const low = await mapViews(image, percentile({ percent: 25, radius: [0, 2] }), { context });
 * assertEquals(low.data, Uint8Array.of(3, 3, 3, 4, 4, 5));
 * ```
 * @category Views
 */
export function percentile(options: PercentileOptions): ViewOperation {
  return operationOf(PERCENTILE, options);
}

/** Whether windows of such samples can slide. */
function slides(dtype: DType): boolean {
  return hasKernel("slide_rank", dtype);
}

/** Bytes of the histogram of such samples. */
function histogramBytes(dtype: DType): number {
  const { itemSize } = dtypeInfo(dtype);
  return 2 * (256 ** itemSize + 16 ** itemSize);
}

/** Of samples of a window, as offsets in bytes: those that the next window has not, and those that the one before has not. */
export function edgesOf(
  offsets: readonly number[],
  itemSize: number,
): { readonly leaving: readonly number[]; readonly entering: readonly number[] } {
  const all = new Set(offsets);
  return {
    leaving: offsets.filter((offset) => !all.has(offset - itemSize)),
    entering: offsets.filter((offset) => !all.has(offset + itemSize)),
  };
}

/** The size of a window, and of a line of them. */
interface SlidingSize {
  /** Samples of a window. */
  readonly count: number;
  /** Samples that leave, and that enter. */
  readonly edges: number;
  /** Windows of a line. */
  readonly n: number;
}

/**
 * Whether the histogram is faster. Measured in nanoseconds per result: selection takes a constant per sample of the window,
 * which for bytes doubles where counts do not fit into bytes; the histogram takes a constant per edge, and some for the way
 * from one result to the next.
 */
export function isSlidingFaster(dtype: DType, { count, edges, n }: SlidingSize): boolean {
  if (!slides(dtype)) return false;
  const isByte = dtypeInfo(dtype).itemSize === 1;
  const selection = count * (isByte ? count > 255 ? 0.26 : 0.12 : 0.48);
  const ends = 2 * count / n;
  return (isByte ? 8 : 60) + 2.6 * (edges + ends) < selection;
}
