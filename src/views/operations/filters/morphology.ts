/**
 * Morphology by boxes: what is made of erosions and dilations.
 *
 * @module
 */

import type { OptionNames } from "../../../options.ts";
import { TilewiseError } from "../../../errors.ts";
import { copyView } from "../../../memory/copy_box.ts";
import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import { denseStrides, stridedView } from "../../../memory/strided.ts";
import { type DType, dtypeInfo, zeros } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { eachLine } from "../lines.ts";
import {
  type Between,
  EXTREME_NAMES,
  extremeScratch,
  extremeWork,
  type LocalExtremeOptions,
} from "../local_extremes.ts";
import {
  type OperationEntry,
  operationOf,
  type OperationSetting,
  type PlacedSamples,
  type TileWork,
  type ViewOperation,
  type WholeArray,
} from "../operation.ts";
import { eachOf, evenRadiusRule } from "../rules.ts";

/**
 * Options of {@link opening}, {@link closing}, {@link whiteTopHat} and {@link blackTopHat}.
 * @category Views
 */
export interface MorphologyOptions {
  /** Samples on both sides of the box: one number for all dimensions, or one per dimension. Default 1. */
  readonly radius?: number | readonly number[];
}

const NAMES: OptionNames<MorphologyOptions> = { radius: evenRadiusRule };

/** Scratch memory: between the passes of an extreme; the result of the first extreme. */
type Scratch = Between | "inner";

/** See {@link opening}. */
export const OPENING: OperationEntry<MorphologyOptions, Scratch> = twoExtremes("opening", "window_min");
/** See {@link closing}. */
export const CLOSING: OperationEntry<MorphologyOptions, Scratch> = twoExtremes("closing", "window_max");
/** See {@link whiteTopHat}. */
export const WHITE_TOP_HAT: OperationEntry<MorphologyOptions, Scratch> = twoExtremes(
  "whiteTopHat",
  "window_min",
  "sample less result",
);
/** See {@link blackTopHat}. */
export const BLACK_TOP_HAT: OperationEntry<MorphologyOptions, Scratch> = twoExtremes(
  "blackTopHat",
  "window_max",
  "result less sample",
);

/** See {@link morphologicalGradient}. */
export const MORPHOLOGICAL_GRADIENT: OperationEntry<LocalExtremeOptions, Between | "least"> = {
  name: "morphologicalGradient",
  params: EXTREME_NAMES,
  kernels: ["window_min", "window_max", "subtract"],
  usualRadius: 1,
  radius: ({ radius }) => radius,
  result: (dtype) => dtype,
  values: () => "sums",
  scratch: (facts) => {
    return { ...extremeScratch(facts), least: sizeOf(facts.tile) * dtypeInfo(facts.dtype).itemSize };
  },
  start: (setting) => {
    const { kernels, dtype, scratch } = setting;
    const [least, greatest] = [extremeWork("window_min", setting), extremeWork("window_max", setting)];
    const subtract: KernelFamilies["subtract"] = kernel(kernels, "subtract", dtype);
    return (view, out) => {
      const low = { pointer: scratch.at("least"), shape: out.shape, strides: denseStrides(out.shape, dtype) };
      least(view, low);
      greatest(view, out);
      eachLine(low, out, (data, to, n) => subtract(to, to, data, n));
    };
  },
};

/** Two extremes one after another, and what is made of the result and the samples. */
function twoExtremes(
  name: string,
  first: "window_min" | "window_max",
  hat?: "sample less result" | "result less sample",
): OperationEntry<MorphologyOptions, Scratch> {
  return {
    name,
    params: NAMES,
    kernels: ["window_min", "window_max", "subtract"],
    usualRadius: 2,
    radius: ({ radius = 1 }) => eachOf(radius, (r) => 2 * r),
    result: (dtype) => dtype,
    values: () => hat ? "sums" : "same",
    scratch: ({ tile, radius, dtype }) => {
      const inner = tile.map((n, d) => n + radius[d]!);
      const scratch = extremeScratch({ tile: inner, radius: halved(radius), dtype });
      return { ...scratch, inner: sizeOf(inner) * dtypeInfo(dtype).itemSize };
    },
    start: (setting) => {
      const both = bothExtremes(setting, first);
      if (!hat) return both;
      const { kernels, dtype, radius } = setting;
      const subtract: KernelFamilies["subtract"] = kernel(kernels, "subtract", dtype);
      return (view, out, tile) => {
        both(view, out, tile);
        eachLine(inside(view, radius), out, (data, to, n) => {
          if (hat === "sample less result") subtract(to, data, to, n);
          else subtract(to, to, data, n);
          if (dtype === "bool") lastBits(kernels.memory, to, n);
        });
      };
    },
  };
}

/** Differences of truth values: exclusive or. */
function lastBits({ buffer }: WebAssembly.Memory, pointer: number, n: number): void {
  const bytes = new Uint8Array(buffer, pointer, n);
  for (let i = 0; i < n; i++) bytes[i] = bytes[i]! & 1;
}

function halved(radius: Shape): Shape {
  return radius.map((r) => r / 2);
}

/** A view without its halo. */
function inside({ pointer, shape, strides }: PlacedSamples, radius: Shape): PlacedSamples {
  const first = strides.reduce((sum, stride, d) => sum + radius[d]! * stride, pointer);
  return { pointer: first, shape: shape.map((n, d) => n - 2 * radius[d]!), strides };
}

