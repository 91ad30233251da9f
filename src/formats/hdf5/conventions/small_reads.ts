/**
 * Reads few samples of an array while a file is being opened: scalars, the values of axes, texts of metadata.
 *
 * @module
 */

import { type Shape, sizeOf } from "../../../space/shape.ts";
import { positionsOf } from "../../common/coordinates.ts";
import { firstOf } from "../../common/first_samples.ts";
import { isTilewiseError } from "../../../errors.ts";
import { asArray, type Hdf5Array, layoutOf } from "../arrays/arrays.ts";
import { type PlainValue, plainValue, readAttributes } from "../metadata/attributes.ts";
import { Cursor } from "../metadata/cursor.ts";
import type { Hdf5Dataset } from "../metadata/objects.ts";

/** Samples that are read at most. */
const MOST_SAMPLES = 2 ** 20;

/** The first `shape` samples of an array, in the byte order of the file; `undefined` if they are too many. */
export async function firstSamples(dataset: Hdf5Dataset, shape: Shape): Promise<Uint8Array | undefined> {
  const array = asArray(dataset);
  if (!array || dataset.isExternal || dataset.layout.kind === "virtual") return undefined;
  if (array.shape.length !== shape.length || sizeOf(shape) > MOST_SAMPLES) return undefined;
  return await readFirst(array, shape);
}

async function readFirst(array: Hdf5Array, shape: Shape): Promise<Uint8Array | undefined> {
  const layout = await layoutOf(array, shape.length);
  return await firstOf(layout, shape, () => Promise.resolve(kept(array.dataset.file.source)));
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
  if (!bytes) return undefined;
  const said = await readAttributes(dataset.file, dataset.messages);
  return positionsOf(bytes, sample.dtype, sample.byteOrder, said);
}

/** Bytes of such a value. */
const MOST_BYTES = 2 ** 16;

/** The value of a small data set, also a text, and a list where it has not one element; `null` where it is something else. */
export async function plainOf(dataset: Hdf5Dataset): Promise<PlainValue> {
  const { file, type, space } = dataset, count = sizeOf(space.shape);
  if (space.empty || count * type.size > MOST_BYTES) return null;
  const body = await elementsOf(dataset, count * type.size), shape = count === 1 ? [] : [count];
  return body ? await plainValue(file, type, { ...space, shape }, body) : null;
}

/** The elements of a data set as they lie in the file, or out of chunks; `undefined` where they cannot be read. */
export async function elementsOf(dataset: Hdf5Dataset, length: number): Promise<Cursor | undefined> {
  const { file, layout, space, type } = dataset;
  if (layout.kind === "chunked") {
    const shape = [...space.shape, type.size], sample = { ...BYTES, inner: [type.size] };
    const bytes = await readFirst({ dataset, shape, sample }, shape).catch((error) => {
      if (!isTilewiseError(error) || error.code === "aborted") throw error;
    });
    return bytes ? new Cursor(bytes, 0, file.name) : undefined;
  }
  const body = layout.kind === "compact"
    ? await file.read(layout.at - file.base, layout.bytes.length)
    : layout.kind === "contiguous" && layout.address !== undefined
    ? await file.read(layout.address, length)
    : undefined;
  return body && body.left >= length ? body : undefined;
}

/** Any element is bytes, also a text. */
const BYTES = { dtype: "uint8", byteOrder: "little" } as const;
