/**
 * What a compiled expression takes: addresses and counts, the same for the WebAssembly and for its plain twin.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Program } from "./program.ts";

/** The samples that a kernel is made for. */
export interface SampleType {
  /** Their type; no complex one. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
}

/** One call: some frames, of each the same stretch of pixels. */
export interface ExpressionCall {
  /** Address of the first sample of the first frame. */
  readonly data: number;
  /** Frames. */
  readonly frames: number;
  /** Bytes from one frame to the next. */
  readonly frameStride: number;
  /** Number of the first pixel in its frame. */
  readonly start: number;
  /** Pixels. */
  readonly count: number;
  /** Pixels of a row. */
  readonly width: number;
  /** What `frame` is; expressions that use it take one frame a call. */
  readonly frame: number;
  /** Address of 8 float64 for every sum over pixels, zero at first and whenever a row is complete. */
  readonly lanes: number;
  /** Addresses of the arrays, from their first pixel, of the type of the computation. */
  readonly arrays: readonly number[];
  /** The parameters. */
  readonly params: readonly number[];
  /**
   * Addresses of the outputs: of every reduction, then of every map. Over pixels: one float64 a frame, `stride` bytes
   * apart. Over frames: one float64 for each of the pixels. Maps: the pixels of the first frame, those of the next
   * `stride` bytes on.
   */
  readonly outputs: readonly { readonly pointer: number; readonly stride: number }[];
}

/** A kernel bound to a memory. */
export type ExpressionKernel = (call: ExpressionCall) => void;

/** The numbers of a call in the order in which WebAssembly takes them. */
export function argumentsOf(call: ExpressionCall): number[] {
  const { data, frames, frameStride, start, count, width, frame, lanes, arrays, params, outputs } = call;
  const places = outputs.flatMap(({ pointer, stride }) => [pointer, stride]);
  return [data, frames, frameStride, start, count, width, lanes, ...arrays, ...places, frame, ...params];
}

/** Bytes that `lanes` of a call takes. */
export function lanesBytes({ reductions }: Program): number {
  return 64 * reductions.length;
}

/** Whether the sum of such samples is counted in integers: 8 and 16 bits. */
export function isShort({ dtype }: SampleType): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return "bui".includes(kind) && itemSize <= 2;
}

/** Whether a sum over pixels is added in lanes, row by row, as its terms are rounded. */
export function isLaned(reduction: Program["reductions"][number], sample: SampleType): boolean {
  const { axis, how, value } = reduction;
  return axis === "frame" && how === "sum" && !(value.name === "sample" && isShort(sample));
}
