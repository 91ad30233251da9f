/**
 * Reads few samples of an array while a file is being opened: scalars, the values of axes, texts of metadata.
 *
 * @module
 */

import { chunkFilter } from "../../../codecs/filters/registry.ts";
import { readerBytes } from "../../../dataset/storage/kinds.ts";
import { loadReading } from "../../../dataset/storage/packs.ts";
import { FrameReader } from "../../../dataset/storage/reader.ts";
import { instantiateKernels } from "../../../kernels/wasm.ts";
import { Arena } from "../../../memory/arena.ts";
import { Slab } from "../../../memory/slab.ts";
import { box, boxSize } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { asNumbers } from "../../../space/numbers.ts";
import type { Shape } from "../../../space/shape.ts";
import { asArray, layoutOf } from "../arrays/arrays.ts";
import { numbersOf, type PlainValue, plainValue } from "../metadata/attributes.ts";
import type { Hdf5Dataset } from "../metadata/objects.ts";

/** Bytes that are read at most. */
const MOST_BYTES = 2 ** 20;

/** The first `shape` samples of an array, in the byte order of the file; `undefined` if they are too many. */
export async function firstSamples(dataset: Hdf5Dataset, shape: Shape): Promise<Uint8Array | undefined> {
  const array = asArray(dataset);
  if (!array || dataset.isExternal || dataset.layout.kind === "virtual") return undefined;
  const part = box(shape.map(() => 0), shape);
  const bytes = boxSize(part) * dtypeInfo(array.sample.dtype).itemSize;
  if (bytes > MOST_BYTES || array.shape.length !== shape.length) return undefined;
  const layout = await layoutOf(array, shape.length);
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
    openSource: () => Promise.resolve(kept(dataset.file.source)),
  });
  const { pointer } = await reader.load([0], part);
  return new Uint8Array(arena.memory.buffer, pointer, bytes).slice();
}

/** The source that is open anyway, and stays open. */
function kept<T extends AsyncDisposable>(source: T): T {
  return new Proxy(source, {
    get: (target, key) => {
      if (key === Symbol.asyncDispose) return () => Promise.resolve();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The numbers of a small array of one dimension. */
export async function smallNumbers(dataset: Hdf5Dataset): Promise<number[] | undefined> {
  const sample = asArray(dataset)?.sample;
  if (!sample || sample.inner.length > 0 || dataset.space.shape.length !== 1) return undefined;
  if (/complex|bool|float16/.test(sample.dtype)) return undefined;
  const bytes = await firstSamples(dataset, dataset.space.shape);
  return bytes && Array.from(asNumbers(numbersOf(bytes, sample.dtype, sample.byteOrder)));
}

/** The value of a data set with one element, also a text; `null` where it is something else. */
export async function scalarOf({ file, layout, type, space }: Hdf5Dataset): Promise<PlainValue> {
  const count = space.shape.reduce((product, n) => product * n, 1);
  if (count !== 1 || space.empty || type.size > 4096) return null;
  const body = layout.kind === "compact"
    ? await file.read(layout.at - file.base, layout.bytes.length)
    : layout.kind === "contiguous" && layout.address !== undefined
    ? await file.read(layout.address, type.size)
    : undefined;
  return body && body.left >= type.size ? await plainValue(file, type, { ...space, shape: [] }, body) : null;
}
