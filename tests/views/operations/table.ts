/** Every operation of the table with its definition: an operation without a row here fails a test. */

import type { DType } from "../../../src/space/dtype.ts";
import { zeroArray } from "../../../src/space/ndarray.ts";
import { type Shape, unravel } from "../../../src/space/shape.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { convolve, correlate } from "../../../src/views/operations/filters/convolve.ts";
import { localThreshold } from "../../../src/views/operations/filters/local_threshold.ts";
import { localDeviation, localVariance } from "../../../src/views/operations/filters/local_variance.ts";
import {
  blackTopHat,
  closing,
  morphologicalGradient,
  opening,
  whiteTopHat,
} from "../../../src/views/operations/filters/morphology.ts";
import type { Nested } from "../../../src/views/operations/filters/nested.ts";
import { unsharp } from "../../../src/views/operations/filters/unsharp.ts";
import {
  gaussian,
  gaussianGradient,
  laplacianOfGaussian,
} from "../../../src/views/operations/filters/gaussian.ts";
import { laplacian, prewitt, scharr, sobel } from "../../../src/views/operations/filters/gradients.ts";
import { convert } from "../../../src/views/operations/convert.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import { localMaximum, localMinimum } from "../../../src/views/operations/local_extremes.ts";
import { median, percentile } from "../../../src/views/operations/filters/rank.ts";
import type { OperationName } from "../../../src/views/registry.ts";
import type { ViewOperation, ViewReduction } from "../../../src/views/operations/operation.ts";
import { sampleRange } from "../../../src/views/operations/sample_range.ts";
import { viewExpression } from "../../../src/views/operations/expression.ts";
import { viewKernel } from "../../../src/views/operations/kernels/view_kernel.ts";
import { viewUdf } from "../../../src/views/operations/udf/view_udf.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";
import { SPREAD } from "./kernels.ts";

/** The samples of the window around one sample, row-major, and how many there are per dimension. */
export interface Window {
  readonly samples: readonly number[];
  readonly counts: Shape;
}

/** An operation and what it is, sample by sample. */
export interface OperationRow {
  readonly operation: (radius: Shape, dtype: DType) => ViewOperation;
  /** Type of its result. */
  readonly result: (dtype: DType) => DType;
  /** Operations one after another, each with half of the radius and the border; then `definition` gets sample and result. */
  readonly steps?: readonly ((window: Window) => number)[];
  /** The result for one sample. */
  readonly definition: (window: Window) => number;
  /** Largest difference to the definition, per largest result, where the operation rounds on its way. Default: none. */
  readonly tolerance?: number;
  /** Sample types to try. */
  readonly dtypes: readonly DType[];
  /** Whether it takes a radius in this dimension of so many. */
  readonly reaches: (d: number, rank: number) => boolean;
  /** Samples per dimension that become one: then the window of a sample is its block. */
  readonly factor?: number;
}

const ALL: readonly DType[] = [
  "bool",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "float64",
];
const MODULE = import.meta.resolve("./functions.ts");

/** Sums of columns from the top, then from the left: the order matters for floats. */
function meanOf({ samples, counts }: Window): number {
  const [rows = 1, columns = 1] = counts.length === 1 ? [1, counts[0]] : counts.slice(-2);
  let sum = 0;
  for (let x = 0; x < columns; x++) {
    let column = 0;
    for (let y = 0; y < rows; y++) column += samples[y * columns + x]!;
    sum += column;
  }
  return sum / (rows * columns);
}

/** A few types: one for each way of computing. */
const SOME: readonly DType[] = ["uint16", "int32", "float32"];

/** The type of weighted sums. */
function floatOf(dtype: DType): DType {
  return ["uint32", "int32", "float64"].includes(dtype) ? "float64" : "float32";
}

/** The sum of products of weights along each dimension with the samples of a window. */
function weighted({ samples, counts }: Window, weight: (d: number, at: number) => number): number {
  return samples.reduce((sum, sample, i) => {
    const at = unravel(i, counts).map((p, d) => p - (counts[d]! - 1) / 2);
    return sum + sample * at.reduce((product, p, d) => product * weight(d, p), 1);
  }, 0);
}

