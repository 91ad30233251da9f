/**
 * Formats: what can be opened, with which options, and the facts about it.
 *
 * @example All arrays of a source
 * ```ts
 * import { openAll, type OpenOptions } from "@tilewise/tilewise/formats";
 * import { assertEquals } from "@std/assert";
 *
 * const options: OpenOptions = { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] };
 * const arrays = await openAll(Uint8Array.of(1, 2, 3, 4), options);
 * assertEquals(arrays.map(({ shape }) => shape), [[2, 1, 2]]);
 * ```
 *
 * @module
 */

export type { Corrections } from "../dataset/corrections.ts";
export type { Dataset } from "../dataset/face.ts";
export type { Axis, Detection, Instrument, Level } from "../dataset/facts.ts";
export type { AxisFacts, AxisKind, ValueFacts } from "../space/axes.ts";
export type { ChunkFilterSpec, ChunkLayout } from "../dataset/layout/chunks.ts";
export type { KeyedChunks, ShardLevel } from "../dataset/layout/keyed.ts";
export type { AxisName, Selection } from "../dataset/split_axes.ts";
export type { FolderStoreSpec, StoreSpec, WebStoreSpec } from "../io/store/store.ts";
export type { FileSpan, FrameLayout } from "../dataset/layout/layout.ts";
export type {
  ChunkStorage,
  CodecSpec,
  ContiguousStorage,
  Piece,
  PieceStorage,
  ScanFirstStorage,
  SectorStorage,
  SparseStorage,
  Storage,
} from "../dataset/layout/storage.ts";
export type { NestedTruth } from "../dataset/roi/region.ts";
export type { Roi } from "../dataset/roi/roi.ts";
export type * from "../dataset/roi/roi_input.ts";
export type { Fetch } from "../io/http/exchange.ts";
export type { HttpOptions } from "../io/http/link.ts";
export type { SourceInput } from "../io/open.ts";
export type { FileHandle, FolderHandle } from "../io/picked.ts";
export { type Dropped, droppedFiles } from "../io/picked_files.ts";
export type { RetryOptions } from "../io/source/retry.ts";
export type {
  BlobSpec,
  BytesSpec,
  FileSpec,
  HttpSpec,
  JoinedPart,
  JoinedSpec,
  SourceSpec,
  UnpackedSpec,
} from "../io/source/source.ts";
export type { Patience } from "../io/source/watch.ts";
export type { Arrangement, ArrayInput, CooInput, CsrInput, IndexList, MemoryInput } from "./memory/inputs.ts";
export { open, openAll } from "./face.ts";
export type { OpenInput, OpenOptions } from "./open.ts";
