/**
 * Data sets whose samples lie in other files, as the list of them in the object header says.
 *
 * @module
 */

import type { FileSpan } from "../../dataset/layout.ts";
import { TilewiseError } from "../../errors.ts";
import type { ByteSource, JoinedPart } from "../../io/source.ts";
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
 * The files with the images of `array`, whose last `sig` dimensions are frames; joined to one where frames begin in a
 * file and end in the next. Errors: `truncated` where they are too short, `not-found`.
 */
export async function externalSpans(
  array: Hdf5Array,
  sig: number,
  openBytes: OpenBytes,
): Promise<FileSpan[]> {
  const { shape, sample, dataset } = array;
  const bytes = frameBytes(shape.slice(shape.length - sig), sample.dtype);
  const images = sizeOf(shape.slice(0, shape.length - sig));
  const parts: JoinedPart[] = [];
  let left = images * bytes;
  for (const { name, offset, size } of await stretchesOf(array)) {
    if (left === 0) break;
    const taken = Math.min(left, size);
    const source = await openBytes(name);
    if (offset + taken > source.size) {
      throw tooShort(array, `${name} has ${source.size} bytes, ${offset + taken} are expected`);
    }
    if (taken > 0) parts.push({ source: source.describe(), offset, size: taken });
    left -= taken;
  }
  if (left > 0) {
    throw tooShort(array, `its samples have ${images * bytes} bytes, its files ${images * bytes - left}`);
  }
  if (parts.some(({ size }) => size % bytes !== 0)) {
    return [{
      source: { kind: "joined", name: dataset.file.name, parts },
      start: 0,
      end: images,
      headerBytes: 0,
    }];
  }
  const ends = parts.map((_, p) => parts.slice(0, p + 1).reduce((sum, { size }) => sum + size / bytes, 0));
  return parts.map(({ source, offset }, p) => ({
    source,
    start: ends[p - 1] ?? 0,
    end: ends[p]!,
    headerBytes: offset,
  }));
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

function tooShort({ dataset: { file, path } }: Hdf5Array, why: string): TilewiseError {
  return new TilewiseError("truncated", `Cannot read ${path} of ${file.name}: ${why}`, { file: file.name });
}
