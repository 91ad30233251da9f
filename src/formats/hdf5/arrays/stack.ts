/**
 * Stacks arrays of several files into one: those of a virtual data set, and the files of a Dectris series.
 *
 * Arrays that are stored alike become one piece: their chunks are numbered one array after another.
 *
 * @module
 */

import { type ChunkLayout, framesAsChunks } from "../../../dataset/layout/chunks.ts";
import {
  type FileSpan,
  type FrameLayout,
  frameLayout,
  isStoredAs,
  storedAs,
} from "../../../dataset/layout/layout.ts";
import type { Piece } from "../../../dataset/layout/storage.ts";
import { TilewiseError } from "../../../errors.ts";
import { type ByteOrder, dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { type Hdf5Array, layoutOf } from "./arrays.ts";

/** Some images of an array, or a box of each, and where they go. */
export interface Part {
  /** The array. */
  readonly source: Hdf5Array;
  /** Images of the whole. */
  readonly images: Int32Array;
  /** As many images of the array. */
  readonly sourceImages: Int32Array;
  /** First sample of the box in the frames of the whole. */
  readonly at: Shape;
  /** First sample of the box in the frames of the array. */
  readonly from: Shape;
  /** Shape of the box. */
  readonly shape: Shape;
}

/** The whole that parts are put into. */
export interface Whole {
  /** What it is, for messages. */
  readonly name: string;
  /** Shape, navigation before signal dimensions. */
  readonly shape: Shape;
  /** Type of its samples; its parts must have the same, but for the byte order. */
  readonly sample: Hdf5Array["sample"];
  /** Bytes of a sample that no part has. */
  readonly fill?: Uint8Array;
}

/** Images of a whole, times the ways in which its parts are stored: as many places of images are kept in memory. */
const MOST_PLACES = 2 ** 22;

/** Arrays that are stored alike, being stacked. */
interface Group {
  readonly at: Shape;
  readonly from: Shape;
  readonly shape: Shape;
  readonly images: Int32Array;
  readonly like: ChunkLayout;
  readonly cells: { addresses: number[]; sizes: number[]; masks: number[]; files: number[] };
  /** Images of the stack so far. */
  depth: number;
  /** First image in the stack of each array. */
  readonly first: Map<Hdf5Array, number>;
}

/** The layout of frames that are put together; the last `sig` dimensions are frames. */
export async function stackOf(whole: Whole, parts: readonly Part[], sig: number): Promise<FrameLayout> {
  const nav = whole.shape.length - sig;
  const count = sizeOf(whole.shape.slice(0, nav));
  const byteOrder = parts[0]?.source.sample.byteOrder ?? whole.sample.byteOrder;
  const files = new Map<string, FileSpan>();
  const groups = new Map<string, Group>();
  const all: Group[] = [];
  for (const part of parts) {
    checkType(whole, part.source, byteOrder);
    const chunks = await asChunks(part.source, sig);
    const key = keyOf(part, chunks, sig);
    let group = groups.get(key);
    if (group && isCovered(group, part, all)) group = undefined; // it comes after what covers the others
    if (!group) {
      checkPlaces(whole, count * (all.length + 1));
      groups.set(key, group = newGroup(part, chunks, count));
      all.push(group);
    }
    const first = group.first.get(part.source) ?? append(group, part.source, chunks, files);
    part.images.forEach((image, i) => {
      if (group.images[image] !== undefined) group.images[image] = first + part.sourceImages[i]!;
    });
  }
  const sigShape = whole.shape.slice(nav);
  const { dtype } = whole.sample;
  const spans = [...files.values()].map((span) => ({ ...span, end: count }));
  const own = spans.length > 0 ? spans : [{ source: EMPTY, start: 0, end: count, headerBytes: 0 }];
  const base = frameLayout({ files: own, sigShape, dtype, byteOrder });
  const pieces = all.map(pieceOf);
  const only = pieces.length === 1 && isWhole(pieces[0]!, whole, nav) ? pieces[0]!.chunks : undefined;
  if (only) {
    const chunks = { ...only, shape: whole.shape, chunk: chunkOf(only, nav, sig) };
    return storedAs(base, { kind: "chunks", chunks });
  }
  const covered = pieces.reduce(
    (sum, { images, shape }) => sum + sizeOf(shape) * images.filter((image) => image >= 0).length,
    0,
  );
  const complete = covered === count * sizeOf(sigShape) &&
    all.every((group, g) => !all.slice(0, g).some((other) => overlap(group, other)));
  const fill = fillIn(whole, byteOrder);
  return storedAs(base, { kind: "pieces", parts: pieces, complete, ...(fill ? { fill } : {}) });
}

function checkPlaces({ name }: Whole, places: number): void {
  if (places <= MOST_PLACES) return;
  const text =
    `Cannot read ${name}: to put it together takes the places of ${places} images; ${MOST_PLACES} are possible`;
  throw new TilewiseError("unsupported", text, { file: name, expected: MOST_PLACES, found: places });
}

/** The fill value in the byte order of the parts. */
function fillIn({ fill, sample }: Whole, byteOrder: ByteOrder): Uint8Array | undefined {
  if (!fill || byteOrder === sample.byteOrder) return fill;
  const unit = dtypeInfo(sample.dtype).unitSize;
  return fill.map((_, i) => fill[i - i % unit + unit - 1 - i % unit]!);
}

/** Whether images of `part` lie where a group behind its own has some: then it must not go below that. */
function isCovered(own: Group, part: Part, all: readonly Group[]): boolean {
  return all.slice(all.indexOf(own) + 1).some((other) =>
    boxesMeet(other, part) && part.images.some((image) => other.images[image]! >= 0)
  );
}

/** Whether some sample belongs to both. */
function overlap(a: Group, b: Group): boolean {
  return boxesMeet(a, b) && a.images.some((image, i) => image >= 0 && b.images[i]! >= 0);
}

function boxesMeet(a: Pick<Part, "at" | "shape">, b: Pick<Part, "at" | "shape">): boolean {
  return a.at.every((first, d) => first < b.at[d]! + b.shape[d]! && b.at[d]! < first + a.shape[d]!);
}

/** What stands for the files of a whole without parts; nothing is read from it. */
const EMPTY = { kind: "bytes", name: "nothing", bytes: new Uint8Array(0) } as const;

function checkType({ name, sample }: Whole, { sample: own, dataset }: Hdf5Array, byteOrder: ByteOrder): void {
  const isSame = own.dtype === sample.dtype && own.inner.length === sample.inner.length;
  if (isSame && own.byteOrder === byteOrder) return;
  const text =
    `Cannot read ${name}: it has ${byteOrder}-endian ${sample.dtype}, its part ${dataset.path} of ` +
    `${dataset.file.name} has ${own.byteOrder}-endian ${own.dtype}`;
  throw new TilewiseError("unsupported", text, { file: dataset.file.name });
}

/** The array in chunks with one navigation dimension; stretches of the file become chunks of one frame. */
async function asChunks(stored: Hdf5Array, sig: number): Promise<ChunkLayout> {
  const array = flattened(stored, sig);
  const { shape, sample } = array;
  const layout = await layoutOf(array, sig);
  const nav = shape.length - sig;
  const images = sizeOf(shape.slice(0, nav));
  const stacked = [images, ...shape.slice(nav)];
  if (!isStoredAs(layout, "chunks")) {
    const { headerBytes } = layout.files[0]!;
    const addresses = Float64Array.from({ length: images }, (_, i) => headerBytes + i * layout.storedBytes);
    return framesAsChunks({ shape: stacked, sig, itemSize: dtypeInfo(sample.dtype).itemSize, addresses });
  }
  const { chunks } = layout.storage;
  const depth = chunks.chunk.slice(0, nav);
  if (nav > 1 && depth.some((n) => n > 1)) {
    const text =
      `Cannot put ${array.dataset.path} of ${array.dataset.file.name} into a stack: its chunks of ` +
      `${showShape(chunks.chunk)} have frames of several rows; chunks along one dimension would do`;
    throw new TilewiseError("unsupported", text, { file: array.dataset.file.name });
  }
  return { ...chunks, shape: stacked, chunk: [depth[0] ?? 1, ...chunks.chunk.slice(nav)] };
}

/** An array that was never written, with one navigation dimension: it may have any chunks. Others as they are. */
function flattened(array: Hdf5Array, sig: number): Hdf5Array {
  const { dataset, shape, sample } = array;
  const nav = shape.length - sig;
  const isBlank = dataset.layout.kind === "contiguous" && dataset.layout.address === undefined;
  if (!isBlank || dataset.isExternal || nav < 2 || nav > dataset.space.shape.length) return array;
  const flat = [sizeOf(shape.slice(0, nav)), ...shape.slice(nav)];
  const space = { ...dataset.space, shape: flat.slice(0, flat.length - sample.inner.length) };
  return { ...array, shape: flat, dataset: { ...dataset, space } };
}

function keyOf(
  { at, from, shape, source }: Part,
  { chunk, filters, plainEdges, fill }: ChunkLayout,
  sig: number,
) {
  const own = source.shape.slice(source.shape.length - sig);
  const { byteOrder } = source.sample;
  return JSON.stringify([at, from, shape, own, chunk, filters, plainEdges, [...fill ?? []], byteOrder]);
}

function newGroup({ at, from, shape }: Part, like: ChunkLayout, count: number): Group {
  const cells = { addresses: [], sizes: [], masks: [], files: [] };
  return { at, from, shape, like, cells, images: new Int32Array(count).fill(-1), depth: 0, first: new Map() };
}

/** Adds the chunks of an array to the stack; the number of its first image there. */
function append(group: Group, source: Hdf5Array, chunks: ChunkLayout, files: Map<string, FileSpan>): number {
  const { file } = source.dataset;
  const name = file.name;
  if (!files.has(name)) {
    files.set(name, { source: file.source.describe(), start: 0, end: 0, headerBytes: 0 });
  }
  const number = [...files.keys()].indexOf(name);
  const { cells, like } = group;
  for (let c = 0; c < chunks.addresses.length; c++) {
    cells.addresses.push(chunks.addresses[c]!);
    cells.sizes.push(chunks.sizes[c]!);
    cells.masks.push(chunks.masks[c]!);
    cells.files.push(number);
  }
  const first = group.depth;
  group.depth += Math.ceil(chunks.shape[0]! / like.chunk[0]!) * like.chunk[0]!;
  group.first.set(source, first);
  return first;
}

function pieceOf({ at, from, shape, images, like, cells, depth }: Group): Piece {
  const chunks: ChunkLayout = {
    ...like,
    shape: [depth, ...like.shape.slice(1)],
    addresses: Float64Array.from(cells.addresses),
    sizes: Uint32Array.from(cells.sizes),
    masks: Uint32Array.from(cells.masks),
    files: Uint32Array.from(cells.files),
  };
  return { at, from, shape, images, chunks };
}

/** Whether the stack is the whole, image by image. */
function isWhole({ at, from, chunks, images }: Piece, whole: Whole, nav: number): boolean {
  const frame = whole.shape.slice(nav);
  const same = at.every((n) => n === 0) && from.every((n) => n === 0) &&
    chunks.shape.slice(1).every((n, d) => n === frame[d]);
  const fits = nav === 1 || chunks.chunk[0] === 1;
  return same && fits && !chunks.plainEdges && chunks.shape[0] === images.length &&
    images.every((image, i) => image === i);
}

function chunkOf({ chunk }: ChunkLayout, nav: number, sig: number): Shape {
  const depth = Array.from({ length: nav }, (_, d) => d === nav - 1 ? chunk[0]! : 1);
  return [...depth, ...chunk.slice(chunk.length - sig)];
}
