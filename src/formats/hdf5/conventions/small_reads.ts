/**
 * Reads few samples of an array while a file is being opened: scalars, the values of axes, texts of metadata.
 *
 * @module
 */

import { asNumbers } from "../../../space/numbers.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { firstOf, numbersOf } from "../../common/first_samples.ts";
import { asArray, layoutOf } from "../arrays/arrays.ts";
import { type PlainValue, plainValue } from "../metadata/attributes.ts";
import type { Hdf5Dataset } from "../metadata/objects.ts";

/** Samples that are read at most. */
const MOST_SAMPLES = 2 ** 20;

/** The first `shape` samples of an array, in the byte order of the file; `undefined` if they are too many. */
export async function firstSamples(dataset: Hdf5Dataset, shape: Shape): Promise<Uint8Array | undefined> {
  const array = asArray(dataset);
  if (!array || dataset.isExternal || dataset.layout.kind === "virtual") return undefined;
  if (array.shape.length !== shape.length || sizeOf(shape) > MOST_SAMPLES) return undefined;
  const layout = await layoutOf(array, shape.length);
  return await firstOf(layout, shape, () => Promise.resolve(kept(dataset.file.source)));
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

/** Bytes of such a value. */
const MOST_BYTES = 2 ** 16;

/** The value of a small data set, also a text, and a list where it has not one element; `null` where it is something else. */
export async function plainOf({ file, layout, type, space }: Hdf5Dataset): Promise<PlainValue> {
  const count = sizeOf(space.shape), bytes = count * type.size;
  if (space.empty || bytes > MOST_BYTES) return null;
  const body = layout.kind === "compact"
    ? await file.read(layout.at - file.base, layout.bytes.length)
    : layout.kind === "contiguous" && layout.address !== undefined
    ? await file.read(layout.address, bytes)
    : undefined;
  const shape = count === 1 ? [] : [count];
  return body && body.left >= bytes ? await plainValue(file, type, { ...space, shape }, body) : null;
}
