/**
 * Reads the pages of simple TIFF files, to check what was written: one strip a page, little endian.
 *
 * @module
 */

import { parseDType, type TypedArray, typedArray } from "../../src/space/dtype.ts";

/** Names of sample types, by SampleFormat. */
const KINDS: Readonly<Record<number, string>> = { 1: "uint", 2: "int", 3: "float", 6: "complex" };

/** One page. */
export interface TiffPage {
  readonly width: number;
  readonly height: number;
  readonly description: string;
  readonly samples: TypedArray;
}

/** All pages of a file, also of a BigTIFF. */
export function tiffPages(bytes: Uint8Array): TiffPage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isBig = view.getUint16(2, true) === 43;
  const word = (at: number) => isBig ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true);
  const pages: TiffPage[] = [];
  for (let at = word(isBig ? 8 : 4); at !== 0;) {
    const count = isBig ? word(at) : view.getUint16(at, true);
    const [first, size] = isBig ? [at + 8, 20] : [at + 2, 12];
    const tags = new Map<number, { count: number; value: number; place: number }>();
    for (let t = 0, last = 0; t < count; t++) {
      const tag = view.getUint16(first + t * size, true);
      if (tag <= last) throw new Error("tags must ascend");
      last = tag;
      const type = view.getUint16(first + t * size + 2, true);
      const place = first + t * size + (isBig ? 12 : 8);
      const value = type === 3
        ? view.getUint16(place, true)
        : type === 4
        ? view.getUint32(place, true)
        : word(place);
      tags.set(tag, { count: word(first + t * size + 4), value, place });
    }
    const of = (tag: number) => tags.get(tag)!.value;
    const dtype = `${KINDS[of(339)]}${of(258)}`;
    if (of(259) !== 1) throw new Error("not plain");
    const text = bytes.subarray(of(270), of(270) + tags.get(270)!.count - 1);
    const samples = typedArray(
      parseDType(dtype),
      bytes.slice(of(273), of(273) + of(279)).buffer,
      0,
      of(256) * of(257),
    );
    pages.push({ width: of(256), height: of(257), description: new TextDecoder().decode(text), samples });
    at = word(first + count * size);
  }
  return pages;
}
