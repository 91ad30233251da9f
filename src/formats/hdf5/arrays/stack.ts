/**
 * Stacks arrays of several files into one: those of a virtual data set, and the files of a Dectris series.
 *
 * @module
 */

import { type ChunkLayout, framesAsChunks } from "../../../dataset/layout/chunks.ts";
import { type FrameLayout, frameLayout, isStoredAs, storedAs } from "../../../dataset/layout/layout.ts";
import type { Piece } from "../../../dataset/layout/storage.ts";
import { TilewiseError } from "../../../errors.ts";
import { type Hdf5Array, layoutOf } from "./arrays.ts";
import { type SourceBox, StackGroups } from "./stack_groups.ts";
import { type ByteOrder, dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";

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
  const { files, pieces } = groups;
  const own = files.length > 0 ? files : [{ source: EMPTY, start: 0, end: count, headerBytes: 0 }];
  const base = frameLayout({ files: own, sigShape, dtype: whole.sample.dtype, byteOrder });
  const only = pieces.length === 1 && isWhole(pieces[0]!, whole, nav) ? pieces[0]!.chunks : undefined;
  if (only) {
    const chunks = { ...only, shape: whole.shape, chunk: chunkOf(only, nav, sig) };
    return storedAs(base, { kind: "chunks", chunks });
  }
  const covered = pieces.reduce(
    (sum, { images, shape }) => sum + sizeOf(shape) * images.filter((image) => image >= 0).length,
    0,
  );
  const complete = covered === count * sizeOf(sigShape) && !groups.overlap;
  const fill = fillIn(whole, byteOrder);
  return storedAs(base, { kind: "pieces", parts: pieces, complete, ...(fill ? { fill } : {}) });
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
