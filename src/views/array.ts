/**
 * The arrays that views show: samples that lie row-major in a byte source, or the frames of any data set. They are
 * plain data, so that every worker can load views without help.
 *
 * @module
 */

import { type Dataset, StoredDataset } from "../dataset/dataset.ts";
import { kindOf, readingPacks, withShared } from "../dataset/storage/kinds.ts";
import { inOrder } from "../kernels/pack_names.ts";
import type { Pack } from "../kernels/families/packs.ts";
import { type AxisFacts, factsOf, type ValueFacts } from "../space/axes.ts";
import { isUsual } from "../space/meaning/values.ts";
import type { FrameLayout } from "../dataset/layout/layout.ts";
import "../dataset/storage/all_kinds.ts";
import { frameSources, readSources } from "../dataset/sources.ts";
import { TilewiseError } from "../errors.ts";
import { asFrames } from "../dataset/single_values.ts";
import { memoryOf, sharedCopy } from "../io/source/bytes.ts";
import { defined, inWords, isThenable } from "../options.ts";
import type { SourceSpec } from "../io/source/source.ts";
import type { ByteOrder, DType } from "../space/dtype.ts";
import { isArray } from "../space/rules.ts";
import type { Shape } from "../space/shape.ts";

/**
 * Facts of every array.
 * @category Views
 */
export interface ArrayFacts {
  /** Sizes, slowest dimension first. */
  readonly shape: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Byte order of the samples as they are read; in views samples are little endian. */
  readonly byteOrder: ByteOrder;
  /** Files that describe the array and contain no samples of it. */
  readonly beside?: readonly SourceSpec[];
  /** Names, scales and units of the dimensions, if they are known. */
  readonly axes?: readonly AxisFacts[];
  /** What the samples mean. Absent: what follows from their type. */
  readonly values?: ValueFacts;
  /** How many of its first dimensions are the scan. Absent: the kinds of its axes say it. */
  readonly nav?: number;
  /** Whether it is one sample without dimensions: views see one dimension of one sample, results have none. */
  readonly isScalar?: true;
}

/** The shape of what is made of an array, as it is stored: `shape`, or no dimensions, as the array has none. */
export function storedShape(shape: Shape, { isScalar }: Pick<ArrayFacts, "isScalar">): Shape {
  return isScalar ? [] : shape;
}

/**
 * A row-major array in a byte source: samples are read directly to their place in a view.
 * @category Views
 */
export interface PlainArray extends ArrayFacts {
  /** The byte source. */
  readonly source: SourceSpec;
  /** First byte of the array in the source. */
  readonly offset: number;
}

/**
 * Frames on a scan grid, in any storage: they are decoded first. Positions without a frame are zero.
 * @category Views
 */
export interface FrameArray extends ArrayFacts {
  /** The layout of the frames. */
  readonly layout: FrameLayout;
  /** Images skipped at the start (positive) or blank positions before the first image (negative). */
  readonly syncOffset: number;
  /** Which images are valid, one byte each; the others are read as zeros. Absent: all are valid. */
  readonly valid?: Uint8Array;
}

/**
 * An array for views.
 * @category Views
 */
export type ArraySpec = PlainArray | FrameArray;

/**
 * Several arrays of one shape that an operation sees together, as {@link joinArrays} makes it. Its `dtype` holds the
 * samples of all of them.
 * @category Views
 */
export interface JoinedArray extends ArrayFacts {
  /** The arrays by name. */
  readonly parts: Readonly<Record<string, ArraySpec>>;
}

/**
 * What operations run over: a data set, an array, or several arrays that were joined.
 * @category Views
 */
export type MapInput = ArraySpec | JoinedArray | Dataset;

