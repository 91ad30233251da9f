/**
 * Data sets whose samples lie in other files, as the list of them in the object header says.
 *
 * @module
 */

import { type ChunkLayout, framesAsChunks } from "../../../dataset/layout/chunks.ts";
import { type FileSpan, frameBytes } from "../../../dataset/layout/layout.ts";
import { TilewiseError } from "../../../errors.ts";
import type { ByteSource, JoinedPart, JoinedSpec, SourceSpec } from "../../../io/source/source.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import { fillOf, type Hdf5Array } from "./arrays.ts";
import type { Hdf5File } from "../metadata/file.ts";
import { heapText, readLocalHeap } from "../metadata/heaps.ts";
import { findMessage, MESSAGE } from "../metadata/object_header.ts";

/** A stretch of another file. */
interface ListedRange {
  readonly name: string;
  readonly offset: number;
  /** Bytes; `Infinity` where there is no limit. */
  readonly size: number;
}

/** Opens a file beside the HDF5 file `from`; `undefined` if it is missing. */
export type OpenBytes = (name: string, from: Hdf5File) => Promise<ByteSource | undefined>;

/** Where the images of an array are in other files. */
export interface ExternalFrames {
  /** The files. */
  readonly files: FileSpan[];
  /** If files are missing: each image as a chunk; incomplete images as chunks that were never written. */
  readonly chunks?: ChunkLayout;
  /** Names of files that are missing. */
  readonly missing: string[];
}

/** The images of `array`, whose last `sig` dimensions are frames. Errors: `truncated` where its files are too short. */
export async function externalFrames(
  array: Hdf5Array,
  sig: number,
  openBytes: OpenBytes,
): Promise<ExternalFrames> {
  const { shape, sample, dataset } = array;
  const bytes = frameBytes(shape.slice(shape.length - sig), sample.dtype);
  const images = sizeOf(shape.slice(0, shape.length - sig));
  const all = await partsOf(array, images * bytes, openBytes);
  const missing = all.filter(({ source }) => !source).map(({ name }) => name);
  const parts = all.filter((one): one is FileRange & JoinedPart => one.source !== undefined);
  if (missing.length > 0) {
    const source = parts.length > 0 ? joinedOf(array, parts) : dataset.file.source.describe();
    const files = [{ source, start: 0, end: images, headerBytes: 0 }];
    const { itemSize } = dtypeInfo(sample.dtype);
    const fill = dataset.fill && fillOf(dataset.fill, dataset.type.size, itemSize);
    const addresses = addressesOf(all, images, bytes);
    const chunks = framesAsChunks({ shape, sig, itemSize, addresses, ...(fill ? { fill } : {}) });
    return { files, chunks, missing };
  }
  if (parts.some(({ size }) => size % bytes !== 0)) {
    return { files: [{ source: joinedOf(array, parts), start: 0, end: images, headerBytes: 0 }], missing };
  }
  const ends = parts.map((_, p) => parts.slice(0, p + 1).reduce((sum, { size }) => sum + size / bytes, 0));
  const files = parts.map(({ source, offset }, p) => ({
    source,
    start: ends[p - 1] ?? 0,
    end: ends[p]!,
    headerBytes: offset,
  }));
  return { files, missing };
}

/** A stretch with bytes of the array; without a source where its file is missing. */
interface FileRange {
  readonly name: string;
  readonly source: SourceSpec | undefined;
  readonly offset: number;
  readonly size: number;
}

/** The stretches that `bytes` of samples take, in order. */
async function partsOf(array: Hdf5Array, bytes: number, openBytes: OpenBytes): Promise<FileRange[]> {
  const parts: FileRange[] = [];
  let left = bytes;
  for (const { name, offset, size } of await stretchesOf(array)) {
    if (left === 0) break;
    const taken = Math.min(left, size);
    const source = await openBytes(name, array.dataset.file);
    if (source && offset + taken > source.size) {
      throw tooShort(array, `${name} has ${source.size} bytes, ${offset + taken} are expected`);
    }
    if (taken > 0) parts.push({ name, source: source?.describe(), offset, size: taken });
    left -= taken;
  }
  if (left > 0) throw tooShort(array, `its samples have ${bytes} bytes, its files ${bytes - left}`);
  return parts;
}

function joinedOf({ dataset: { file } }: Hdf5Array, parts: readonly JoinedPart[]): JoinedSpec {
  const plain = parts.map(({ source, offset, size }) => ({ source, offset, size }));
  return { kind: "joined", name: file.name, parts: plain };
}

/** Where each image begins in the joined files; -1 where a part of it is missing. */
function addressesOf(parts: readonly FileRange[], images: number, bytes: number): Float64Array {
  const addresses = new Float64Array(images);
  let before = 0, gap = 0; // bytes of the array, and of them those that are missing
  for (const { source, size } of parts) {
    const [first, last] = [Math.floor(before / bytes), Math.ceil((before + size) / bytes)];
    for (let image = first; image < last; image++) {
      if (!source) addresses[image] = -1;
      else if (image * bytes >= before) addresses[image] = image * bytes - gap;
    }
    before += size;
    if (!source) gap += size;
  }
  return addresses;
}

async function stretchesOf({ dataset: { file, messages } }: Hdf5Array): Promise<ListedRange[]> {
  const body = (await findMessage(file, messages, MESSAGE.externalFiles))!;
  body.version("a list of external files", 1);
  body.skip(3 + 2);
  const used = body.u16();
  const heap = await readLocalHeap(file, file.knownAddress(body, "the names of external files"));
  return Array.from({ length: used }, () => ({
    name: heapText(heap, file.length(body)),
    offset: body.uint(file.lengthSize),
    size: body.optional(file.lengthSize) ?? Infinity,
  }));
}

function tooShort({ dataset: { file, path } }: Hdf5Array, why: string): TilewiseError {
  return new TilewiseError("truncated", `Cannot read ${path} of ${file.name}: ${why}`, { file: file.name });
}
