/**
 * The table of filters: a new filter is a row here.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { boxMean } from "../../views/operations/box_mean.ts";
import { CAST_TYPES } from "../../space/cast.ts";
import { convert } from "../../views/operations/convert.ts";
import { downSample } from "../../views/operations/down_sample.ts";
import { gaussian, gaussianGradient, laplacianOfGaussian } from "../../views/operations/filters/gaussian.ts";
import { laplacian, prewitt, scharr, sobel } from "../../views/operations/filters/gradients.ts";
import { localMaximum, localMinimum } from "../../views/operations/local_extremes.ts";
import { localThreshold } from "../../views/operations/filters/local_threshold.ts";
import { localDeviation, localVariance } from "../../views/operations/filters/local_variance.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { median, percentile } from "../../views/operations/filters/rank.ts";
import { threshold } from "../../views/operations/threshold.ts";
import { unsharp } from "../../views/operations/filters/unsharp.ts";
import { type Filter, type FilterParameter, number, numbers, word } from "./filter.ts";

const WIDTHS = { from: 1, to: 20, step: 1, unit: "px" };
const RADIUS = { radius: numbers("samples on both sides of the window", "1", WIDTHS) };
const SIGMA = numbers("standard deviation, in samples", undefined, {
  from: 0.5,
  to: 20,
  step: 0.5,
  unit: "px",
});
const TRUNCATE = { truncate: number("standard deviations at which weights end", "4") };
const FLOATS = "float32, or float64 for large integers and float64";

/** Options of an operation: values were read as the table says, and the operation checks them once more. */
function row(facts: Omit<Filter, "make">, operation: (options: never) => ViewOperation): Filter {
  return { ...facts, make: (values) => operation(values as never) };
}

function of(
  group: Filter["group"],
  name: string,
  title: string,
  help: string,
  result: string,
  parameters: Readonly<Record<string, FilterParameter>>,
  example?: string,
): Omit<Filter, "make"> {
  return { name, title, group, help, result, parameters, ...defined({ example }) };
}

const SMOOTH = "Smoothing", EDGES = "Edges", RANKS = "Ranks and morphology", SAMPLES = "Samples";
const SAME = "that of the samples";

/** Every filter, in the order of the help. */
export const FILTERS: readonly Filter[] = [
  row(
    of(
      SMOOTH,
      "gaussian",
      "Blur",
      "weighted means, by a normal distribution",
      FLOATS,
      { sigma: SIGMA, ...TRUNCATE },
      "gaussian:sigma=2",
    ),
    gaussian,
  ),
  row(of(SMOOTH, "box", "Mean", "means of windows over the last two dimensions", FLOATS, RADIUS), boxMean),
  row(of(SMOOTH, "median", "Median", "medians of windows", SAME, RADIUS, "median:radius=2"), median),
  row(
    of(SMOOTH, "unsharp", "Sharpen", "sharper: samples, and their difference to a Gaussian", FLOATS, {
      sigma: SIGMA,
      amount: number("how much of the difference is added", "1", { from: 0, to: 5, step: 0.1 }),
      ...TRUNCATE,
    }, "unsharp:sigma=2"),
    unsharp,
  ),
  row(
    of(EDGES, "sobel", "Edges (Sobel)", "magnitude of the gradient, by Sobel", FLOATS, {
      axis: number("only the slope along this dimension", "all"),
    }),
    sobel,
  ),
  row(
    of(EDGES, "prewitt", "Edges (Prewitt)", "magnitude of the gradient, by Prewitt", FLOATS, {
      axis: number("only the slope along this dimension", "all"),
    }),
    prewitt,
  ),
  row(
    of(EDGES, "scharr", "Edges (Scharr)", "magnitude of the gradient, by Scharr", FLOATS, {
      axis: number("only the slope along this dimension", "all"),
    }),
    scharr,
  ),
  row(
    of(
      EDGES,
      "gradient",
      "Edges (Gaussian)",
      "magnitude of the gradient of a Gaussian",
      FLOATS,
      { sigma: SIGMA, ...TRUNCATE },
      "gradient:sigma=1.5",
    ),
    gaussianGradient,
  ),
  row(of(EDGES, "laplacian", "Laplacian", "sum of second differences", FLOATS, {}), laplacian),
  row(
    of(EDGES, "log", "Blobs", "Laplacian of a Gaussian", FLOATS, {
      sigma: SIGMA,
      ...TRUNCATE,
    }, "log:sigma=2"),
    laplacianOfGaussian,
  ),
  row(
    of(RANKS, "minimum", "Shrink bright parts", "least samples of windows: erosion by a box", SAME, RADIUS),
    localMinimum,
  ),
  row(
    of(RANKS, "maximum", "Grow bright parts", "greatest samples of windows: dilation by a box", SAME, RADIUS),
    localMaximum,
  ),
  row(
    of(RANKS, "percentile", "Percentile", "percentiles of windows", SAME, {
      percent: number("from 0, the least, to 100", undefined, { from: 0, to: 100, step: 1, unit: "%" }),
      ...RADIUS,
    }, "percentile:percent=90,radius=2"),
    percentile,
  ),
  row(of(RANKS, "variance", "Local variance", "variances of windows", FLOATS, RADIUS), localVariance),
  row(
    of(RANKS, "deviation", "Local deviation", "standard deviations of windows", FLOATS, RADIUS),
    localDeviation,
  ),
  row(
    of(SAMPLES, "threshold", "Threshold", "whether samples are greater than a number", "bool", {
      value: number("the number"),
    }, "threshold:value=100"),
    threshold,
  ),
  row(
    of(
      SAMPLES,
      "localthreshold",
      "Local threshold",
      "whether samples are greater than the mean around them",
      "bool",
      {
        radius: numbers("samples on both sides of the window", undefined, { ...WIDTHS, to: 50 }),
        offset: number("subtracted from the mean", "0"),
      },
      "localthreshold:radius=15",
    ),
    localThreshold,
  ),
  row(
    of(
      SAMPLES,
      "convert",
      "Type of samples",
      "the nearest samples of another type",
      "dtype",
      {
        dtype: word("the type", CAST_TYPES),
        beyond: word("what becomes of samples that do not fit", ["clip", "refuse"], "clip"),
      },
      "convert:dtype=uint8",
    ),
    convert,
  ),
  row(
    of(
      SAMPLES,
      "downsample",
      "Smaller",
      "one sample for every block of samples",
      "of mean float32, or float64 for float64 and integers of 32 bits; of sum float64; else that of the samples",
      {
        factor: numbers("samples that become one", undefined, { from: 2, to: 16, step: 1 }),
        reduce: word("what becomes of them", ["mean", "max", "min", "sum", "nearest"], "mean"),
      },
      "downsample:factor=2",
    ),
    downSample,
  ),
];
