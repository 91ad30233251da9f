/**
 * Arrays in memory into which tiles are put: by the workers that computed them, if they share memory with this thread.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { copyBox } from "../../../memory/copy_box.ts";
import { rowsOf } from "../../../sinks/chunks/rows.ts";
import { wholeBox } from "../../../space/box.ts";
import { type DType, dtypeInfo, typedArray, unitsOf } from "../../../space/dtype.ts";
import { type NDArray, ndarray } from "../../../space/ndarray.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { wholeView } from "../arrays.ts";
import type { Sink } from "../provider.ts";

/** An array of a whole problem, as plain data that threads share. */
export interface SharedArray {
  /** Where its samples lie, dense. */
  readonly buffer: ArrayBufferLike;
  /** Its sizes. */
  readonly shape: Shape;
  /** Type of its samples: that of the output, or a wider one. */
  readonly dtype: DType;
}

/** The places of sinks that workers may do the work of; each makes the memory for an output when it is asked. */
const PLACES = new WeakMap<Sink, (name: string) => SharedArray>();

/** Declares that `sink` does nothing but put tiles into a place. */
export function declarePlace(sink: Sink, place: (name: string) => SharedArray): void {
  PLACES.set(sink, place);
}

/** The place of a sink in memory that threads share, or nothing if it must be called. */
export function placeOf(sink: Sink, name: string): SharedArray | undefined {
  return PLACES.get(sink)?.(name);
}

/** The sinks that put every tile where it belongs, and whether they can go on with an earlier run. */
const PUTTING = new WeakMap<Sink, boolean>();

/** Declares that `sink` puts every tile where it belongs: a second tile for the same place would replace the first. */
export function declarePutting(sink: Sink, resumes: boolean = false): Sink {
  PUTTING.set(sink, resumes);
  return sink;
}

/** Whether a sink must get tiles in their order, as an earlier run left off after some of them. */
export function resumesTiles(sink: Sink): boolean {
  return PUTTING.get(sink) ?? false;
}

/** The error for an output that does not come tile by tile. */
export function outOfOrder(call: string, name: string): TilewiseError {
  const text =
    `${call}: the option "resume" needs outputs that come tile by tile, in their order: leave out { ordered: false }, ` +
    `or do not merge ${name}`;
  return new TilewiseError("unsupported", text, { option: "resume", array: name });
}

/** Whether a second tile for the same place would replace the first one. */
export function putsTiles(sink: Sink): boolean {
  return PUTTING.has(sink);
}

/** Zeros in memory that threads share, if `shared`. */
export function newPlace(shape: Shape, dtype: DType, shared: boolean): SharedArray {
  const bytes = sizeOf(shape) * dtypeInfo(dtype).itemSize;
  return { buffer: shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes), shape, dtype };
}

/** The array that lies there. */
export function arrayAt({ buffer, shape, dtype }: SharedArray): NDArray {
  return ndarray(typedArray(dtype, buffer, 0, sizeOf(shape)), shape, dtype);
}

/** Copies a tile to `origin`; samples of another type are converted. */
export function putInto(place: SharedArray, tile: NDArray, origin: readonly number[]): void {
  const whole = arrayAt(place);
  const { shape, dtype } = tile;
  if (dtype === whole.dtype) {
    copyBox(wholeView(tile, shape, dtype), wholeBox(shape), wholeView(whole, whole.shape, dtype), origin);
    return;
  }
  const units = unitsOf(dtype), numbers = ({ data }: NDArray) => data as Float32Array | Float64Array;
  for (const { from, to, bytes: count } of rowsOf({ origin, shape }, whole.shape, 1)) {
    numbers(whole).set(numbers(tile).subarray(units * from, units * (from + count)), units * to);
  }
}
