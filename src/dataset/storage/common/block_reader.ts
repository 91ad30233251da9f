/**
 * The interface of readers of one storage kind, and their options.
 *
 * @module
 */

import type { FrameDecoder } from "../../../codecs/codec.ts";
import { TilewiseError } from "../../../errors.ts";
import type { ByteSource } from "../../../io/source/source.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import type { Slab } from "../../../memory/slab.ts";
import type { Box } from "../../../space/box.ts";
import type { ByteOrder } from "../../../space/dtype.ts";
import type { FramePart } from "../../layout/frame_part.ts";
import { frameBytes, type FrameLayout } from "../../layout/layout.ts";
import type { Storage } from "../../layout/storage.ts";
import type { OpenFiles, OpenSource } from "../../layout/open_files.ts";

/** Undoes one filter: from bytes to bytes, both in the memory of the kernels; gives the bytes written. */
export type UndoFilter = (job: {
  readonly kernels: Kernels;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly values: readonly number[];
  readonly cell?: number;
  readonly scratch: number;
  readonly spare: Uint8Array;
}) => number | Promise<number>;

/** Finds filters by their names. */
export type FilterOf = (name: string) => Promise<UndoFilter>;

/** Shows frames where they lie in a file, see `contiguous/shown_frames.ts`. */
export interface ShowsFrames {
  /**
   * Makes `block` the place of `part` of `images`, whose first sample is byte `at` of a file. Good until the next call.
   *
   * @returns false if that is not possible: they must be read
   */
  show(
    source: ByteSource,
    at: number,
    images: ArrayLike<number>,
    part: FramePart,
    block: { -readonly [K in keyof ReadBlock]: ReadBlock[K] },
  ): boolean;
  /** Throws `io` if what was shown went away. */
  check(): void;
  /** Closes files. */
  close(): void;
}

/** Options of readers; each kind uses those that it needs, and throws if one of them is missing. */
export interface ReaderOptions {
  /** Where its buffers come from. */
  readonly slab: Slab;
  /** Most frames of a block. */
  readonly maxFrames: number;
  /** The kernels over the memory of the slab. */
  readonly kernels?: Kernels;
  /** Finds codecs by their id. Default: those of the table of codecs. */
  readonly decoderOf?: (id: string) => Promise<FrameDecoder>;
  /** Finds filters of chunks. Default: those of their table. */
  readonly filterOf?: FilterOf;
  /** Sparse data: most entries of the frames that are read at once. Default: of any so many frames. */
  readonly maxEntries?: number;
  /** Shows frames in place of reading them, where that is possible. */
  readonly shown?: ShowsFrames;
  /**
   * Whether parts follow each other, each in one chunk or from the start of one, and a chunk is needed again for the next part at
   * most. Default false.
   */
  readonly inOrder?: boolean;
  /** Whether no decoded chunk is kept, although blocks that follow need it again: where memory is short. Default false. */
  readonly lean?: boolean;
  /** Opens files. Default: as their description says. */
  readonly openSource?: OpenSource;
}

/** The task of a reader. */
interface ReaderInit<S extends Storage> {
  /** Where the frames lie. */
  readonly layout: FrameLayout<S>;
  /** The files of the layout. */
  readonly files: OpenFiles;
  /** The largest part of a frame that will be asked for. */
  readonly box: Box;
  /** Its options. */
  readonly options: ReaderOptions;
}

/** Where a block of frames, or of one part of them, lies in memory. */
export interface ReadBlock {
  /** Address of the first sample. */
  readonly pointer: number;
  /** Bytes from one frame to the next. */
  readonly frameStride: number;
}

/** Reads blocks of frames that are stored in one way. */
export interface BlockReader {
  /** Byte order of the samples in memory. */
  readonly byteOrder: ByteOrder;
  /** Whether blocks of the part `box` can be read; `part` has its bytes. */
  fits(box: Box, part: FramePart): boolean;
  /** Reads the part `box` of `images`, which ascend; synchronous if the sources are. */
  read(
    images: ArrayLike<number>,
    box: Box,
    part: FramePart,
    signal?: AbortSignal,
  ): ReadBlock | Promise<ReadBlock>;
  /** Throws `changed` when files that only it uses have changed since they were opened. */
  recheck?(): void;
  /** Closes files that only it uses. */
  close?(): Promise<void>;
}

/** Makes a reader: what the module of the reader of a kind exports as `makeReader`. */
export type MakeReader<S extends Storage> = (job: ReaderInit<S>) => BlockReader;

/** The kernels; throws if they are missing, as readers of `what` need them. */
export function neededKernels({ kernels }: ReaderOptions, what: string): Kernels {
  if (kernels) return kernels;
  throw new TilewiseError("invalid", `Cannot read ${what} without kernels`);
}

/** Refuses layouts of plain samples that have other bytes than those. */
export function checkBytes({ sigShape, dtype, storedBytes }: FrameLayout): void {
  const expected = frameBytes(sigShape, dtype);
  if (storedBytes === expected) return;
  const text = `A layout of plain samples says ${storedBytes} bytes per frame; its samples have ${expected}`;
  throw new TilewiseError("corrupt", text, { expected, found: storedBytes });
}
