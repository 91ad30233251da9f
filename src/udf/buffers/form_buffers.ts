/**
 * The buffers for the forms of a tile; plan and worker both use this file, so that their sizes agree.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";

/** The form of tiles that one UDF needs. */
export interface FormNeed {
  /** The form of its tiles. */
  readonly backend: Backend;
  /** The type of their samples. */
  readonly dtype: DType;
  /** Whether it takes raw samples. */
  readonly raw: boolean;
  /** Whether it gets a copy of dense tiles that it may change. */
  readonly own?: boolean;
}

/** The largest sizes of a tile. */
export interface FormSizes {
  /** The form in which the data set is read. */
  readonly source: Backend;
  /** Type of the samples as they are read, or after corrections. */
  readonly dtype: DType;
  /** Frames. */
  readonly frames: number;
  /** Pixels per frame. */
  readonly pixels: number;
  /** Sparse data: entries of a block of whole frames. */
  readonly entries: number;
  /** Whether tiles are parts of frames. */
  readonly parts: boolean;
}

/** The buffers by name, with their bytes; UDFs that need the same form share its buffers. */
export function formBuffers(sizes: FormSizes, needs: readonly FormNeed[]): Map<string, number> {
  const buffers = new Map<string, number>();
  for (const [u, need] of needs.entries()) {
    if (need.backend === "dense") denseBuffers(sizes, need, buffers);
    else sparseBuffers(sizes, need, buffers);
    if (need.own) buffers.set(ownName(u), sizes.frames * sizes.pixels * dtypeInfo(need.dtype).itemSize);
  }
  return buffers;
}

/** The name of the buffer for the copy that UDF `u` may change. */
export function ownName(u: number): string {
  return `own ${u}`;
}

/** Bytes of a slab that these buffers need. */
export function formBytes(sizes: FormSizes, needs: readonly FormNeed[]): number {
  return [...formBuffers(sizes, needs).values()].reduce((sum, bytes) => sum + roundUp(bytes, ALIGNMENT), 0);
}

function denseBuffers(sizes: FormSizes, { dtype, raw }: FormNeed, buffers: Map<string, number>): void {
  const samples = sizes.frames * sizes.pixels;
  if (sizes.source !== "dense") buffers.set("raw", samples * dtypeInfo(sizes.dtype).itemSize);
  if (!raw) buffers.set(`dense ${dtype}`, samples * dtypeInfo(dtype).itemSize);
}

function sparseBuffers(sizes: FormSizes, { backend, dtype }: FormNeed, buffers: Map<string, number>): void {
  const isSparse = sizes.source !== "dense";
  const entries = isSparse ? sizes.entries : sizes.frames * sizes.pixels;
  const arrays = (name: string, pointers: number, suffix: string, itemSize: number) => {
    buffers.set(`${name} indptr${suffix}`, 4 * (pointers + 1));
    buffers.set(`${name} indices${suffix}`, 4 * entries);
    buffers.set(`${name} data${suffix}`, itemSize * entries);
  };
  const { itemSize } = dtypeInfo(dtype);
  if (!isSparse) {
    denseBuffers(sizes, { backend: "dense", dtype, raw: false }, buffers);
    arrays("csr", sizes.frames, ` ${dtype}`, itemSize);
  } else {
    if (sizes.parts) arrays("cut", sizes.frames, "", dtypeInfo(sizes.dtype).itemSize);
    if (dtype !== sizes.dtype) buffers.set(`csr data ${dtype}`, itemSize * entries);
  }
  if (backend === "csc") arrays("csc", sizes.pixels, ` ${dtype}`, itemSize);
  if (backend === "coo") buffers.set(`coo rows ${dtype}`, 4 * entries);
}
