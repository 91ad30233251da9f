/**
 * Where the frames of a data set lie, as plain data: a format fills it in, a reader on any thread follows it.
 *
 * @module
 */

import { ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";
import type { ChunkLayout } from "./chunks.ts";

/** One file of a data set: it holds the images `start` to `end − 1` of the stack. */
export interface FileSpan {
  /** How to open it. */
  readonly source: SourceSpec;
  /** Its first image, counted over all files. */
  readonly start: number;
  /** One past its last image. */
  readonly end: number;
  /** Bytes before its first frame header. */
  readonly headerBytes: number;
}

/** How stored frames become samples, when they are not plain samples in C order. */
export interface CodecSpec {
  /** Name in the codec registry. */
  readonly id: string;
  /** What the codec needs to know; plain JSON. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
}

/** Frames stored as a sparse matrix: a row is an image, a column a pixel of the flattened frame. */
export interface SparseLayout {
  /** Row pointers, checked: the entries of image `i` are number `rows[i]` to `rows[i + 1] − 1`. */
  readonly rows: Float64Array;
  /** The file of the columns of all entries. Their samples are the file of the layout itself. */
  readonly indices: SourceSpec;
  /** Type of the columns: an integer. */
  readonly indexDType: DType;
  /** Byte order of the columns. */
  readonly indexByteOrder: ByteOrder;
}

/** Every file has one sector of all frames, in numbered blocks, as a Gatan K2 camera writes them. */
export interface SectorLayout {
  /** Number of the first block of image 0; it is the same in all files. */
  readonly firstBlock: number;
}

/** The order of samples where those of one pixel lie together. */
export interface ScanFirst {
  /** Navigation shape in the file, of which the first dimension is the fastest. */
  readonly navShape: Shape;
  /** `C`: the last dimension of a frame is the fastest of its pixels. Default: the first one is. */
  readonly pixels?: "C";
}

/** A part of the frames that lies in another array, or in several that are stacked. */
export interface Piece {
  /** Its first sample in a frame of the data set. */
  readonly at: Shape;
  /** Its first sample in a frame of the other array. */
  readonly from: Shape;
  /** Its size. */
  readonly shape: Shape;
  /** For each image of the data set: that of the stack; −1 where the piece has none. */
  readonly images: Int32Array;
  /** The stack: one navigation dimension, and frames of the other array. */
  readonly chunks: ChunkLayout;
}

/** Frames put together from pieces. */
export interface PieceLayout {
  /** The pieces; later ones cover earlier ones. */
  readonly parts: readonly Piece[];
  /** Whether every sample of every image belongs to a piece. */
  readonly complete: boolean;
  /** Bytes of a sample that belongs to none; absent: zeros. */
  readonly fill?: Uint8Array;
}

/** Where the frames lie. Images are equal in size; each has a header and a footer, both maybe empty. */
export interface FrameLayout {
  /** The files in order; their images follow each other without gap or overlap. */
  readonly files: readonly FileSpan[];
  /** Shape of one frame after decoding. */
  readonly sigShape: Shape;
  /** Sample type after decoding. */
  readonly dtype: DType;
  /** Byte order of stored samples; what a codec gives is little endian. */
  readonly byteOrder: ByteOrder;
  /** Bytes before the samples of every frame. */
  readonly frameHeaderBytes: number;
  /** Bytes after the samples of every frame. */
  readonly frameFooterBytes: number;
  /** Bytes of the stored samples of one frame; of sparse ones: on average. */
  readonly storedBytes: number;
  /** How stored frames become samples; absent: they are samples already. */
  readonly codec?: CodecSpec;
  /**
   * `C`: frames follow each other. Otherwise the scan is stored fastest, so that the samples of one frame lie apart:
   * the images in Fortran order of `navShape`, their pixels in Fortran order too, or, with `pixels`, row by row.
   */
  readonly order: "C" | ScanFirst;
  /** Where the chunks lie, when the array is stored in chunks rather than frame after frame. */
  readonly chunks?: ChunkLayout;
  /** Files have sectors of all images, rather than one image after another; there is no codec then. */
  readonly sectors?: SectorLayout;
  /** Frames put together from pieces of other arrays. */
  readonly pieces?: PieceLayout;
  /** Only samples that are not zero are stored, row by row; there are no headers and no codec then. */
  readonly sparse?: SparseLayout;
}

/**
 * The layout of plain samples: frame after frame, with nothing in front of them or behind.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const source = { kind: "bytes", name: "scan", bytes: new Uint8Array(96) } as const;
 * const files = [{ source, start: 0, end: 2, headerBytes: 0 }];
 * const { storedBytes, frameFooterBytes } = plainFrames({ files, sigShape: [4, 6], dtype: "uint16" });
 * assertEquals([storedBytes, frameFooterBytes], [48, 0]);
 * ```
 */
export function plainFrames(
  { files, sigShape, dtype, byteOrder = "little" }:
    & Pick<FrameLayout, "files" | "sigShape" | "dtype">
    & Partial<Pick<FrameLayout, "byteOrder">>,
): FrameLayout {
  return {
    files,
    sigShape,
    dtype,
    byteOrder,
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: frameBytes(sigShape, dtype),
    order: "C",
  };
}

/** The files, blobs and the like that the frames lie in. */
export function sourcesOf({ files }: FrameLayout): SourceSpec[] {
  return files.flatMap(({ source }) => ownSpecs(source));
}

/** Bytes of the plain samples of one frame. */
export function frameBytes(sigShape: Shape, dtype: DType): number {
  return checkedProduct([...sigShape, dtypeInfo(dtype).itemSize], "a frame");
}

/** Bytes from one frame to the next; of sparse ones: as if they had all their samples. */
export function framePitch(layout: FrameLayout): number {
  if (layout.sparse) return frameBytes(layout.sigShape, layout.dtype);
  return layout.frameHeaderBytes + layout.storedBytes + layout.frameFooterBytes;
}

/**
 * Bytes of a frame by which a scan is cut into partitions. Frames in sectors count a quarter: results with a value for
 * each of their four million pixels are dear to merge, so that partitions should have many of them.
 */
export function partitionPitch(layout: FrameLayout): number {
  return layout.sectors ? framePitch(layout) / 4 : framePitch(layout);
}

/** Images in all files. */
export function imageCount(layout: FrameLayout): number {
  return layout.files.at(-1)?.end ?? 0;
}

/** A layout in chunks. */
export type ChunkedLayout = FrameLayout & { readonly chunks: ChunkLayout };

/** Whether the frames of `layout` lie in chunks. */
export function isChunked(layout: FrameLayout): layout is ChunkedLayout {
  return layout.chunks !== undefined;
}

/** A layout in sectors. */
export type SectoredLayout = FrameLayout & { readonly sectors: SectorLayout };

/** Whether every file of `layout` has one sector of all frames. */
export function isSectored(layout: FrameLayout): layout is SectoredLayout {
  return layout.sectors !== undefined;
}
