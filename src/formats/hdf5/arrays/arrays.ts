/**
 * From a data set of HDF5 to the layout of its frames: contiguous, in chunks, or inside its header.
 *
 * @module
 */

import type { ChunkLayout } from "../../../dataset/layout/chunks.ts";
import { type FrameLayout, frameLayout, storedAs } from "../../../dataset/layout/layout.ts";
import { TilewiseError } from "../../../errors.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { formatBytes } from "../../../space/size.ts";
import { type SampleType, sampleType } from "../metadata/datatype.ts";
import type { Hdf5Dataset } from "../metadata/objects.ts";
import { readChunks } from "./chunk_index.ts";

/** Filters by their numbers in the registry of HDF5. */
const NAMES: Readonly<Record<number, string>> = {
  1: "deflate",
  2: "shuffle",
  3: "Fletcher32",
  6: "scale-offset",
  307: "bzip2",
  32000: "LZF",
  32001: "Blosc",
  32004: "LZ4",
  32008: "bitshuffle",
  32015: "Zstandard",
};

/** The name of the filter `id`; `undefined` for one that cannot be undone. */
export function filterName(id: number): string | undefined {
  return NAMES[id];
}

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

/** The data set as an array of numbers; `undefined` if its elements are texts, references and the like. */
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
  const images = sizeOf(navShape);
  const { file, layout, isExternal } = dataset;
  const framesFrom = (headerBytes: number) => {
    const files = [{ source: file.source.describe(), start: 0, end: images, headerBytes }];
    return frameLayout({ files, sigShape, dtype, byteOrder });
  };
  if (isExternal || layout.kind === "virtual") {
    throw unsupported(array, "its samples lie in other files, which a virtual data set does not follow");
  }
  if (layout.kind === "compact") {
    checkBytes(array, layout.bytes.length);
    return framesFrom(layout.at);
  }
  if (layout.kind === "contiguous" && layout.address !== undefined) {
    const at = file.base + layout.address;
    checkBytes(array, Math.min(layout.size ?? Infinity, file.source.size - at));
    return framesFrom(at);
  }
  return storedAs(framesFrom(0), { kind: "chunks", chunks: await chunksOf(array) });
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

/** Bytes of a chunk that is decoded: several of them are in memory at the same time. */
const MOST_CHUNK_BYTES = 512 * 2 ** 20;
/** Bytes and number of chunks of an array that was never written: larger ones where those would be too many. */
const BLANK_BYTES = 2 ** 20;
const MOST_BLANKS = 2 ** 20;

async function chunksOf(array: Hdf5Array): Promise<ChunkLayout> {
  const { dataset, shape, sample } = array;
  const { file, layout, space, filters, fill } = dataset;
  const itemSize = dtypeInfo(sample.dtype).itemSize;
  const common = {
    shape,
    itemSize,
    filters: filters.map(({ id, values }) => ({ name: filterName(id) ?? String(id), values })), // checked below
    ...(fill ? { fill: fillOf(fill, dataset.type.size, itemSize) } : {}),
  };
  if (layout.kind !== "chunked") { // never written: as if it had chunks, all of them missing
    const chunk = blankChunk(shape, space.shape.length, itemSize);
    checkChunk(array, chunk);
    const count = sizeOf(shape.map((size, d) => Math.ceil(size / chunk[d]!)));
    if (count > MOST_BLANKS) {
      throw unsupported(array, `${showShape(shape)} is too large for an array that was never written`);
    }
    const nothing = {
      addresses: new Float64Array(count).fill(-1),
      sizes: new Uint32Array(count),
      masks: new Uint32Array(count),
    };
    return { ...common, ...nothing, chunk, filters: [], plainEdges: false };
  }
  checkFilters(array);
  checkElement(array, layout.elementBytes);
  const chunk = [...layout.chunk, ...sample.inner];
  checkChunk(array, chunk);
  const isFiltered = filters.length > 0;
  const table = await readChunks({ file, layout, shape: space.shape, most: space.most, isFiltered });
  const { addresses, sizes, masks } = table;
  return { ...common, chunk, addresses, sizes, masks, plainEdges: layout.plainEdges };
}

/** A chunk of about {@link BLANK_BYTES} (or more, of huge arrays) with whole elements, which have the dimensions behind the first `rank`. */
function blankChunk(shape: Shape, rank: number, itemSize: number): number[] {
  const chunk = shape.map((size, d) => d < rank ? 1 : Math.max(1, size));
  let bytes = sizeOf(chunk) * itemSize;
  const all = shape.reduce((product, n) => product * n, itemSize);
  const wanted = Math.max(BLANK_BYTES, Math.ceil(4 * all / MOST_BLANKS)); // four: those at the edges count, too
  for (let d = rank - 1; d >= 0; d--) {
    chunk[d] = Math.max(1, Math.min(shape[d]!, Math.floor(wanted / bytes)));
    bytes *= chunk[d]!;
  }
  return chunk;
}

function checkChunk(array: Hdf5Array, chunk: Shape): void {
  const bytes = chunk.reduce((product, n) => product * n, dtypeInfo(array.sample.dtype).itemSize);
  if (bytes <= MOST_CHUNK_BYTES) return;
  const text = `its chunks of ${showShape(chunk)} have ${formatBytes(bytes)}; those of up to ` +
    `${formatBytes(MOST_CHUNK_BYTES)} are decoded`;
  throw unsupported(array, text);
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
