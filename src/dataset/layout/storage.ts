/**
 * The storage kinds of frames, as plain data: a format gives the kind and what a reader needs to know.
 *
 * The code for a kind (its reader, its bytes, its tiles) is in `storage/<kind>/`; see `storage/kinds.ts`.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import type { ByteOrder, DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { ChunkLayout } from "./chunks.ts";

/**
 * How stored frames become samples, when they are not plain samples in C order.
 * @category Data sets
 */
export interface CodecSpec {
  /** Name in the codec registry. */
  readonly id: string;
  /** What the codec needs to know; plain JSON. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
}

/**
 * One frame after another, row by row, each with a header and a footer, which may be empty.
 * @category Data sets
 */
export interface ContiguousStorage {
  /** Says which kind of storage this is. */
  readonly kind: "contiguous";
  /** How stored frames become samples; absent: they are samples already. */
  readonly codec?: CodecSpec;
}

/** Frame after frame, with `codec` if there is one. */
export function contiguous(codec?: CodecSpec): ContiguousStorage {
  return { kind: "contiguous", ...defined({ codec }) };
}

/**
 * The scan dimensions are stored fastest: the samples of one pixel lie together, those of one frame apart. The images are in
 * Fortran order of `navShape`. Their pixels are in Fortran order too, or, with `pixels`, row by row.
 * @category Data sets
 */
export interface ScanFirstStorage {
  /** Says which kind of storage this is. */
  readonly kind: "scan-first";
  /** Navigation shape in the file, of which the first dimension is the fastest. */
  readonly navShape: Shape;
  /** `C`: the last dimension of a frame is the fastest of its pixels. Default: the first one is. */
  readonly pixels?: "C";
}

/**
 * An array in chunks, each with filters of its own.
 * @category Data sets
 */
export interface ChunkStorage {
  /** Says which kind of storage this is. */
  readonly kind: "chunks";
  /** Where they lie. */
  readonly chunks: ChunkLayout;
}

/**
 * A part of the frames that lies in another array, or in several that are stacked.
 * @category Data sets
 */
export interface VirtualSource {
  /** Its first sample in a frame of the data set. */
  readonly at: Shape;
  /** Its first sample in a frame of the other array. */
  readonly from: Shape;
  /** Its size. */
  readonly shape: Shape;
  /** For each image of the data set: the image of the stack; −1 where the source has none. */
  readonly images: Int32Array;
  /** The image of the data set that `images` begins with; those before and behind it have none. Default: 0. */
  readonly first?: number;
  /** The stack: one navigation dimension, and frames of the other array. */
  readonly chunks: ChunkLayout;
}

/**
 * Frames put together from boxes of other arrays (virtual data sets).
 * @category Data sets
 */
export interface VirtualStorage {
  /** Says which kind of storage this is. */
  readonly kind: "virtual";
  /** The sources; later ones cover earlier ones. */
  readonly parts: readonly VirtualSource[];
  /** Whether every sample of every image belongs to a source. */
  readonly complete: boolean;
  /**
   * The first dimension of the only image counts as images of the sources, whose frames have one dimension less: rows of other
   * arrays, picked one by one.
   */
  readonly byRow?: true;
  /** Bytes of a sample that belongs to no source; absent: zeros. */
  readonly fill?: Uint8Array;
}

/**
 * Every file has one sector of all frames, in numbered blocks, as a Gatan K2 camera writes them.
 * @category Data sets
 */
export interface SectorStorage {
  /** Says which kind of storage this is. */
  readonly kind: "sectors";
  /** Number of the first block of image 0; it is the same in all files. */
  readonly firstBlock: number;
}

/**
 * Only samples that are not zero are stored, as a sparse matrix: a row is an image, a column a pixel of the flattened frame.
 * @category Data sets
 */
export interface SparseStorage {
  /** Says which kind of storage this is. */
  readonly kind: "sparse";
  /** Row pointers, checked: the entries of image `i` are number `rows[i]` to `rows[i + 1] − 1`. */
  readonly rows: Float64Array;
  /** The file of the columns of all entries. Their samples are the file of the layout itself. */
  readonly indices: SourceSpec;
  /** Type of the columns: an integer. */
  readonly indexDType: DType;
  /** Byte order of the columns. */
  readonly indexByteOrder: ByteOrder;
}

/**
 * How the frames of a data set are stored.
 * @category Data sets
 */
export type Storage =
  | ContiguousStorage
  | ScanFirstStorage
  | ChunkStorage
  | VirtualStorage
  | SectorStorage
  | SparseStorage;
