/**
 * Where the frames of a data set lie, as plain data: a format fills it in, and readers on any thread use it.
 *
 * @module
 */

import { ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";
import type { Storage } from "./storage.ts";

/**
 * One file of a data set: it holds the images `start` to `end − 1` of the stack.
 * @category Data sets
 */
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

/**
 * Where the frames lie. Images are equal in size.
 * @category Data sets
 */
export interface FrameLayout<S extends Storage = Storage> {
  /** The files in order; their images follow each other without gap or overlap. */
  readonly files: readonly FileSpan[];
  /** Shape of one frame after decoding. */
  readonly sigShape: Shape;
  /** Sample type after decoding. */
  readonly dtype: DType;
  /** Byte order of stored samples; decoded samples are little endian. */
  readonly byteOrder: ByteOrder;
  /** Bytes before the samples of every frame. */
  readonly frameHeaderBytes: number;
  /** Bytes after the samples of every frame. */
  readonly frameFooterBytes: number;
  /** Bytes of the stored samples of one frame; for sparse frames the average. */
  readonly storedBytes: number;
  /** How they are stored. */
  readonly storage: S;
}

/** The part of a layout that a format gives; the rest is as for plain samples, frame after frame. */
export type FrameInit<S extends Storage = Storage> =
  & Pick<FrameLayout, "files" | "sigShape" | "dtype">
  & Partial<FrameLayout<S>>;

/**
 * The layout of frames: plain samples in C order, little endian, with nothing in front of them or behind, unless `init`
 * says otherwise.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const source = { kind: "bytes", name: "scan", bytes: new Uint8Array(96) } as const;
 * const files = [{ source, start: 0, end: 2, headerBytes: 0 }];
 * const { storedBytes, storage } = frameLayout({ files, sigShape: [4, 6], dtype: "uint16" });
 * assertEquals([storedBytes, storage.kind], [48, "contiguous"]);
 * ```
 */
export function frameLayout(init: FrameInit): FrameLayout {
  return {
    byteOrder: "little",
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: init.storedBytes ?? frameBytes(init.sigShape, init.dtype),
    storage: { kind: "contiguous" },
    ...init,
  };
}

/** The layout `layout` with another storage kind. */
export function storedAs<S extends Storage>(layout: FrameLayout, storage: S): FrameLayout<S> {
  return { ...layout, storage };
}

/** Whether the frames of `layout` are stored as `kind`. */
export function isStoredAs<K extends Storage["kind"]>(
  layout: FrameLayout,
  kind: K,
): layout is FrameLayout<Extract<Storage, { readonly kind: K }>> {
  return layout.storage.kind === kind;
}

/** The files, blobs and the like that the frames lie in. */
export function sourcesOf({ files }: FrameLayout): SourceSpec[] {
  return files.flatMap(({ source }) => ownSpecs(source));
}

/** Bytes of the plain samples of one frame. */
export function frameBytes(sigShape: Shape, dtype: DType): number {
  return checkedProduct([...sigShape, dtypeInfo(dtype).itemSize], "a frame");
}

/** Bytes from one stored frame to the next, where they follow each other. */
export function framePitch(layout: FrameLayout): number {
  return layout.frameHeaderBytes + layout.storedBytes + layout.frameFooterBytes;
}

/** Images in all files. */
export function imageCount(layout: FrameLayout): number {
  return layout.files.at(-1)?.end ?? 0;
}
