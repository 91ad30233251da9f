/**
 * Whole numbers of a column of single values, which other columns need to be read.
 *
 * @module
 */

import { chunkFilter } from "../../codecs/filters/registry.ts";
import { loadKinds, readerBytes } from "../../dataset/storage/kinds.ts";
import { loadReading } from "../../dataset/storage/packs.ts";
import { FrameReader } from "../../dataset/storage/reader.ts";
import { instantiateKernels } from "../../kernels/wasm.ts";
import { Arena } from "../../memory/arena.ts";
import { Slab } from "../../memory/slab.ts";
import { box } from "../../space/box.ts";
import { layoutOf, type Stored } from "./stored.ts";

/** Rows that are read at a time. */
const BLOCK_ROWS = 2 ** 16;
/** Bytes of an arena that are not leased. */
const SLACK = 4096;

/** All values of a stored column of 32-bit integers. */
export async function integersOf(stored: Stored): Promise<Int32Array> {
  const [rows = 0] = stored.shape, found = new Int32Array(rows);
  if (rows === 0) return found;
  const layout = layoutOf(stored, 1), whole = box([0], [Math.min(rows, BLOCK_ROWS)]);
  await loadKinds([layout]);
  await loadReading(layout);
  const needed = readerBytes(layout, 1, whole);
  const arena = new Arena({ budget: needed + SLACK, shared: false });
  using lease = arena.lease(needed, "rows");
  const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
  const kernels = instantiateKernels(arena.memory);
  await using reader = await FrameReader.open(layout, {
    kernels,
    slab,
    maxFrames: 1,
    filterOf: chunkFilter,
    box: whole,
  });
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - start);
    const { pointer, byteOrder } = await reader.load([0], box([start], [count]));
    const view = new DataView(arena.memory.buffer, pointer, 4 * count);
    for (let i = 0; i < count; i++) found[start + i] = view.getInt32(4 * i, byteOrder === "little");
  }
  return found;
}