/**
 * A data set as one array, scan dimensions first. Samples that lie in one file without gaps are read in place; all
 * others are read by the reader of the format. Samples in memory of this thread are copied once, here, to memory that
 * workers share.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { arrayOf } from "@tilewise/tilewise/unstable/views";
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
  const isScalar = dataset.shape.length === 0;
  if (isScalar) return { ...arrayOf(asFrames(dataset)), isScalar };
  const { shape, navShape, dtype, byteOrder, syncOffset, valid, axes, values } = dataset;
  const layout = withShared(dataset.layout, sharedCopy);
  const told = isUsual(values, dtype) ? {} : { values };
  const facts = {
    shape,
    dtype,
    axes: axes.map(factsOf),
    nav: navShape.length,
    ...told,
    ...(dataset.beside.length > 0 ? { beside: dataset.beside } : {}),
  };
  if (!isPlain(dataset)) {
    return {
      ...facts,
      layout,
      syncOffset,
      byteOrder: kindOf(layout).loadedOrder(layout),
      ...defined({ valid }),
    };
  }
  const { source, headerBytes } = layout.files[0]!;
  return { ...facts, source, offset: headerBytes, byteOrder };
}

/** The memory of WebAssembly that holds the samples of an array, if this thread has made it. */
export function memoryOfSamples(array: ArraySpec): WebAssembly.Memory | undefined {
  return "source" in array && array.source.kind === "bytes" ? memoryOf(array.source.bytes) : undefined;
}

/** The sources that workers read the samples of an array from. */
export function readSourcesOf(array: ArraySpec | JoinedArray): SourceSpec[] {
  if ("parts" in array) return Object.values(array.parts).flatMap(readSourcesOf);
  return "layout" in array ? readSources(array.layout) : [array.source];
}

/** The packs of kernels for reading the samples of an array. */
export function packsOfArray(array: ArraySpec | JoinedArray): Pack[] {
  if ("parts" in array) return inOrder(Object.values(array.parts).flatMap(packsOfArray));
  return "layout" in array ? readingPacks(array.layout) : ["core"];
}

/** Everything outside of this process on which the samples of an array depend. */
export function sourcesOfArray(array: ArraySpec | JoinedArray): SourceSpec[] {
  if ("parts" in array) return Object.values(array.parts).flatMap(sourcesOfArray);
  const own = "layout" in array ? frameSources(array.layout) : [array.source];
  return [...own, ...array.beside ?? []];
}

function checkDataset(dataset: unknown): asserts dataset is StoredDataset {
  if ((dataset as Partial<StoredDataset> | null)?.layout !== undefined) return;
  const found = inWords(dataset);
  const text = `arrayOf() takes a data set, as await open() gives it; it was given ${found}`;
  throw new TilewiseError("invalid", text, { found });
}

/** Whether the samples lie in one file without gaps, and the first image belongs to the first position. */
function isPlain({ layout, images, frames, syncOffset, valid }: StoredDataset): boolean {
  return kindOf(layout).isPlain(layout) && !valid && layout.files.length === 1 && syncOffset === 0 &&
    images >= frames;
}

/** Names of the arrays that were joined; undefined for one array. */
export function partNames(array: ArraySpec | JoinedArray): readonly string[] | undefined {
  return "parts" in array ? Object.keys(array.parts) : undefined;
}

/** The input of an operation: arrays that were joined, or see {@link specOf}. */
export function inputOf(call: string, input: MapInput): ArraySpec | JoinedArray {
  return isJoined(input) ? input : specOf(call, input);
}

function isJoined(input: MapInput): input is JoinedArray {
  return typeof (input as Partial<JoinedArray> | null)?.parts === "object";
}

/** The array for views: `array` itself, or the array of a data set. Other values are refused. */
export function specOf(call: string, array: ArraySpec | Dataset): ArraySpec {
  if (array instanceof StoredDataset) return arrayOf(array);
  if (Array.isArray(array?.shape) && array.dtype && ("layout" in array || "offset" in array)) return array;
  const found = inWords(array);
  const text =
    `${call} takes a data set, as await open() gives it, or an array, as arrayOf() makes it; it was ` +
    `given ${found}${hintFor(array)}`;
  throw new TilewiseError("invalid", text, { found });
}

/** What to do with a value that is not opened, where that is known. */
function hintFor(value: unknown): string {
  if (isThenable(value)) return "; await it";
  if (isArray(value)) return "; await open(array) makes a data set of it";
  const { labels } = (value ?? {}) as { readonly labels?: unknown };
  return isArray(labels) ? "; await open(it.labels) makes a data set of its labels" : "";
}
