/**
 * The rest of formats: sources, layouts of storage, arrays as inputs, types of regions of interest.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example What was dropped on a page
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { droppedFiles } from "@tilewise/tilewise/unstable/formats";
 * import { assertEquals } from "@std/assert";
 *
 * const dataTransfer = { files: [new File([Uint8Array.of(1, 2, 3, 4)], "scan.raw")] }; // of an event "drop"
 * const scan = await open(await droppedFiles(dataTransfer), { dtype: "uint8", nav: [2], sig: [1, 2] });
 * assertEquals([scan.source, scan.shape], ["scan.raw", [2, 1, 2]]);
 * ```
 *
 * @module
 */

export type { Detection, Instrument } from "../../dataset/facts.ts";
export type { ChunkFilterSpec, ChunkLayout } from "../../dataset/layout/chunks.ts";
export type { KeyedChunks, ShardLevel } from "../../dataset/layout/keyed.ts";
export type { AxisName, Selection } from "../../dataset/split_axes.ts";
export type { FolderStoreSpec, StoreSpec, WebStoreSpec } from "../../io/store/store.ts";
export type { FileSpan, FrameLayout } from "../../dataset/layout/layout.ts";
export type {
  ChunkStorage,
  CodecSpec,
  ContiguousStorage,
  ScanFirstStorage,
  SectorStorage,
  SparseStorage,
  Storage,
  VirtualSource,
  VirtualStorage,
} from "../../dataset/layout/storage.ts";
export type { NestedTruth } from "../../dataset/roi/region.ts";
export type {
  Coordinate,
  MaskRegion,
  NestedMask,
  PositionsRegion,
  RangeRegion,
  RoiMask,
  SparseMask,
} from "../../dataset/roi/roi_input.ts";
export type { Fetch } from "../../io/http/exchange.ts";
export type { HttpOptions } from "../../io/http/link.ts";
export type { SourceInput } from "../../io/open.ts";
export type { FileHandle, FolderHandle } from "../../io/picked.ts";
export { type Dropped, droppedFiles } from "../../io/picked_files.ts";
export type { RetryOptions } from "../../io/source/watch.ts";
export type {
  BlobSpec,
  BytesSpec,
  FileSpec,
  HttpSpec,
  JoinedPart,
  JoinedSpec,
  KeptSpec,
  SourceSpec,
  UnpackedSpec,
} from "../../io/source/source.ts";
export type { HttpTimeouts } from "../../io/source/watch.ts";
export type {
  Arrangement,
  ArrayInput,
  CooInput,
  CsrInput,
  IndexList,
  MemoryInput,
} from "../../formats/memory/inputs.ts";
export { type PackageAddresses, usePackages } from "../../packages.ts";
