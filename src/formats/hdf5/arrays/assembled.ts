/**
 * Layouts of arrays wherever their samples are: in the file, in other data sets (virtual), in plain files (external), or
 * in the numbered files of a series.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { type ChunkLayout, framesAsChunks } from "../../../dataset/layout/chunks.ts";
import {
  type FileSpan,
  frameBytes,
  type FrameLayout,
  frameLayout,
  storedAs,
} from "../../../dataset/layout/layout.ts";
import { TilewiseError } from "../../../errors.ts";
import type { ByteSource, JoinedPart, JoinedSpec, SourceSpec } from "../../../io/source/source.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import { formatBytes } from "../../../space/size.ts";
import { isMissing, isOutside } from "../../common/beside.ts";
import type { FormatInput } from "../../common/format.ts";
import { isAbsolute } from "../../common/neighbours.ts";
import type { OpenOptions } from "../../common/options.ts";
import type { Hdf5File } from "../metadata/file.ts";
import { heapText, readLocalHeap } from "../metadata/heaps.ts";
import { findMessage, MESSAGE } from "../metadata/object_header.ts";
import type { OpenExternal } from "../metadata/objects.ts";
import { fillOf, type Hdf5Array, layoutOf } from "./arrays.ts";
import { openWhole } from "./family.ts";
import { libraryFilters, readByLibrary } from "./library.ts";
import { type SourceBox, stackOf } from "./stack.ts";
import { virtualParts } from "./virtual.ts";
import { type OpenSource, sourcesThrough } from "./virtual_extent.ts";

// Data sets whose samples lie in other files, as the list of them in the object header says.

/** A range of another file. */
interface ListedRange {
  readonly name: string;
  readonly offset: number;
  /** Bytes; `Infinity` where there is no limit. */
  readonly size: number;
}

/** Opens a file beside the HDF5 file `from`; `undefined` if it is missing. */
type OpenBytes = (name: string, from: Hdf5File) => Promise<ByteSource | undefined>;

/** Where the images of an array are in other files. */
interface ExternalFrames {
  /** The files. */
  readonly files: FileSpan[];
  /** If files are missing: each image as a chunk; incomplete images as chunks that were never written. */
  readonly chunks?: ChunkLayout;
  /** Names of files that are missing. */
  readonly missing: string[];
}

