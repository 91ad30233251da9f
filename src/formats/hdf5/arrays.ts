/**
 * From a data set of HDF5 to the layout of its frames: contiguous, in chunks, or inside its header.
 *
 * @module
 */

import { filterName } from "../../codecs/filters/registry.ts";
import type { ChunkLayout } from "../../dataset/chunks.ts";
import { frameBytes, type FrameLayout } from "../../dataset/layout.ts";
import { TilewiseError } from "../../errors.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { readChunks } from "./chunk_index.ts";
import { type SampleType, sampleType } from "./datatype.ts";
import type { Hdf5Dataset } from "./objects.ts";

/** Samples of a data set as an array: shape, type, and how many dimensions one element adds. */
export interface Hdf5Array {
  /** The data set. */
  readonly dataset: Hdf5Dataset;
  /** Its shape with the dimensions inside an element. */
  readonly shape: Shape;
  /** How samples are read. */
  readonly sample: SampleType;
  /** Arrays that are stacked along the first dimension, for arrays that are in no file as such. */
  readonly parts?: readonly Hdf5Array[];
}

/** The data set as an array of numbers; nothing where its elements are texts, references and the like. */
export function asArray(dataset: Hdf5Dataset): Hdf5Array | undefined {
  const sample = sampleType(dataset.type);
  if (!sample) return undefined;
  const { shape, empty } = dataset.space;
  return { dataset, sample, shape: empty ? [0] : [...shape, ...sample.inner] };
}

/** The layout of the array's frames: its last `sig` dimensions, whose samples lie in the file itself. */
export async function layoutOf(array: Hdf5Array, sig: number): Promise<FrameLayout> {
  const { dataset, shape, sample: { dtype, byteOrder } } = array;
  const [navShape, sigShape] = [shape.slice(0, shape.length - sig), shape.slice(shape.length - sig)];
  const base = {
    sigShape,
    dtype,
    byteOrder,
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: frameBytes(sigShape, dtype),
    order: "C",
  } as const;
  const images = sizeOf(navShape);
  const { file, layout, isExternal } = dataset;
  const span = (
    headerBytes: number,
  ) => [{ source: file.source.describe(), start: 0, end: images, headerBytes }];
  if (isExternal || layout.kind === "virtual") {
    throw unsupported(array, "its samples lie in other files, which a virtual data set does not follow");
  }
  if (layout.kind === "compact") {
    checkBytes(array, layout.bytes.length);
    return { ...base, files: span(layout.at) };
  }
  if (layout.kind === "contiguous" && layout.address !== undefined) {
    const at = file.base + layout.address;
    checkBytes(array, Math.min(layout.size ?? Infinity, file.source.size - at));
    return { ...base, files: span(at) };
  }
  return { ...base, files: span(0), chunks: await chunksOf(array, sigShape) };
}

/** Refuses an array whose samples end before the file says. */
function checkBytes({ dataset: { file, path }, shape, sample }: Hdf5Array, found: number): void {
  const expected = sizeOf(shape) * dtypeInfo(sample.dtype).itemSize;
  if (expected <= found) return;
  const text =
    `Cannot read ${path} of ${file.name}: its ${showShape(shape)} samples have ${expected} bytes, ` +
    `the file has ${found} for them`;
  throw new TilewiseError("truncated", text, { file: file.name, expected, found });
}

async function chunksOf(array: Hdf5Array, sigShape: Shape): Promise<ChunkLayout> {
  const { dataset, shape, sample } = array;
  const { file, layout, space, filters, fill } = dataset;
  const itemSize = dtypeInfo(sample.dtype).itemSize;
  const common = {
    shape,
    itemSize,
    filters: filters.map(({ id, values }) => ({ id, values })),
    ...(fill ? { fill: fillOf(fill, dataset.type.size, itemSize) } : {}),
  };
  if (layout.kind !== "chunked") { // never written: as if every frame were a missing chunk
    const nav = Math.min(shape.length - sigShape.length, space.shape.length); // elements stay whole
    const count = sizeOf(shape.slice(0, nav));
    const nothing = {
      addresses: new Float64Array(count).fill(-1),
      sizes: new Uint32Array(count),
      masks: new Uint32Array(count),
    };
    const chunk = shape.map((size, d) => d < nav ? 1 : Math.max(1, size));
    return { ...common, ...nothing, chunk, filters: [], plainEdges: false };
  }
  checkFilters(array);
  checkElement(array, layout.elementBytes);
  const isFiltered = filters.length > 0;
  const table = await readChunks({ file, layout, shape: space.shape, most: space.most, isFiltered });
  const { addresses, sizes, masks } = table;
  const chunk = [...layout.chunk, ...sample.inner];
  return { ...common, chunk, addresses, sizes, masks, plainEdges: layout.plainEdges };
}

/** The bytes of an element that was never written; of a sample where all its samples are alike. */
export function fillOf(fill: Uint8Array, elementBytes: number, itemSize: number): Uint8Array {
  if (fill.length !== elementBytes) return new Uint8Array(itemSize);
  return fill.every((byte, i) => byte === fill[i % itemSize]) ? fill.slice(0, itemSize) : fill;
}

function checkElement(array: Hdf5Array, found: number): void {
  const { dataset: { file, path, type, space, layout } } = array;
  const rank = layout.kind === "chunked" ? layout.chunk.length : 0;
  if (found === type.size && rank === space.shape.length) return;
  const text =
    `Cannot read ${path} of ${file.name}: chunks have ${rank} dimensions and elements of ${found} bytes, ` +
    `the data set has ${space.shape.length} and ${type.size}`;
  throw new TilewiseError("malformed", text, { file: file.name, expected: type.size, found });
}

function checkFilters(array: Hdf5Array): void {
  for (const { id, name } of array.dataset.filters) {
    if (filterName(id) === undefined) {
      throw unsupported(array, `its filter ${id} (${name || "unnamed"}) is unknown`);
    }
  }
}

function unsupported({ dataset: { file, path } }: Hdf5Array, why: string): TilewiseError {
  return new TilewiseError("unsupported", `Cannot read ${path} of ${file.name}: ${why}`, { file: file.name });
}
