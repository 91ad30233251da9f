/**
 * Data sets whose samples lie in other files, as the list of them in the object header says.
 *
 * @module
 */

import type { FileSpan } from "../../dataset/layout.ts";
import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source.ts";
import { sizeOf } from "../../space/shape.ts";
import { frameBytes } from "../../dataset/layout.ts";
import type { Hdf5Array } from "./arrays.ts";
import { heapText, readLocalHeap } from "./heaps.ts";
import { findMessage, MESSAGE } from "./object_header.ts";

/** A stretch of another file. */
interface Stretch {
  readonly name: string;
  readonly offset: number;
  /** Bytes; `Infinity` where there is no limit. */
  readonly size: number;
}

/** Opens a file beside the HDF5 file. */
export type OpenBytes = (name: string) => Promise<ByteSource>;

/**
 * The files with the images of `array`, whose last `sig` dimensions are frames. Errors: `unsupported` where a frame
 * lies in two files, `truncated` where they are too short, `not-found`.
 */
export async function externalSpans(
  array: Hdf5Array,
  sig: number,
  openBytes: OpenBytes,
): Promise<FileSpan[]> {
  const { shape, sample, dataset } = array;
  const bytes = frameBytes(shape.slice(shape.length - sig), sample.dtype);
  const images = sizeOf(shape.slice(0, shape.length - sig));
  const spans: FileSpan[] = [];
  let start = 0;
  for (const { name, offset, size } of await stretchesOf(array)) {
    const wanted = (images - start) * bytes;
    const taken = Math.min(wanted, size);
    if (taken % bytes !== 0) {
      throw wrong(array, "unsupported", `a frame of ${bytes} bytes lies in ${name} and in the next file`);
    }
    const source = await openBytes(name);
    if (offset + taken > source.size) {
      const text = `${name} has ${source.size} bytes, ${offset + taken} are expected`;
      throw wrong(array, "truncated", text);
    }
    const end = start + taken / bytes;
    if (end > start) spans.push({ source: source.describe(), start, end, headerBytes: offset });
    start = end;
  }
  if (start >= images) return spans;
  throw wrong(array, "truncated", `${dataset.path} has ${images} images, its files have ${start}`);
}

async function stretchesOf({ dataset: { file, messages } }: Hdf5Array): Promise<Stretch[]> {
  const body = (await findMessage(file, messages, MESSAGE.externalFiles))!;
  body.version("a list of external files", 1);
  body.skip(3 + 2);
  const used = body.u16();
  const heap = await readLocalHeap(file, file.knownAddress(body, "the names of external files"));
  return Array.from({ length: used }, () => ({
    name: heapText(heap, file.length(body)),
    offset: body.uint(file.lengthSize),
    size: body.optional(file.lengthSize) ?? Infinity,
  }));
}

function wrong({ dataset: { file, path } }: Hdf5Array, code: "unsupported" | "truncated", why: string) {
  return new TilewiseError(code, `Cannot read ${path} of ${file.name}: ${why}`, { file: file.name });
}
