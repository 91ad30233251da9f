/**
 * The arguments of a compiled expression: addresses and counts, the same for the WebAssembly and for its plain twin.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Program } from "./program.ts";

/** The samples for which a kernel is compiled. */
export interface SampleType {
  /** Their type; not a complex type. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
}

/** One call: some frames, and the same range of pixels of each. */
export interface ExpressionCall {
  /** Address of the first sample of the first frame. */
  readonly data: number;
  /** Number of frames. */
  readonly frames: number;
  /** Bytes from one frame to the next. */
  readonly frameStride: number;
  /** Number of the first pixel in its frame. */
  readonly start: number;
  /** Number of pixels. */
  readonly count: number;
  /** Pixels per row. */
  readonly width: number;
  /** The value of `frame`; expressions that use it take one frame per call. */
  readonly frame: number;
  /** Address of 8 float64 for every sum over pixels; they are zero at first and whenever a row is complete. */
  readonly lanes: number;
  /** Addresses of the arrays, starting at the first pixel, in the type of the computation. */
  readonly arrays: readonly number[];
  /** The parameters. */
  readonly params: readonly number[];
  /**
   * Addresses of the outputs: of every reduction, then of every map. Reductions over pixels: one float64 per frame,
   * `stride` bytes apart. Reductions over frames: one float64 per pixel. Maps: the pixels of the first frame, then
   * those of the next frame, `stride` bytes later.
   */
  readonly outputs: readonly { readonly pointer: number; readonly stride: number }[];
}

/** A kernel bound to a memory. */
export type ExpressionKernel = (call: ExpressionCall) => void;

/** The numbers of a call in the order of the WebAssembly parameters. */
export function argumentsOf(call: ExpressionCall): number[] {
  const { data, frames, frameStride, start, count, width, frame, lanes, arrays, params, outputs } = call;
  const places = outputs.flatMap(({ pointer, stride }) => [pointer, stride]);
  return [data, frames, frameStride, start, count, width, lanes, ...arrays, ...places, frame, ...params];
}

/** Bytes needed for `lanes` of a call. */
export function lanesBytes({ reductions }: Program): number {
  return 64 * reductions.length;
}

/** Whether the sum of such samples is counted in integers: 8 and 16 bits. */
export function isShort({ dtype }: SampleType): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return "bui".includes(kind) && itemSize <= 2;
}

/** Whether a sum over pixels is added in lanes, row by row, because its terms are rounded. */
export function isLaned(reduction: Program["reductions"][number], sample: SampleType): boolean {
  const { axis, how, value } = reduction;
  return axis === "frame" && how === "sum" && !(value.name === "sample" && isShort(sample));
}
