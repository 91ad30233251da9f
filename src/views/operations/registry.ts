/**
 * The table of operations over views. An operation is loaded when it is first used, on the thread that uses it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OperationEntry } from "./operation.ts";

/** Every operation by its name. */
export const OPERATIONS = {
  boxMean: async () => (await import("./box_mean.ts")).BOX_MEAN,
  localMinimum: async () => (await import("./local_extremes.ts")).LOCAL_MINIMUM,
  localMaximum: async () => (await import("./local_extremes.ts")).LOCAL_MAXIMUM,
  gaussian: async () => (await import("./gaussian.ts")).GAUSSIAN,
  laplacianOfGaussian: async () => (await import("./gaussian.ts")).LAPLACIAN_OF_GAUSSIAN,
  gaussianGradient: async () => (await import("./gaussian.ts")).GAUSSIAN_GRADIENT,
  sobel: async () => (await import("./gradients.ts")).SOBEL,
  prewitt: async () => (await import("./gradients.ts")).PREWITT,
  scharr: async () => (await import("./gradients.ts")).SCHARR,
  laplacian: async () => (await import("./gradients.ts")).LAPLACIAN,
  threshold: async () => (await import("./threshold.ts")).THRESHOLD,
  convert: async () => (await import("./convert.ts")).CONVERT,
  downSample: async () => (await import("./down_sample.ts")).DOWN_SAMPLE,
  sampleRange: async () => (await import("./sample_range.ts")).SAMPLE_RANGE,
  copySamples: async () => (await import("./copy_samples.ts")).COPY_SAMPLES,
  median: async () => (await import("./rank.ts")).MEDIAN,
  percentile: async () => (await import("./rank.ts")).PERCENTILE,
  unsharp: async () => (await import("./unsharp.ts")).UNSHARP,
  localVariance: async () => (await import("./local_statistics.ts")).LOCAL_VARIANCE,
  localDeviation: async () => (await import("./local_statistics.ts")).LOCAL_DEVIATION,
  localThreshold: async () => (await import("./local_statistics.ts")).LOCAL_THRESHOLD,
  correlate: async () => (await import("./convolve.ts")).CORRELATE,
  convolve: async () => (await import("./convolve.ts")).CONVOLVE,
  morphologicalGradient: async () => (await import("./morphology.ts")).MORPHOLOGICAL_GRADIENT,
  viewFunction: async () => (await import("./view_function.ts")).VIEW_FUNCTION,
  labelTiles: async () => (await import("../regions/operations.ts")).LABEL_TILES,
  countBins: async () => (await import("../regions/counts.ts")).COUNT_BINS,
  relabel: async () => (await import("../regions/operations.ts")).RELABEL,
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