/** The derivative of a Gaussian, by its formula. */
function bell(radius: number, at: number, order: number): number {
  if (radius === 0) return order === 0 ? 1 : 0;
  const sigma = radius / 4;
  const value = (x: number) => Math.exp(-x * x / (2 * sigma * sigma));
  const sum = Array.from({ length: 2 * radius + 1 }, (_, i) => value(i - radius)).reduce((a, b) => a + b);
  const factor = [1, at / sigma ** 2, at * at / sigma ** 4 - 1 / sigma ** 2][order]!;
  return factor * value(at) / sum;
}

const radiusAt = ({ counts }: Window, d: number) => (counts[d]! - 1) / 2;
const dimensions = (window: Window) => [...window.counts.keys()].filter((d) => radiusAt(window, d) > 0);

/** Derivatives of Gaussians along each dimension. */
const bells = (window: Window, order: number) =>
  dimensions(window).map((along) =>
    weighted(window, (d, at) => bell(radiusAt(window, d), at, d === along ? order : 0))
  );

/** Weights of -1, 0, 1, others are 0. */
const three = (weights: readonly number[]) => (at: number) => weights[at + 1] ?? 0;

/** Differences along each dimension, smoothed along the others. */
const differences = (window: Window, main: readonly number[], other: readonly number[]) =>
  dimensions(window).map((along) =>
    weighted(window, (d, at) => radiusAt(window, d) === 0 ? 1 : three(d === along ? main : other)(at))
  );

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const varianceOf = (values: readonly number[]) => {
  const mean = sum(values) / values.length;
  return sum(values.map((value) => (value - mean) ** 2)) / values.length;
};

/** Nested lists of `2 radius + 1` numbers per dimension. */
function nested(radius: Shape, value: (at: readonly number[]) => number, at: readonly number[] = []): Nested {
  const r = radius[at.length]!;
  const inner = Array.from({ length: 2 * r + 1 }, (_, i) => [...at, i - r]);
  return at.length === radius.length - 1
    ? inner.map(value)
    : inner.map((place) => nested(radius, value, place));
}

/** Products of weights of the three samples in the middle. */
const slopes = (radius: Shape, weights: readonly number[]) =>
  nested(radius, (at) => at.reduce((all, p) => all * (weights[p + 1] ?? 0), 1));
/** 1 for the first sample, 2 for the last; no product where there are several. */
const corners = (radius: Shape) =>
  nested(
    radius,
    (at) => at.every((p, d) => p === radius[d]) ? 2 : at.every((p, d) => p === -radius[d]!) ? 1 : 0,
  );
const clipped = (radius: Shape) => radius.map((r) => Math.min(r, 1));
const everywhere = () => true;

const least = ({ samples }: Window) => Math.min(...samples);
const greatest = ({ samples }: Window) => Math.max(...samples);

/** Two extremes one after another. */
function morphologyRow(
  make: typeof opening,
  steps: OperationRow["steps"] & object,
  definition: OperationRow["definition"],
): OperationRow {
  return {
    operation: (radius) => make({ radius: radius.map((r) => r >> 1) }),
    result: (dtype) => dtype,
    steps,
    definition,
    dtypes: ["bool", "uint8", "int16", "float32"],
    reaches: everywhere,
  };
}

/** A filter of differences of neighbours. */
function gradientRow(make: typeof sobel, smooth: readonly number[]): OperationRow {
  return {
    operation: (radius) => make({ radius: clipped(radius) }),
    result: floatOf,
    definition: (window) => Math.hypot(...differences(window, [-1, 0, 1], smooth)),
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  };
}

/** A reduction and what it is. */
export interface ReductionRow {
  readonly reduction: () => ViewReduction<unknown>;
  /** The result for all samples, row-major. */
  readonly definition: (samples: readonly number[], shape: Shape) => unknown;
}

