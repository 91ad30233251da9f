/**
 * Writes TIFF files: one page of float32 per image, uncompressed, as image viewers and ImageJ read them.
 *
 * The layout follows Adobe's TIFF revision 6.0, sections 2 and 19 (sample format).
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NDArray } from "../space/ndarray.ts";
import { checkedProduct, showShape, sizeOf } from "../space/shape.ts";
import { numberBlocks } from "./numbers.ts";
import { concat } from "./png.ts";

/** Largest size of a file: TIFF addresses have 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;
const HEADER = 8;
/** Type codes of tag values. */
const [ASCII, SHORT, LONG] = [2, 3, 4];

/**
 * A TIFF of float32 pages: the last two dimensions are the image, all dimensions before them are pages. Complex numbers
 * are written as magnitudes; NaN if an entry is not valid. The shape is kept in the description, so that readers can
 * restore it.
 *
 * Errors: `invalid` (an array without samples), `overflow` (more than 4 GiB).
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const tiff = encodeTiff(ndarray(Float64Array.of(0.5, 2), [1, 2], "float64"));
 * assertEquals(String.fromCharCode(...tiff.subarray(0, 3)), "II*");
 * assertEquals([...new Float32Array(tiff.buffer, 8, 2)], [0.5, 2]);
 * ```
 */
export function encodeTiff(array: NDArray): Uint8Array<ArrayBuffer> {
  return concat([...tiffPieces(array)]);
}

/** The bytes of {@link encodeTiff} piece by piece, without a copy of all samples. */
export function* tiffPieces(array: NDArray): Generator<Uint8Array> {
  const { height, width, pages, description, directory, imageBytes } = pagesOf(array);
  const first = HEADER + pages * imageBytes; // an even address, as directories need: samples have four bytes
  const head = new Uint8Array(HEADER);
  head.set([0x49, 0x49, 42, 0]);
  new DataView(head.buffer).setUint32(4, first, true);
  yield head;
  for (const block of numberBlocks(array)) yield new Uint8Array(new Float32Array(block).buffer);
  for (let page = 0; page < pages; page++) {
    const at = first + page * directory;
    const next = page + 1 < pages ? at + directory : 0;
    yield directoryOf({ at, width, height, samples: HEADER + page * imageBytes, description, next });
  }
}

/** The pages of an array, and the sizes of their parts; refuses arrays without samples and arrays that do not fit. */
function pagesOf({ shape }: NDArray) {
  if (sizeOf(shape) === 0) {
    const text = `Cannot write an array of ${showShape(shape)} as TIFF: it has no samples`;
    throw new TilewiseError("invalid", text);
  }
  const [height, width] = shape.length < 2 ? [1, sizeOf(shape)] : shape.slice(-2) as [number, number];
  const pages = sizeOf(shape) / (width * height);
  const description = JSON.stringify({ shape }) + "\0";
  const directory = directoryBytes(description.length);
  const imageBytes = checkedProduct([width, height, 4], "an image");
  const total = HEADER + pages * (imageBytes + directory);
  if (total > MOST_BYTES) {
    const text = `Cannot write ${showShape(shape)} float32 as TIFF: it has room for 4 GiB; use .npy`;
    throw new TilewiseError("overflow", text, { expected: MOST_BYTES, found: total });
  }
  return { height, width, pages, description, directory, imageBytes };
}

interface Page {
  readonly at: number;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly description: string;
  readonly next: number;
}

/** The tags of one page, in the ascending order that TIFF requires. */
function tagsOf({ width, height, samples, description }: Page): [tag: number, type: number, value: number][] {
  return [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, 32], // bits per sample
    [259, SHORT, 1], // not compressed
    [262, SHORT, 1], // black is zero
    [270, ASCII, description.length],
    [273, LONG, samples], // a single strip, at this address
    [277, SHORT, 1], // samples per pixel
    [278, LONG, height], // rows per strip
    [279, LONG, width * height * 4],
    [339, SHORT, 3], // IEEE floating point
  ];
}

const TAGS = 11;

function directoryBytes(description: number): number {
  return 2 + 12 * TAGS + 4 + description + description % 2;
}

function directoryOf(page: Page): Uint8Array {
  const tags = tagsOf(page);
  const text = 2 + 12 * TAGS + 4; // address of the description
  const bytes = new Uint8Array(directoryBytes(page.description.length));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, tags.length, true);
  tags.forEach(([tag, type, value], i) => {
    const entry = 2 + 12 * i;
    view.setUint16(entry, tag, true);
    view.setUint16(entry + 2, type, true);
    view.setUint32(entry + 4, type === ASCII ? value : 1, true);
    if (type === SHORT) view.setUint16(entry + 8, value, true);
    else view.setUint32(entry + 8, type === ASCII ? page.at + text : value, true);
  });
  view.setUint32(2 + 12 * TAGS, page.next, true);
  new TextEncoder().encodeInto(page.description, bytes.subarray(text));
  return bytes;
}
