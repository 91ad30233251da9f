/**
 * Stacks arrays of several files into one: those of a virtual data set, and the files of a Dectris series.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { type ChunkLayout, framesAsChunks } from "../../../dataset/layout/chunks.ts";
import {
  type FileSpan,
  type FrameLayout,
  frameLayout,
  isStoredAs,
  storedAs,
} from "../../../dataset/layout/layout.ts";
import type { VirtualSource } from "../../../dataset/layout/storage.ts";
import { cannot, TilewiseError } from "../../../errors.ts";
import { type ByteOrder, dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { type Hdf5Array, layoutOf } from "./arrays.ts";

// Arrays of a stack that are stored alike: they become one part, whose chunks are numbered one array after another.

/** Some images of an array, or a box of each, and where they go. */
export interface SourceBox {
  /** The array. */
  readonly source: Hdf5Array;
  /** Images of the whole. */
  readonly images: Int32Array;
  /** This number of images of the array. */
  readonly sourceImages: Int32Array;
  /** First sample of the box in the frames of the whole. */
  readonly at: Shape;
  /** First sample of the box in the frames of the array. */
  readonly from: Shape;
  /** Shape of the box. */
  readonly shape: Shape;
}

/** Images of the whole times the ways in which its parts are stored: the number of places of images kept in memory. */
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

/** The groups that parts fall into. */
class StackGroups {
  readonly #all: Group[] = []; // later ones cover earlier ones
  readonly #byKey = new Map<string, Group>();
  readonly #files = new Map<string, FileSpan>();

  /** Groups of the whole called `name`, of `count` images, whose last `sig` dimensions are frames. */
  constructor(
    private readonly name: string,
    private readonly count: number,
    private readonly sig: number,
  ) {}

  /** Adds a part, whose array is stored as `chunks`. */
  add(part: SourceBox, chunks: ChunkLayout): void {
    const group = this.#groupOf(part, chunks);
    const first = group.first.get(part.source) ?? this.#append(group, part.source, chunks);
    part.images.forEach((image, i) => {
      if (group.images[image] !== undefined) group.images[image] = first + part.sourceImages[i]!;
    });
  }

  /** The files that chunks are in, by the numbers that parts have for them. */
  get files(): FileSpan[] {
    return [...this.#files.values()];
  }

  /** A part per group. */
  get parts(): VirtualSource[] {
    return this.#all.map(sourceOf);
  }

  /** Whether some sample belongs to two groups. */
  get overlap(): boolean {
    return this.#all.some((group, g) => this.#all.slice(0, g).some((other) => overlap(group, other)));
  }

  #groupOf(part: SourceBox, chunks: ChunkLayout): Group {
    const key = keyOf(part, chunks, this.sig);
    const found = this.#byKey.get(key);
    if (found && !this.#isCovered(found, part)) return found;
    this.#checkPlaces();
    const group = newGroup(part, chunks, this.count);
    this.#byKey.set(key, group);
    this.#all.push(group);
    return group;
  }

  /** Whether images of `part` lie where a group behind its own has some: then it must not go below that. */
  #isCovered(own: Group, part: SourceBox): boolean {
    return this.#all.slice(this.#all.indexOf(own) + 1).some((other) =>
      boxesMeet(other, part) && part.images.some((image) => other.images[image]! >= 0)
    );
  }

  #checkPlaces(): void {
    const { name } = this;
    const places = this.count * (this.#all.length + 1);
    if (places <= MOST_PLACES) return;
    const text = `to put it together takes the places of ${places} images; ${MOST_PLACES} are possible`;
    throw cannot("read", name, "unsupported", text, { expected: MOST_PLACES, found: places });
  }

  /** Adds the chunks of an array to the stack of a group; the number of its first image there. */
  #append(group: Group, source: Hdf5Array, chunks: ChunkLayout): number {
    const file = this.#fileNumber(source);
    const { cells, like } = group;
    for (let c = 0; c < chunks.addresses.length; c++) {
      cells.addresses.push(chunks.addresses[c]!);
      cells.sizes.push(chunks.sizes[c]!);
      cells.masks.push(chunks.masks[c]!);
      cells.files.push(file);
    }
    const first = group.depth;
    group.depth += Math.ceil(chunks.shape[0]! / like.chunk[0]!) * like.chunk[0]!;
    group.first.set(source, first);
    return first;
  }

  #fileNumber({ dataset: { file } }: Hdf5Array): number {
    if (!this.#files.has(file.name)) {
      const source = file.source.describe();
      this.#files.set(file.name, { source, start: 0, end: this.count, headerBytes: 0 });
    }
    return [...this.#files.keys()].indexOf(file.name);
  }
}

