/**
 * The table of operations over views. An operation is loaded when it is first used, on the thread that uses it.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { OperationEntry } from "./operations/operation.ts";

// deno-fmt-ignore: written by `deno task build`
const DECLARED = {
  blackTopHat: async () => (await import("./operations/filters/morphology.ts")).BLACK_TOP_HAT,
  boxMean: async () => (await import("./operations/box_mean.ts")).BOX_MEAN,
  closing: async () => (await import("./operations/filters/morphology.ts")).CLOSING,
  convert: async () => (await import("./operations/convert.ts")).CONVERT,
  convolve: async () => (await import("./operations/filters/convolve.ts")).CONVOLVE,
  copySamples: async () => (await import("./operations/copy_samples.ts")).COPY_SAMPLES,
  correlate: async () => (await import("./operations/filters/convolve.ts")).CORRELATE,
  downSample: async () => (await import("./operations/down_sample.ts")).DOWN_SAMPLE,
  gaussian: async () => (await import("./operations/filters/gaussian.ts")).GAUSSIAN,
  gaussianGradient: async () => (await import("./operations/filters/gaussian.ts")).GAUSSIAN_GRADIENT,
  laplacian: async () => (await import("./operations/filters/gradients.ts")).LAPLACIAN,
  laplacianOfGaussian: async () => (await import("./operations/filters/gaussian.ts")).LAPLACIAN_OF_GAUSSIAN,
  localDeviation: async () => (await import("./operations/filters/local_variance.ts")).LOCAL_DEVIATION,
  localMaximum: async () => (await import("./operations/local_extremes.ts")).LOCAL_MAXIMUM,
  localMinimum: async () => (await import("./operations/local_extremes.ts")).LOCAL_MINIMUM,
  localThreshold: async () => (await import("./operations/filters/local_threshold.ts")).LOCAL_THRESHOLD,
  localVariance: async () => (await import("./operations/filters/local_variance.ts")).LOCAL_VARIANCE,
  median: async () => (await import("./operations/filters/rank.ts")).MEDIAN,
  morphologicalGradient: async () => (await import("./operations/filters/morphology.ts")).MORPHOLOGICAL_GRADIENT,
  opening: async () => (await import("./operations/filters/morphology.ts")).OPENING,
  percentile: async () => (await import("./operations/filters/rank.ts")).PERCENTILE,
  prewitt: async () => (await import("./operations/filters/gradients.ts")).PREWITT,
  sampleRange: async () => (await import("./operations/sample_range.ts")).SAMPLE_RANGE,
  scharr: async () => (await import("./operations/filters/gradients.ts")).SCHARR,
  sobel: async () => (await import("./operations/filters/gradients.ts")).SOBEL,
  threshold: async () => (await import("./operations/threshold.ts")).THRESHOLD,
  unsharp: async () => (await import("./operations/filters/unsharp.ts")).UNSHARP,
  viewExpression: async () => (await import("./operations/expression.ts")).VIEW_EXPRESSION,
  viewFunction: async () => (await import("./operations/view_function.ts")).VIEW_FUNCTION,
  viewKernel: async () => (await import("./operations/kernels/work.ts")).VIEW_KERNEL,
  viewUdf: async () => (await import("./operations/udf/work.ts")).VIEW_UDF,
  whiteTopHat: async () => (await import("./operations/filters/morphology.ts")).WHITE_TOP_HAT,
};

/** Every operation by its name: those of `operations/`, and steps of measures. */
export const OPERATIONS = {
  ...DECLARED,
  labelTiles: async () => (await import("./regions/operations.ts")).LABEL_TILES,
  countBins: async () => (await import("./regions/counts.ts")).COUNT_BINS,
  relabel: async () => (await import("./regions/operations.ts")).RELABEL,
} satisfies Readonly<Record<string, () => Promise<OperationEntry>>>;

/** The name of an operation. */
export type OperationName = keyof typeof OPERATIONS;

/** The operation with this name. */
export async function operationNamed(name: string): Promise<OperationEntry> {
  if (isName(name)) return await OPERATIONS[name]();
  const text = `There is no operation "${name}"; there are ${Object.keys(OPERATIONS).join(", ")}`;
  throw new TilewiseError("invalid", text, { option: "operation", found: name });
}

function isName(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}
