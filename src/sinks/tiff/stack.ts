/**
 * The bytes around the samples of a plain TIFF stack: a page per image, not compressed; BigTIFF where 4 GiB are not enough.
 *
 * ```
 * head      II 42 first₃₂  description            II 43 8 0 first₆₄ description
 * page      tags of the page, next₃₂, samples     the same with 64 bits
 * ```
 * Every page stands beside its samples, so that any of them can be written by itself. Source of the layout: Adobe's TIFF
 * revision 6.0, sections 2 and 19, and the BigTIFF proposal of libtiff.
 *
 * @module
 */

import { roundUp } from "../../memory/arena.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape, sizeOf } from "../../space/shape.ts";
import { Directories, type DirectoryForm, putDirectory, SAMPLE_FORMATS, type Tag } from "./directory.ts";

const MOST_CLASSIC = 2 ** 32 - 1;
/** The tag of the place of the samples: unlike on every page. */
const OFFSETS = 273;

/** The bytes around pages. */
interface TiffPages {
  /** Everything before the first page. */
  readonly head: Uint8Array;
  /** Bytes before the samples of every page. */
  readonly headerBytes: number;
  /** Bytes behind them. */
  readonly footerBytes: number;
  /** The tags of page `i`. */
  readonly header: (i: number) => Uint8Array;
}

/**
 * Pages of samples of any type, little endian, each a strip; the last two dimensions are the image. Truth values are bytes. The
 * description of the first page has the shape, as tifffile writes and restores it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { head, headerBytes } = tiffPages([3, 4, 5], "float64");
 * assertEquals([...head.subarray(0, 4), headerBytes % 8], [0x49, 0x49, 42, 0, 0]);
 * ```
 */
export function tiffPages(shape: Shape, dtype: DType): TiffPages {
  const [height = 1, width = 1] = shape.length < 2 ? [1, shape[0]] : shape.slice(-2);
  const description = new TextEncoder().encode(JSON.stringify({ shape }) + "\0");
  const frame = checkedProduct([height, width, dtypeInfo(dtype).itemSize], "a page");
  const page = { height, width, dtype, frame, count: sizeOf(shape.slice(0, -2)), description };
  const classic = new Pages(page, false);
  return classic.end <= MOST_CLASSIC ? classic : new Pages(page, true);
}

interface Page {
  readonly height: number;
  readonly width: number;
  readonly dtype: DType;
  /** Bytes of its samples. */
  readonly frame: number;
  readonly count: number;
  readonly description: Uint8Array;
}

/** Where the pages of one file lie. */
class Pages implements TiffPages {
  readonly headerBytes: number;
  readonly footerBytes: number;
  readonly #first: number;
  readonly #directories: Directories;
  readonly #form: DirectoryForm;

  /** Pages of a classic file, or of a `big` one, with addresses of 64 bits. */
  constructor(private readonly page: Page, big: boolean) {
    const { height, width, dtype, frame, description: { length: count } } = page;
    const { itemSize, kind } = dtypeInfo(dtype), directories = new Directories(big);
    const one = (tag: number, type: Tag["type"], value: number): Tag => ({ tag, type, values: [value] });
    const tags: Tag[] = [
      one(256, "long", width),
      one(257, "long", height),
      one(258, "short", 8 * itemSize), // bits of a sample
      one(259, "short", 1), // not compressed
      one(262, "short", 1), // black is zero
      { tag: 270, type: "ascii", values: { count, place: directories.header } },
      { tag: OFFSETS, type: "place", values: { count: 1 } },
      one(277, "short", 1), // samples per pixel
      one(278, "long", height), // rows of the one strip
      one(279, "place", frame),
      one(339, "short", SAMPLE_FORMATS[kind]),
    ];
    this.#directories = directories;
    this.#first = roundUp(directories.header + count, 8);
    this.#form = directories.formOf(tags);
    this.headerBytes = directories.sizeOf(tags);
    this.footerBytes = frame % 2; // directories lie at even places
  }

  /** Bytes from a page to the next. */
  get #pitch(): number {
    return this.headerBytes + this.page.frame + this.footerBytes;
  }

  /** One past the last byte. */
  get end(): number {
    return this.#first + this.page.count * this.#pitch;
  }

  get head(): Uint8Array {
    const bytes = this.#directories.head(this.#first);
    bytes.set(this.page.description, this.#directories.header);
    return bytes;
  }

  readonly header = (i: number): Uint8Array => {
    const at = this.#first + i * this.#pitch, bytes = new Uint8Array(this.headerBytes);
    const next = i + 1 < this.page.count ? at + this.#pitch : 0;
    const values = new Map([[OFFSETS, { list: [at + this.headerBytes], first: 0 }]]);
    putDirectory(this.#form, { at, next, values }, new DataView(bytes.buffer), 0);
    return bytes;
  };
}
