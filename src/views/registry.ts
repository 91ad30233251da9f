/**
 * The table of operations over views. An operation is loaded when it is first used, on the thread that uses it.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { OperationEntry } from "./operations/operation.ts";

/** Every operation by its name. */
export const OPERATIONS = {
  boxMean: async () => (await import("./operations/box_mean.ts")).BOX_MEAN,
  localMinimum: async () => (await import("./operations/local_extremes.ts")).LOCAL_MINIMUM,
  localMaximum: async () => (await import("./operations/local_extremes.ts")).LOCAL_MAXIMUM,
  gaussian: async () => (await import("./operations/filters/gaussian.ts")).GAUSSIAN,
  laplacianOfGaussian: async () => (await import("./operations/filters/gaussian.ts")).LAPLACIAN_OF_GAUSSIAN,
  gaussianGradient: async () => (await import("./operations/filters/gaussian.ts")).GAUSSIAN_GRADIENT,
  sobel: async () => (await import("./operations/filters/gradients.ts")).SOBEL,
  prewitt: async () => (await import("./operations/filters/gradients.ts")).PREWITT,
  scharr: async () => (await import("./operations/filters/gradients.ts")).SCHARR,
  laplacian: async () => (await import("./operations/filters/gradients.ts")).LAPLACIAN,
  threshold: async () => (await import("./operations/threshold.ts")).THRESHOLD,
  convert: async () => (await import("./operations/convert.ts")).CONVERT,
  downSample: async () => (await import("./operations/down_sample.ts")).DOWN_SAMPLE,
  sampleRange: async () => (await import("./operations/sample_range.ts")).SAMPLE_RANGE,
  copySamples: async () => (await import("./operations/copy_samples.ts")).COPY_SAMPLES,
  median: async () => (await import("./operations/filters/rank.ts")).MEDIAN,
  percentile: async () => (await import("./operations/filters/rank.ts")).PERCENTILE,
  unsharp: async () => (await import("./operations/filters/unsharp.ts")).UNSHARP,
  localVariance: async () => (await import("./operations/filters/local_variance.ts")).LOCAL_VARIANCE,
  localDeviation: async () => (await import("./operations/filters/local_variance.ts")).LOCAL_DEVIATION,
  localThreshold: async () => (await import("./operations/filters/local_threshold.ts")).LOCAL_THRESHOLD,
  correlate: async () => (await import("./operations/filters/convolve.ts")).CORRELATE,
  convolve: async () => (await import("./operations/filters/convolve.ts")).CONVOLVE,
  morphologicalGradient: async () =>
    (await import("./operations/filters/morphology.ts")).MORPHOLOGICAL_GRADIENT,
  opening: async () => (await import("./operations/filters/morphology.ts")).OPENING,
  closing: async () => (await import("./operations/filters/morphology.ts")).CLOSING,
  whiteTopHat: async () => (await import("./operations/filters/morphology.ts")).WHITE_TOP_HAT,
  blackTopHat: async () => (await import("./operations/filters/morphology.ts")).BLACK_TOP_HAT,
  viewExpression: async () => (await import("./operations/expression.ts")).VIEW_EXPRESSION,
  viewFunction: async () => (await import("./operations/view_function.ts")).VIEW_FUNCTION,
  viewKernel: async () => (await import("./operations/kernels/work.ts")).VIEW_KERNEL,
  viewUdf: async () => (await import("./operations/udf/work.ts")).VIEW_UDF,
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
