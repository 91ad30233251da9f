/**
 * Any array as chunks that follow each other along one navigation dimension, as stacks are made of them.
 *
 * @module
 */

import { type ChunkLayout, framesAsChunks } from "../../../dataset/layout/chunks.ts";
import { isStoredAs } from "../../../dataset/layout/layout.ts";
import { TilewiseError } from "../../../errors.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { showShape, sizeOf } from "../../../space/shape.ts";
import { type Hdf5Array, layoutOf } from "./arrays.ts";

/** The array in chunks with one navigation dimension; stretches of the file become chunks of one frame. */
export async function asChunks(stored: Hdf5Array, sig: number): Promise<ChunkLayout> {
  const array = flattened(stored, sig);
  const { shape, sample } = array;
  const layout = await layoutOf(array, sig);
  const nav = shape.length - sig;
  const images = sizeOf(shape.slice(0, nav));
  const stacked = [images, ...shape.slice(nav)];
  if (!isStoredAs(layout, "chunks")) {
    const { headerBytes } = layout.files[0]!;
    const addresses = Float64Array.from({ length: images }, (_, i) => headerBytes + i * layout.storedBytes);
    return framesAsChunks({ shape: stacked, sig, itemSize: dtypeInfo(sample.dtype).itemSize, addresses });
  }
  const { chunks } = layout.storage;
  const depth = chunks.chunk.slice(0, nav);
  if (nav > 1 && depth.some((n) => n > 1)) {
    const text =
      `Cannot put ${array.dataset.path} of ${array.dataset.file.name} into a stack: its chunks of ` +
      `${showShape(chunks.chunk)} have frames of several rows; use chunks along one dimension`;
    throw new TilewiseError("unsupported", text, { file: array.dataset.file.name });
  }
  return { ...chunks, shape: stacked, chunk: [depth[0] ?? 1, ...chunks.chunk.slice(nav)] };
}

/** For an array that was never written, with one navigation dimension: any chunks will do. Other arrays stay as they are. */
function flattened(array: Hdf5Array, sig: number): Hdf5Array {
  const { dataset, shape, sample } = array;
  const nav = shape.length - sig;
  const isBlank = dataset.layout.kind === "contiguous" && dataset.layout.address === undefined;
  if (!isBlank || dataset.isExternal || nav < 2 || nav > dataset.space.shape.length) return array;
  const flat = [sizeOf(shape.slice(0, nav)), ...shape.slice(nav)];
  const space = { ...dataset.space, shape: flat.slice(0, flat.length - sample.inner.length) };
  return { ...array, shape: flat, dataset: { ...dataset, space } };
}
