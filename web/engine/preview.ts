/**
 * A look at a source before it is opened: what it is, and one picture of it for which little is read.
 *
 * @module
 */

import { createContext, type Dataset } from "@tilewise/tilewise";
import { openAll, type OpenInput, type OpenOptions } from "@tilewise/tilewise/formats";
import { read } from "@tilewise/tilewise/arrays";
import type { ShownImage } from "../draw/image.ts";
import { mainOf } from "./main_array.ts";
import { imageAxes, planeOf, planesOf } from "./planes.ts";

/** What is seen of a source. */
export interface SourcePreview {
  /** Its shape and type. */
  readonly dataset: Dataset;
  /** The frame in the middle of the scan, or the image at its coarsest level; absent, where that is large. */
  readonly image?: ShownImage;
}

/** Most bytes that are read for a picture. */
const MOST = 16 * 2 ** 20;

/**
 * Opens a source, and reads one frame.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const data = Uint16Array.from({ length: 3 * 2 * 2 }, (_, i) => i);
 * const { dataset, image } = await previewOf({ data, shape: [3, 2, 2] }, { nav: [3] }, new AbortController().signal);
 * assertEquals([dataset.navShape, [...image!.array.data]], [[3], [4, 5, 6, 7]]);
 * ```
 */
export async function previewOf(
  input: OpenInput,
  options: OpenOptions,
  signal: AbortSignal,
): Promise<SourcePreview> {
  const dataset = mainOf(await openAll(input, { ...options, signal }));
  const level = dataset.levels.length - 1;
  const small = level > 0 ? mainOf(await openAll(input, { ...options, level, signal })) : dataset;
  const { navShape, sigShape, byteLength, frames } = small;
  if (!(byteLength / frames <= MOST) || sigShape.length !== 2) return { dataset };
  await using context = createContext({ memory: "256MiB", workers: 0 });
  const array = await read(small, navShape.map((size) => Math.floor(size / 2)), { context, signal });
  const plane = planeOf(array, planesOf(array, sigShape), 0, 0);
  return { dataset, image: { array: plane, title: dataset.source, axes: imageAxes(small, "frame") } };
}
