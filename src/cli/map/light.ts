/**
 * Whether filters are computed on the calling thread: starting workers, each of which loads and compiles the same code, takes
 * longer than they save, and 15 to 20 MiB each.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { INLINE_BYTES } from "../../runner/context.ts";
import { haloOf } from "../../space/halo.ts";
import { sizeOf } from "../../space/shape.ts";
import { loadedSteps } from "../../views/chain/entry.ts";
import { type LoadedStep, radiusOfStep } from "../../views/chain/steps.ts";
import { isChunked } from "../../views/chunk_plan.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { OperationName } from "../../views/registry.ts";

/**
 * Filters of which one thread computes 150 million samples per second or more, and up to which radius; together with reading
 * and writing.
 */
export const LIGHT: Readonly<Partial<Record<OperationName, number>>> = {
  copySamples: 0,
  convert: 0,
  threshold: 0,
  downSample: 0,
  boxMean: 8,
  gaussian: 8,
  sobel: 1,
  prewitt: 1,
  scharr: 1,
  laplacian: 1,
  localMinimum: 2,
  localMaximum: 2,
  median: 2,
};

/** Samples that one thread filters once in less than half a second. */
const MOST_SAMPLES = 2 ** 26;

/** Whether one thread is the faster way to compute `operation` over `dataset`; `isPlain`: nothing is compressed for the result. */
export async function isLight(
  dataset: StoredDataset,
  operation: ViewOperation,
  isPlain: boolean,
): Promise<boolean> {
  if (dataset.byteLength <= INLINE_BYTES) return true;
  if (!isPlain || !isStoredPlain(dataset)) return false;
  const steps = await loadedSteps(operation);
  const reaches = steps.map((step) => reachOf(step, dataset));
  const filters = Math.max(1, reaches.filter((reach) => reach > 0).length); // what sees one sample alone takes little more
  return steps.every(({ entry: { name } }, k) => reaches[k]! <= (LIGHT[name as OperationName] ?? -1)) &&
    sizeOf(dataset.shape) * filters <= MOST_SAMPLES;
}

/** Whether samples are read without decoding more than their byte order. */
function isStoredPlain(dataset: StoredDataset): boolean {
  const { kind } = dataset.layout.storage;
  return kind === "contiguous" || (isChunked(dataset) && dataset.layout.storage.chunks.filters.length === 0);
}

/** Samples that a filter sees around one, along the dimension where these are most. */
function reachOf(step: LoadedStep, { shape }: StoredDataset): number {
  const { front, back } = haloOf(radiusOfStep(step), shape);
  return Math.max(0, ...front, ...back);
}
