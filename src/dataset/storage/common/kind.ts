/**
 * The facts about a storage kind, for all code that plans, shows or places frames.
 *
 * @module
 */

import type { SourceSpec } from "../../../io/source/source.ts";
import type { KernelFamily } from "../../../kernels/families/families.ts";
import type { Box } from "../../../space/box.ts";
import type { ByteOrder } from "../../../space/dtype.ts";
import type { Shape } from "../../../space/shape.ts";
import { type FrameLayout, framePitch } from "../../layout/layout.ts";
import type { CodecSpec, Storage } from "../../layout/storage.ts";
import type { TilingScheme } from "../../tiling/tiling_scheme.ts";

/** The largest block that a reader is made for. */
export interface BlockSize {
  /** Most frames. */
  readonly frames: number;
  /** The largest part of a frame. */
  readonly box: Box;
  /** Sparse data: most entries. Default: of any so many frames. */
  readonly entries?: number;
  /**
   * Whether parts follow each other, each in one chunk or from the start of one, and a chunk is needed again for the next part at
   * most. Default false.
   */
  readonly inOrder?: boolean;
  /** Whether no decoded chunk is kept, although blocks that follow need it again: where memory is short. Default false. */
  readonly lean?: boolean;
}

/** The images that a run reads. */
export interface ReadImages {
  /** How many. */
  readonly count: number;
  /** Their numbers, ascending; the list is made on request. */
  readonly list: () => ArrayLike<number>;
}

/** Wishes for tiles of functions that accept any part of a frame. */
interface AnyTiles {
  /** Frames of the largest partition. */
  readonly partitionFrames: number;
  /** Bytes of stored samples that a tile should have. */
  readonly bytes: number;
  /** Whether a tile may have all frames of a partition; a merge tree wants few at a time. */
  readonly deep: boolean;
}

/** How a scan should be cut into partitions for efficient reads; see `PartitionInput`. */
export interface Bands {
  /** Frames between which no border should lie. */
  readonly band?: number;
  /** Fewest partitions for that. */
  readonly least?: number;
  /** Bands of a partition from which one may be cut. */
  readonly enough?: number;
}

/** What decides how a scan is cut into partitions. */
interface BandWish {
  /** Whether tiles may have all frames of a partition: no result is a merge tree over frames. */
  readonly deep: boolean;
  /** Whether tiles may be any boxes. */
  readonly boxes: boolean;
}

/** What decides how often a part of a file is decoded. */
export interface DecodeSize extends BlockSize {
  /** Frames of the largest partition. */
  readonly partitionFrames: number;
}

/** How often parts of a file are decoded. */
export interface Decodes {
  /** Times, about. */
  readonly times: number;
  /** The line about it in the description of a plan. */
  readonly line: string;
  /** What the user should know, where it is often. */
  readonly warnings: readonly string[];
}

/** How frames are stored, for displays of a data set. */
interface StorageFacts {
  /** `F`: the scan is stored fastest. */
  readonly order: "C" | "F";
  /** A description of the samples. */
  readonly words: readonly string[];
  /** How frames are decoded, if they are. */
  readonly codec?: CodecSpec;
  /** Whether bytes per frame are an average. */
  readonly isAverage?: boolean;
}

/** A kind of storage: reader, bytes, order, costs, and what may stay unread. */
export interface StorageKind<S extends Storage = Storage> {
  /** Bytes of the buffers that a reader takes. */
  buffers(layout: FrameLayout<S>, block: BlockSize): readonly number[];
  /** Byte order of samples that were read. */
  loadedOrder(layout: FrameLayout<S>): ByteOrder;
  /** The form in which its tiles can be read without a conversion. */
  readonly form: "dense" | "csr";
  /** Whether each file holds its images completely, so that other files need not be checked. */
  readonly inOrder: boolean;
  /** Bytes from one frame to the next; where samples are left out, as if all of them were stored. */
  pitch(layout: FrameLayout<S>): number;
  /** Bytes of a frame by which a scan is cut into partitions. */
  partitionPitch(layout: FrameLayout<S>): number;
  /** How a scan of `frames` positions should be cut into partitions. */
  bands(layout: FrameLayout<S>, frames: number, wish: BandWish): Bands;
  /** Whether samples of so many frames lie together that tiles should have many frames, and little of each. */
  isDeep(layout: FrameLayout<S>): boolean;
  /** How often a chunk is decoded; `undefined` where none has samples of several frames. */
  decodes(layout: FrameLayout<S>, how: DecodeSize): Decodes | undefined;
  /** Stored bytes of `images`. */
  storedBytes(layout: FrameLayout<S>, images: ReadImages): number;
  /** Most entries of any `frames` of `images` that follow each other; 0 where all samples are stored. */
  entries(layout: FrameLayout<S>, frames: number, images: ReadImages): number;
  /** Bytes of a slab that a reader of rows of entries takes; 0 where there are none. */
  rowBytes(layout: FrameLayout<S>, frames: number, entries: number): number;
  /** Tiles for functions that accept any part of a frame; `undefined` if the usual tiles are as good. */
  tiles(layout: FrameLayout<S>, wish: AnyTiles): TilingScheme | undefined;
  /** Unit of tiles in signal dimensions; `undefined`: rows. */
  baseShape(layout: FrameLayout<S>): Shape | undefined;
  /** Whether parts of several frames cost no more than one range of one frame. */
  stacks(layout: FrameLayout<S>): boolean;
  /** Whether a block of whole frames costs no more than its parts one by one. */
  readonly readsWhole: boolean;
  /** Why all of each frame must be read, in words; `undefined`: rows that are not needed may stay unread. */
  whole(layout: FrameLayout<S>): string | undefined;
  /** Whether samples follow each other from the first to the last of a file. */
  isPlain(layout: FrameLayout<S>): boolean;
  /** The storage with its own files replaced (those that it names beside the files of the layout). */
  mapSources(storage: S, change: (source: SourceSpec) => SourceSpec): S;
  /** The families of kernels that its reader calls. */
  kernels(layout: FrameLayout<S>): readonly KernelFamily[];
  /** How it is shown. */
  facts(layout: FrameLayout<S>): StorageFacts;
}

/** Defaults for most kinds: all samples are stored, and read in parts. */
export const USUAL: Omit<StorageKind, "buffers" | "whole" | "facts" | "mapSources"> & {
  mapSources<S extends Storage>(storage: S): S;
} = {
  loadedOrder: ({ byteOrder }) => byteOrder,
  form: "dense",
  inOrder: true,
  pitch: framePitch,
  partitionPitch: framePitch,
  bands: () => ({}),
  isDeep: () => false,
  decodes: () => undefined,
  storedBytes: ({ storedBytes }, { count }) => count * storedBytes,
  entries: () => 0,
  rowBytes: () => 0,
  tiles: () => undefined,
  baseShape: () => undefined,
  stacks: () => false,
  readsWhole: true,
  isPlain: () => false,
  mapSources: (storage) => storage,
  kernels: () => [],
};
