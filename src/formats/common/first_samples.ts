/**
 * Reads few samples of an array while a file is being opened: scalars, the values of axes, texts of metadata.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { chunkFilter } from "../../codecs/filters/registry.ts";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { loadKinds, loadReading, readerBytes } from "../../dataset/storage/kinds.ts";
import { FrameReader, type FrameReaderOptions } from "../../dataset/storage/reader.ts";
import { instantiateKernels } from "../../kernels/wasm.ts";
import { Arena } from "../../memory/arena.ts";
import { Slab } from "../../memory/slab.ts";
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
  openSource?: FrameReaderOptions["openSource"],
): Promise<Uint8Array | undefined> {
  const part = box(shape.map(() => 0), shape);
  const bytes = boxSize(part) * dtypeInfo(layout.dtype).itemSize;
  if (bytes > MOST_BYTES) return undefined;
  await loadKinds([layout]);
  await loadReading(layout);
  const needed = readerBytes(layout, 1, part);
  if (needed > 16 * MOST_BYTES) return undefined;
  const arena = new Arena({ budget: needed + 4096, shared: false });
  using lease = arena.lease(needed, "metadata");
  const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
  const kernels = instantiateKernels(arena.memory);
  await using reader = await FrameReader.open(layout, {
    kernels,
    slab,
    maxFrames: 1,
    filterOf: chunkFilter,
    box: part,
    ...defined({ openSource }),
  });
  const { pointer } = await reader.load([0], part);
  return new Uint8Array(arena.memory.buffer, pointer, bytes).slice();
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