/** The images of `array`, whose last `sig` dimensions are frames. Errors: `truncated` where its files are too short. */
async function externalFrames(
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
    const chunks = framesAsChunks({ shape, sig, itemSize, addresses, ...defined({ fill }) });
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

/** A range with bytes of the array; without a source where its file is missing. */
interface FileRange {
  readonly name: string;
  readonly source: SourceSpec | undefined;
  readonly offset: number;
  readonly size: number;
}

/** The ranges that `bytes` of samples take, in order. */
async function partsOf(array: Hdf5Array, bytes: number, openBytes: OpenBytes): Promise<FileRange[]> {
  const parts: FileRange[] = [];
  let left = bytes;
  for (const { name, offset, size } of await rangesOf(array)) {
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

async function rangesOf({ dataset: { file, messages } }: Hdf5Array): Promise<ListedRange[]> {
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

/** Ways to other files. */
export interface Beside {
  /** Opens an HDF5 file; `undefined` if it is missing. */
  readonly openExternal: OpenExternal;
  /** Opens a source of virtual data sets. */
  readonly openSource: OpenSource;
  /** Opens any file. */
  readonly openBytes: OpenBytes;
  /** Whether samples of missing files read as the fill value. */
  readonly allowMissing: boolean;
  /** Ends it early. */
  readonly signal: AbortSignal | undefined;
}

/** Ways to the files beside `input`; each HDF5 file is opened once. */
export function besideOf(input: FormatInput, { allowMissing = false, signal }: OpenOptions): Beside {
  const files = new Map<string, Promise<Hdf5File | undefined>>();
  const folders = new WeakMap<Hdf5File, string>(); // those below the folder of `input`
  const placed = (name: string, from: Hdf5File) => isAbsolute(name) ? name : (folders.get(from) ?? "") + name;
  const open = async (name: string) => {
    try {
      return await openNamed(input, name);
    } catch (error) {
      if (isMissing(error) || (allowMissing && isOutside(error))) return undefined;
      throw error;
    }
  };
  const openFile = async (name: string) => {
    const source = await open(name);
    const file = source && await openWhole(source, input, signal);
    if (file) folders.set(file, name.replace(/[^/\\]*$/, ""));
    return file;
  };
  const openExternal: OpenExternal = (name, from) => {
    const place = placed(name, from);
    let file = files.get(place);
    if (!file) files.set(place, file = openFile(place));
    return file;
  };
  const openBytes: OpenBytes = (name, from) => open(placed(name, from));
  return { openExternal, openSource: sourcesThrough(openExternal), openBytes, allowMissing, signal };
}

/**
 * The file of that name. Absolute paths are often those of another machine: then the file of that name beside is meant;
 * so is one that was given in a list.
 */
async function openNamed(input: FormatInput, name: string): Promise<ByteSource> {
  try {
    return await input.openBeside(name);
  } catch (error) {
    const last = name.replace(/^.*[/\\]/, "");
    const mayMove = (isMissing(error) || isOutside(error)) && (isAbsolute(name) || input.given.length > 1);
    if (!mayMove || !(await input.siblings()).includes(last)) throw error;
    return await input.openSibling(last);
  }
}

/** The error for an array whose samples are in files that are missing. */
function missingError(name: string, file: string, what: readonly string[]): TilewiseError {
  const text = `Cannot read ${name}: it shows ${some(what)}, which cannot be found; ` +
    "with the option allowMissing samples from there read as the fill value";
  return new TilewiseError("not-found", text, { file, missing: what.slice(0, MOST_NAMES) });
}

/** The warning for such an array, where that is allowed. */
function missingWarning(name: string, what: readonly string[]): string {
  return `${name} shows ${some(what)}, which cannot be found: samples from there read as the fill value`;
}

/** Missing files that are named. */
const MOST_NAMES = 5;

function some(what: readonly string[]): string {
  const names = [...new Set(what)];
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return names.slice(0, MOST_NAMES).join(", ") + more;
}

/** A layout, and what the user should know of it. */
interface Assembled {
  /** Where the samples are. */
  readonly layout: FrameLayout;
  /** Sources that are missing. */
  readonly warnings: readonly string[];
}

/** The layout of the array's frames: its last `sig` dimensions. */
export async function assemble(array: Hdf5Array, sig: number, beside: Beside): Promise<Assembled> {
  const { dataset, parts, shape, sample } = array;
  const name = `${dataset.path} of ${dataset.file.name}`;
  if (parts) {
    const layout = await stackOf({ name, shape, sample }, seriesParts(parts, sig), sig);
    return { layout, warnings: [] };
  }
  if (dataset.layout.kind === "virtual") return await virtual(array, name, sig, beside);
  return dataset.isExternal
    ? await external(array, name, sig, beside)
    : await own(array, name, sig, beside.signal);
}

/** In the file itself; read by the HDF5 library where it is the only one that knows how. */
async function own(array: Hdf5Array, name: string, sig: number, signal?: AbortSignal): Promise<Assembled> {
  const filters = libraryFilters(array);
  if (filters === undefined) return { layout: await layoutOf(array, sig), warnings: [] };
  const layout = await readByLibrary(array, sig, signal);
  const bytes = layout.files[0]!.end * layout.storedBytes;
  const text = `${name} was read into memory by the library h5wasm, all ${formatBytes(bytes)}: ` +
    `its filter ${filters} is not known here`;
  return { layout, warnings: [text] };
}

async function virtual(array: Hdf5Array, name: string, sig: number, beside: Beside): Promise<Assembled> {
  const { shape, sample, dataset: { fill, file } } = array;
  const { parts, missing } = await virtualParts(array, sig, beside.openSource);
  if (missing.length > 0 && !beside.allowMissing) throw missingError(name, file.name, missing);
  const layout = await stackOf({ name, shape, sample, ...defined({ fill }) }, parts, sig);
  return { layout, warnings: missing.length > 0 ? [missingWarning(name, missing)] : [] };
}

async function external(array: Hdf5Array, name: string, sig: number, beside: Beside): Promise<Assembled> {
  const { shape, sample: { dtype, byteOrder }, dataset } = array;
  const { files, chunks, missing } = await externalFrames(array, sig, beside.openBytes);
  if (missing.length > 0 && !beside.allowMissing) throw missingError(name, dataset.file.name, missing);
  const sigShape = shape.slice(shape.length - sig);
  const frames = frameLayout({ files, sigShape, dtype, byteOrder });
  const layout = chunks ? storedAs(frames, { kind: "chunks", chunks }) : frames;
  return { layout, warnings: missing.length > 0 ? [missingWarning(name, missing)] : [] };
}

/** The arrays of a series one after another. */
function seriesParts(arrays: readonly Hdf5Array[], sig: number): SourceBox[] {
  const parts: SourceBox[] = [];
  let first = 0;
  for (const source of arrays) {
    const nav = source.shape.length - sig;
    const count = sizeOf(source.shape.slice(0, nav));
    const zeros = new Array(sig).fill(0);
    parts.push({
      source,
      images: Int32Array.from({ length: count }, (_, i) => first + i),
      sourceImages: Int32Array.from({ length: count }, (_, i) => i),
      at: zeros,
      from: zeros,
      shape: source.shape.slice(nav),
    });
    first += count;
  }
  return parts;
}
