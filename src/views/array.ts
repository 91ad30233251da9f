/**
 * The arrays that views are of: samples that lie row-major in a byte source, or the frames of any data set. Plain data,
 * so that every worker can load views by itself.
 *
 * @module
 */

import { Dataset as Inside } from "../dataset/dataset.ts";
import type { Dataset } from "../dataset/face.ts";
import type { FrameLayout } from "../dataset/layout/layout.ts";
import { kindOf } from "../dataset/storage/kinds.ts";
import { withShared } from "../dataset/storage/private_samples.ts";
import { frameSources } from "../dataset/sources.ts";
import { TilewiseError } from "../errors.ts";
import { sharedCopy } from "../io/source/bytes.ts";
import { inWords } from "../options.ts";
import type { SourceSpec } from "../io/source/source.ts";
import type { ByteOrder, DType } from "../space/dtype.ts";
import type { Shape } from "../space/shape.ts";

/**
 * What is known of every array.
 * @category Views
 */
export interface ArrayFacts {
  /** Sizes, slowest dimension first. */
  readonly shape: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Their byte order as they are read; in views they are little endian. */
  readonly byteOrder: ByteOrder;
  /** Files that say something of the array and hold no samples of it. */
  readonly beside?: readonly SourceSpec[];
}

/**
 * A row-major array in a byte source: views are read to where they belong.
 * @category Views
 */
export interface PlainArray extends ArrayFacts {
  /** How to open the source. */
  readonly source: SourceSpec;
  /** First byte of the array in it. */
  readonly offset: number;
}

/**
 * Frames on a scan grid, however they are stored: they are decoded first. Positions without a frame are zero.
 * @category Views
 */
export interface FrameArray extends ArrayFacts {
  /** Where the frames lie. */
  readonly layout: FrameLayout;
  /** Images skipped at the start (positive) or blank positions before the first image (negative). */
  readonly syncOffset: number;
  /** Which images mean something, one byte each; the others are zero as well. Absent: all. */
  readonly valid?: Uint8Array;
}

/**
 * An array that views can be of.
 * @category Views
 */
export type ArraySpec = PlainArray | FrameArray;

/**
 * A data set as one array, scan dimensions first. What lies in one file without gaps is read in place, all else by
 * way of the reader of its format. Samples in memory of this thread are copied once, here, to memory that workers share.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { arrayOf } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const scan = new File([new Uint8Array(30)], "scan.raw");
 * const plain = await open(scan, { format: "raw", nav: [2, 3], sig: [5], dtype: "uint8" });
 * assertEquals("source" in arrayOf(plain), true);
 * const headers = { format: "raw", nav: [2, 3], sig: [4], dtype: "uint8", frameHeaderBytes: 1 } as const;
 * assertEquals("layout" in arrayOf(await open(scan, headers)), true);
 * ```
 * @category Views
 */
export function arrayOf(dataset: Dataset): ArraySpec {
  checkDataset(dataset);
  const { shape, dtype, byteOrder, syncOffset, valid } = dataset;
  const layout = withShared(dataset.layout, sharedCopy);
  const facts = { shape, dtype, ...(dataset.beside.length > 0 ? { beside: dataset.beside } : {}) };
  if (!isPlain(dataset)) {
    return {
      ...facts,
      layout,
      syncOffset,
      byteOrder: kindOf(layout).loadedOrder(layout),
      ...(valid ? { valid } : {}),
    };
  }
  const { source, headerBytes } = layout.files[0]!;
  return { ...facts, source, offset: headerBytes, byteOrder };
}

/** Everything outside of this process that the samples of an array depend on. */
export function sourcesOfArray(array: ArraySpec): SourceSpec[] {
  const own = "layout" in array ? frameSources(array.layout) : [array.source];
  return [...own, ...array.beside ?? []];
}

function checkDataset(dataset: unknown): asserts dataset is Inside {
  if ((dataset as Partial<Inside> | null)?.layout !== undefined) return;
  const found = inWords(dataset);
  const text = `arrayOf() takes a data set, as await open() gives it; it was given ${found}`;
  throw new TilewiseError("invalid", text, { found });
}

/** Whether the samples lie in one file without gaps, the first one at the first position. */
function isPlain({ layout, images, frames, syncOffset, valid }: Inside): boolean {
  return kindOf(layout).isPlain(layout) && !valid && layout.files.length === 1 && syncOffset === 0 &&
    images >= frames;
}

/** The array that views are of: itself, or that of a data set. Anything else is refused. */
export function specOf(call: string, array: ArraySpec | Dataset): ArraySpec {
  if (array instanceof Inside) return arrayOf(array);
  if (Array.isArray(array?.shape) && array.dtype && ("layout" in array || "offset" in array)) return array;
  const found = inWords(array);
  const text =
    `${call} takes a data set, as await open() gives it, or an array, as arrayOf() makes it; it was ` +
    `given ${found}`;
  throw new TilewiseError("invalid", text, { found });
}