/** One row per entry of the table of operations whose result is not an array. */
export const REDUCTION_ROWS = {
  sampleRange: {
    reduction: (): ViewReduction<unknown> => sampleRange() as ViewReduction<unknown>,
    definition: (samples) => ({ min: Math.min(...samples), max: Math.max(...samples) }),
  },
  viewUdf: {
    reduction: (): ViewReduction<unknown> =>
      viewUdf(MODULE, { export: "extremes" }) as ViewReduction<unknown>,
    definition: (samples) => ({
      least: { ...zeroArray([], "float64"), data: Float64Array.of(Math.min(...samples)) },
      most: { ...zeroArray([], "float32"), data: Float32Array.of(Math.max(...samples)) },
    }),
  },
} satisfies Partial<Record<OperationName, ReductionRow>>;

/** Operations that are parts of `labelImage` and `histogramOf`, and are tested as such. */
export const PARTS = ["labelTiles", "relabel", "countBins"] as const satisfies readonly OperationName[];

/** One row per entry of the table of operations. */
export const OPERATION_ROWS: Readonly<
  Record<Exclude<OperationName, keyof typeof REDUCTION_ROWS | typeof PARTS[number]>, OperationRow>
> = {
  boxMean: {
    operation: (radius) => boxMean({ radius }),
    result: floatOf,
    definition: meanOf,
    dtypes: ALL,
    reaches: (d, rank) => d >= rank - 2,
  },
  localMinimum: {
    operation: (radius) => localMinimum({ radius }),
    result: (dtype) => dtype,
    definition: ({ samples }) => Math.min(...samples),
    dtypes: ALL,
    reaches: () => true,
  },
  localMaximum: {
    operation: (radius) => localMaximum({ radius }),
    result: (dtype) => dtype,
    definition: ({ samples }) => Math.max(...samples),
    dtypes: ALL,
    reaches: () => true,
  },
  gaussian: {
    operation: (radius) => gaussian({ sigma: radius.map((r) => r / 4) }),
    result: floatOf,
    definition: (window) => weighted(window, (d, at) => bell(radiusAt(window, d), at, 0)),
    tolerance: 1e-6,
    dtypes: ALL,
    reaches: everywhere,
  },
  laplacianOfGaussian: {
    operation: (radius) => laplacianOfGaussian({ sigma: radius.map((r) => r / 4) }),
    result: floatOf,
    definition: (window) => sum(bells(window, 2)),
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  },
  gaussianGradient: {
    operation: (radius) => gaussianGradient({ sigma: radius.map((r) => r / 4) }),
    result: floatOf,
    definition: (window) => Math.hypot(...bells(window, 1)),
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  },
  sobel: gradientRow(sobel, [1, 2, 1]),
  prewitt: gradientRow(prewitt, [1, 1, 1]),
  scharr: gradientRow(scharr, [3, 10, 3]),
  laplacian: {
    operation: (radius) => laplacian({ radius: clipped(radius) }),
    result: floatOf,
    definition: (window) => sum(differences(window, [1, -2, 1], [0, 1, 0])),
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  },
  copySamples: {
    operation: () => copySamples(),
    result: (dtype) => dtype,
    definition: ({ samples: [sample = NaN] }) => sample,
    dtypes: ALL,
    reaches: () => false,
  },
  threshold: {
    operation: () => threshold({ value: 2.5 }),
    result: () => "bool",
    definition: ({ samples: [sample = NaN] }) => sample > 2.5 ? 1 : 0,
    dtypes: ALL,
    reaches: () => false,
  },
  convert: {
    operation: () => convert({ dtype: "int8" }),
    result: () => "int8",
    definition: ({ samples: [sample = NaN] }) => Math.round(sample) + 0, // not -0; no sample of the tests lies between two integers
    dtypes: ALL,
    reaches: () => false,
  },
  downSample: {
    operation: () => downSample({ factor: 3 }),
    result: floatOf,
    definition: ({ samples }) => samples.reduce((sum, value) => sum + value, 0) / samples.length,
    dtypes: ALL.filter((dtype) => !dtype.startsWith("float")), // sums of floats depend on their order
    reaches: () => false,
    factor: 3,
  },
  median: {
    operation: (radius) => median({ radius }),
    result: (dtype) => dtype,
    definition: ({ samples }) => sorted(samples)[samples.length >> 1]!,
    dtypes: ALL,
    reaches: everywhere,
  },
  percentile: {
    operation: (radius) => percentile({ radius, percent: 30 }),
    result: (dtype) => dtype,
    definition: ({ samples }) => sorted(samples)[Math.floor(samples.length * 0.3)]!,
    dtypes: SOME,
    reaches: everywhere,
  },
  unsharp: {
    operation: (radius) => unsharp({ sigma: radius.map((r) => r / 4), amount: 0.5 }),
    result: floatOf,
    definition: (window) => {
      const middle = window.samples[window.samples.length >> 1]!;
      return middle + 0.5 * (middle - weighted(window, (d, at) => bell(radiusAt(window, d), at, 0)));
    },
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  },
  localVariance: {
    operation: (radius) => localVariance({ radius }),
    result: floatOf,
    definition: ({ samples }) => varianceOf(samples),
    tolerance: 1e-6,
    dtypes: ALL,
    reaches: everywhere,
  },
  localDeviation: {
    operation: (radius) => localDeviation({ radius }),
    result: floatOf,
    definition: ({ samples }) => Math.sqrt(varianceOf(samples)),
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  },
  localThreshold: {
    operation: (radius) => localThreshold({ radius, offset: 0.37 }),
    result: () => "bool",
    definition: ({ samples }) => samples[samples.length >> 1]! > sum(samples) / samples.length - 0.37 ? 1 : 0,
    dtypes: ALL,
    reaches: everywhere,
  },
  correlate: {
    operation: (radius) => correlate({ weights: slopes(radius, [0, 1, 3]) }),
    result: floatOf,
    definition: (window) => weighted(window, (_, at) => [0, 1, 3][at + 1] ?? 0),
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  },
  convolve: {
    operation: (radius) => convolve({ weights: corners(radius) }),
    result: floatOf,
    definition: ({ samples }) => 2 * samples[0]! + (samples.length > 1 ? samples.at(-1)! : 0),
    tolerance: 1e-6,
    dtypes: SOME,
    reaches: everywhere,
  },
  opening: morphologyRow(opening, [least, greatest], ({ samples: [, result] }) => result!),
  closing: morphologyRow(closing, [greatest, least], ({ samples: [, result] }) => result!),
  whiteTopHat: {
    ...morphologyRow(whiteTopHat, [least, greatest], ({ samples: [sample, result] }) => sample! - result!),
    dtypes: ["int16", "float32"],
    tolerance: 1e-6,
  },
  blackTopHat: {
    ...morphologyRow(blackTopHat, [greatest, least], ({ samples: [sample, result] }) => result! - sample!),
    dtypes: ["int16", "float32"],
    tolerance: 1e-6,
  },
  morphologicalGradient: {
    operation: (radius) => morphologicalGradient({ radius }),
    result: (dtype) => dtype,
    definition: ({ samples }) => Math.max(...samples) - Math.min(...samples),
    tolerance: 1e-6,
    dtypes: ["bool", "uint8", "int16", "float64"],
    reaches: everywhere,
  },
  viewExpression: {
    operation: (radius) => {
      const at = (sign: number) => `x[${radius.map((r) => sign * r + 0)}]`;
      return viewExpression(`max(x, ${at(1)} - 2 * ${at(-1)})`);
    },
    result: floatOf,
    definition: ({ samples }) =>
      Math.max(samples[(samples.length - 1) / 2]!, samples.at(-1)! - 2 * samples[0]!),
    dtypes: ALL,
    reaches: () => true,
  },
  viewFunction: {
    operation: (radius) =>
      viewFunction(MODULE, { export: "spread", radius, input: "float64", dtype: "float64" }),
    result: () => "float64",
    definition: ({ samples }) => Math.max(...samples) - samples[0]!,
    dtypes: ALL,
    reaches: () => true,
  },
  viewKernel: {
    operation: (radius) => viewKernel({ source: SPREAD, radius, dtype: "float64" }),
    result: () => "float64",
    definition: ({ samples }) => Math.max(...samples) - samples[0]!,
    dtypes: SOME,
    reaches: () => true,
  },
};