/** Whether some sample belongs to both. */
function overlap(a: Group, b: Group): boolean {
  return boxesMeet(a, b) && a.images.some((image, i) => image >= 0 && b.images[i]! >= 0);
}

function boxesMeet(a: Pick<SourceBox, "at" | "shape">, b: Pick<SourceBox, "at" | "shape">): boolean {
  return a.at.every((first, d) => first < b.at[d]! + b.shape[d]! && b.at[d]! < first + a.shape[d]!);
}

function keyOf(
  { at, from, shape, source }: SourceBox,
  { chunk, filters, plainEdges, fill }: ChunkLayout,
  sig: number,
) {
  const own = source.shape.slice(source.shape.length - sig);
  const { byteOrder } = source.sample;
  return JSON.stringify([at, from, shape, own, chunk, filters, plainEdges, [...fill ?? []], byteOrder]);
}

function newGroup({ at, from, shape }: SourceBox, like: ChunkLayout, count: number): Group {
  const cells = { addresses: [], sizes: [], masks: [], files: [] };
  return { at, from, shape, like, cells, images: new Int32Array(count).fill(-1), depth: 0, first: new Map() };
}

function sourceOf({ at, from, shape, images, like, cells, depth }: Group): VirtualSource {
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

/** The layout of frames that are put together; the last `sig` dimensions are frames. */
export async function stackOf(whole: Whole, parts: readonly SourceBox[], sig: number): Promise<FrameLayout> {
  const count = sizeOf(whole.shape.slice(0, whole.shape.length - sig));
  const byteOrder = parts[0]?.source.sample.byteOrder ?? whole.sample.byteOrder;
  const groups = new StackGroups(whole.name, count, sig);
  for (const part of parts) {
    checkType(whole, part.source, byteOrder);
    groups.add(part, await asChunks(part.source, sig));
  }
  return layoutOfGroups(whole, groups, sig, byteOrder);
}

function layoutOfGroups(whole: Whole, groups: StackGroups, sig: number, byteOrder: ByteOrder): FrameLayout {
  const nav = whole.shape.length - sig;
  const [count, sigShape] = [sizeOf(whole.shape.slice(0, nav)), whole.shape.slice(nav)];
  const { files, parts } = groups;
  const own = files.length > 0 ? files : [{ source: EMPTY, start: 0, end: count, headerBytes: 0 }];
  const base = frameLayout({ files: own, sigShape, dtype: whole.sample.dtype, byteOrder });
  const only = parts.length === 1 && isWhole(parts[0]!, whole, nav) ? parts[0]!.chunks : undefined;
  if (only) {
    const chunks = { ...only, shape: whole.shape, chunk: chunkOf(only, nav, sig) };
    return storedAs(base, { kind: "chunks", chunks });
  }
  const covered = parts.reduce(
    (sum, { images, shape }) => sum + sizeOf(shape) * images.filter((image) => image >= 0).length,
    0,
  );
  const complete = covered === count * sizeOf(sigShape) && !groups.overlap;
  const fill = fillIn(whole, byteOrder);
  return storedAs(base, { kind: "virtual", parts, complete, ...defined({ fill }) });
}

/** The fill value in the byte order of the parts. */
function fillIn({ fill, sample }: Whole, byteOrder: ByteOrder): Uint8Array | undefined {
  if (!fill || byteOrder === sample.byteOrder) return fill;
  const unit = dtypeInfo(sample.dtype).unitSize;
  return fill.map((_, i) => fill[i - i % unit + unit - 1 - i % unit]!);
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

/** Whether the stack is the whole, image by image. */
function isWhole({ at, from, chunks, images }: VirtualSource, whole: Whole, nav: number): boolean {
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

/** The array in chunks with one navigation dimension; ranges of the file become chunks of one frame. */
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
      `${showShape(chunks.chunk)} have frames of several rows; use chunks along one dimension`;
    throw new TilewiseError("unsupported", text, { file: array.dataset.file.name });
  }
  return { ...chunks, shape: stacked, chunk: [depth[0] ?? 1, ...chunks.chunk.slice(nav)] };
}

/** For an array that was never written, with one navigation dimension: any chunks will do. Other arrays stay as they are. */
function flattened(array: Hdf5Array, sig: number): Hdf5Array {
  const { dataset, shape, sample } = array;
  const nav = shape.length - sig;
  const isBlank = dataset.layout.kind === "contiguous" && dataset.layout.address === undefined;
  if (!isBlank || dataset.isExternal || nav < 2 || nav > dataset.space.shape.length) return array;
  const flat = [sizeOf(shape.slice(0, nav)), ...shape.slice(nav)];
  const space = { ...dataset.space, shape: flat.slice(0, flat.length - sample.inner.length) };
  return { ...array, shape: flat, dataset: { ...dataset, space } };
}
