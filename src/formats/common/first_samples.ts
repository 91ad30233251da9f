/**
 * Reads few samples of an array while a file is being opened: scalars, the values of axes, texts of metadata.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { type ApartOptions, FramesApart } from "../../dataset/frames_apart.ts";
import { loadKinds } from "../../dataset/storage/kinds.ts";
import { box, boxSize } from "../../space/box.ts";
import { type ByteOrder, type DType, dtypeInfo, type TypedArray, typedArray } from "../../space/dtype.ts";
import { reverseUnits } from "../../space/numbers.ts";
import type { Shape } from "../../space/shape.ts";

/** Bytes that are read at most. */
const MOST_BYTES = 2 ** 20;

/**
 * The first `shape` samples of the only frame of `layout`, in the byte order of the file; `undefined` if they, or what it takes to
 * read them, are too many.
 */
export async function firstOf(
  layout: FrameLayout,
  shape: Shape,
  openSource?: ApartOptions["openSource"],
): Promise<Uint8Array | undefined> {
  const part = box(shape.map(() => 0), shape);
  const bytes = boxSize(part) * dtypeInfo(layout.dtype).itemSize;
  if (bytes > MOST_BYTES) return undefined;
  await loadKinds([layout]);
  const options = { box: part, ...defined({ openSource }) };
  if (FramesApart.bytesFor(layout, options) > 16 * MOST_BYTES) return undefined;
  await using frames = await FramesApart.open(layout, options);
  const { pointer } = await frames.load(0, part);
  return new Uint8Array(frames.buffer, pointer, bytes).slice();
}

/** Samples of a little or big-endian dtype. */
export function numbersOf(
  bytes: Uint8Array,
  dtype: DType,
  byteOrder: ByteOrder,
): TypedArray {
  const copy = bytes.slice();
  const probe = typedArray(dtype, new ArrayBuffer(16), 0, 1);
  const unit = probe.BYTES_PER_ELEMENT;
  if (byteOrder === "big") reverseUnits(copy, unit);
  return typedArray(dtype, copy.buffer, 0, copy.length / (unit * (dtype.startsWith("complex") ? 2 : 1)));
}
