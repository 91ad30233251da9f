/**
 * What planners know of a kind of storage; everybody who plans, shows or places frames asks this.
 *
 * @module
 */

import type { SourceSpec } from "../../../io/source/source.ts";
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
}

/** The images that a run reads. */
export interface ReadImages {
  /** How many. */
  readonly count: number;
  /** Which, ascending; made when it is asked for. */
  readonly list: () => ArrayLike<number>;
}

/** What tiles of functions that take any part of a frame should be like. */
export interface AnyTiles {
  /** Frames of the largest partition. */
  readonly partitionFrames: number;
  /** Bytes of stored samples that a tile should have. */
  readonly bytes: number;
  /** Whether a tile may have all frames of a partition; a merge tree wants few at a time. */
  readonly deep: boolean;
}

/** How a scan should be cut into partitions for the sake of its files; see `PartitionInput`. */
export interface Bands {
  /** Frames between which no border should lie. */
  readonly band?: number;
  /** Fewest partitions that are left for that. */
  readonly least?: number;
}

/** How frames are stored, for those who look at a data set. */
export interface StorageFacts {
  /** `F`: the scan is stored fastest. */
  readonly order: "C" | "F";
  /** What the samples are, in words. */
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
  /** Whether each file has all of its images, so that others need not be looked at. */
  readonly inOrder: boolean;
  /** Bytes from one frame to the next; as if all samples were there where some are left out. */
  pitch(layout: FrameLayout<S>): number;
  /** Bytes of a frame by which a scan is cut into partitions. */
  partitionPitch(layout: FrameLayout<S>): number;
  /** How a scan of `frames` positions should be cut; `deep`: whether tiles may have all frames of a partition. */
  bands(layout: FrameLayout<S>, frames: number, deep: boolean): Bands;
  /** Stored bytes of `images`. */
  storedBytes(layout: FrameLayout<S>, images: ReadImages): number;
  /** Most entries of any `frames` of `images` that follow each other; 0 where all samples are stored. */
  entries(layout: FrameLayout<S>, frames: number, images: ReadImages): number;
  /** Bytes of a slab that a reader of rows of entries takes; 0 where there are none. */
  rowBytes(layout: FrameLayout<S>, frames: number, entries: number): number;
  /** Tiles for functions that take any part of a frame; nothing where the usual ones are as good. */
  tiles(layout: FrameLayout<S>, wish: AnyTiles): TilingScheme | undefined;
  /** Unit of tiles in signal dimensions; nothing: rows. */
  baseShape(layout: FrameLayout<S>): Shape | undefined;
  /** Whether parts of several frames are as good as one stretch of one. */
  stacks(layout: FrameLayout<S>): boolean;
  /** Whether a block of whole frames is as good as its parts one by one. */
  readonly readsWhole: boolean;
  /** Why all of each frame must be read, in words; nothing: rows that nobody needs may stay unread. */
  whole(layout: FrameLayout<S>): string | undefined;
  /** Whether samples follow each other from the first to the last of a file. */
  isPlain(layout: FrameLayout<S>): boolean;
  /** The storage with other files in place of those that it names itself, beside the files of the layout. */
  mapSources(storage: S, change: (source: SourceSpec) => SourceSpec): S;
  /** How it is shown. */
  facts(layout: FrameLayout<S>): StorageFacts;
}

/** What holds for most kinds: all samples are stored, and read in parts. */
export const USUAL: Omit<StorageKind, "buffers" | "whole" | "facts" | "mapSources"> & {
  mapSources<S extends Storage>(storage: S): S;
} = {
  loadedOrder: ({ byteOrder }) => byteOrder,
  form: "dense",
  inOrder: true,
  pitch: framePitch,
  partitionPitch: framePitch,
  bands: () => ({}),
  storedBytes: ({ storedBytes }, { count }) => count * storedBytes,
  entries: () => 0,
  rowBytes: () => 0,
  tiles: () => undefined,
  baseShape: () => undefined,
  stacks: () => false,
  readsWhole: true,
  isPlain: () => false,
  mapSources: (storage) => storage,
};