/** The first extreme of a tile with half of the halo, as if it were an array of its own, and the second one of that. */
function bothExtremes(
  { kernels, dtype, radius, scratch, whole }: OperationSetting<MorphologyOptions, Scratch>,
  first: "window_min" | "window_max",
): TileWork {
  const half = halved(radius);
  const setting = { kernels, dtype, radius: half, scratch };
  const before = extremeWork(first, setting);
  const after = extremeWork(first === "window_min" ? "window_max" : "window_min", setting);
  const surround = surrounding(whole, dtype, kernels.memory);
  return (view, out, tile) => {
    const shape = out.shape.map((n, d) => n + 2 * half[d]!);
    const inner = { pointer: scratch.at("inner"), shape, strides: denseStrides(shape, dtype) };
    before(view, inner);
    surround(inner, tile.origin.map((o, d) => o - half[d]!));
    after(inner, out);
  };
}

/**
 * Writes the samples of an extreme that lie outside of the array as its border shows them. Borders that reflect or wrap
 * show extremes of what they show: there is nothing to do.
 */
function surrounding(
  { shape: whole, borders, fill }: WholeArray,
  dtype: DType,
  { buffer }: WebAssembly.Memory,
): (samples: PlacedSamples, origin: Shape) => void {
  if (borders.some((border) => typeof border === "object")) {
    const text =
      "A border of your own is not supported between the two steps of opening, closing and top-hats; " +
      "use chain([localMinimum(…), localMaximum(…)])";
    throw new TilewiseError("unsupported", text, { option: "border", found: "a function" });
  }
  const constant = zeros(dtype, 1);
  (constant as { [i: number]: number })[0] = fill;
  return ({ pointer, shape, strides }, origin) => {
    for (const [d, border] of borders.entries()) {
      if (border !== "edge" && border !== "constant") continue;
      const n = shape[d]!;
      const front = Math.max(0, -origin[d]!);
      const stop = Math.min(n, whole[d]! - origin[d]!);
      const part = (at: number, count: number) =>
        stridedView(buffer, pointer + at * strides[d]!, dtype, shape.with(d, count), strides);
      const repeat = (at: number, from: number, count: number) => {
        if (count === 0) return;
        const to = part(at, count);
        const source = border === "constant"
          ? stridedView(constant.buffer, 0, dtype, to.shape, strides.map(() => 0))
          : { ...part(from, 1), shape: to.shape, strides: [...strides].with(d, 0) };
        copyView(source, to);
      };
      repeat(0, front, front);
      repeat(stop, stop - 1, n - stop);
    }
  };
}

/**
 * Opening: {@link localMinimum}, and {@link localMaximum} of that, which removes what is brighter and smaller than the
 * box of `2 radius + 1` samples per dimension. Between the two, the border extends the result of the first. Everything
 * else is as for {@link localMinimum}.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, opening } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 9, 3, 8, 8, 8, 3), shape: [1, 7] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, opening(), { context })).data, Uint8Array.of(3, 3, 3, 8, 8, 8, 3));
 * ```
 * @category Views
 */
export function opening(options: MorphologyOptions = {}): ViewOperation {
  return operationOf(OPENING, options);
}

/**
 * Closing: {@link localMaximum}, and {@link localMinimum} of that, which removes what is darker and smaller than the box.
 * Everything else is as for {@link opening}.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { closing, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(8, 1, 8, 3, 3, 3, 8), shape: [1, 7] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, closing(), { context })).data, Uint8Array.of(8, 8, 8, 3, 3, 3, 8));
 * ```
 * @category Views
 */
export function closing(options: MorphologyOptions = {}): ViewOperation {
  return operationOf(CLOSING, options);
}

/**
 * The white top-hat: samples less their {@link opening}, which leaves what is brighter and smaller than the box. Integers
 * are subtracted modulo their range, of truth values it is the exclusive or.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, whiteTopHat } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 9, 3, 8, 8, 8, 3), shape: [1, 7] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, whiteTopHat(), { context })).data, Uint8Array.of(0, 6, 0, 0, 0, 0, 0));
 * ```
 * @category Views
 */
export function whiteTopHat(options: MorphologyOptions = {}): ViewOperation {
  return operationOf(WHITE_TOP_HAT, options);
}

/**
 * The black top-hat: {@link closing} less the samples, which leaves what is darker and smaller than the box. Integers are
 * subtracted modulo their range.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { blackTopHat, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(8, 1, 8, 3, 3, 3, 8), shape: [1, 7] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, blackTopHat(), { context })).data, Uint8Array.of(0, 7, 0, 0, 0, 0, 0));
 * ```
 * @category Views
 */
export function blackTopHat(options: MorphologyOptions = {}): ViewOperation {
  return operationOf(BLACK_TOP_HAT, options);
}

/**
 * The morphological gradient: the greatest sample of the window of `2 radius + 1` samples per dimension less the least
 * one, in the type of the samples; integers modulo its range. A NaN makes every result NaN whose window contains it.
 *
 * It takes integers of up to 32 bits, float32, float64 and bool.
 *
 * @param options the radius
 * @returns the operation, for a chain, a plan or `mapViews`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, morphologicalGradient } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 3, 3, 9, 8), shape: [1, 5] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, morphologicalGradient(), { context });
 * assertEquals(data, Uint8Array.of(0, 0, 6, 6, 1));
 * ```
 * @category Views
 */
export function morphologicalGradient(options: LocalExtremeOptions = {}): ViewOperation {
  return operationOf(MORPHOLOGICAL_GRADIENT, options);
}
