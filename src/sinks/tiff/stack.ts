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

const [ASCII, SHORT, LONG, LONG8] = [2, 3, 4, 16];
const MOST_CLASSIC = 2 ** 32 - 1;
/** SampleFormat by kinds of sample types: whole numbers without and with a sign, floats, complex ones. */
const FORMATS = { b: 1, u: 1, i: 2, f: 3, c: 6 } as const;

/** The bytes around pages. */
export interface TiffPages {
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

/** Where the pages of one file lie; `big`: with addresses of 64 bits. */
class Pages implements TiffPages {
  readonly #first: number;
  readonly headerBytes: number;
  readonly footerBytes: number;

  constructor(private readonly page: Page, private readonly big: boolean) {
    this.#first = roundUp((big ? 16 : 8) + page.description.length, 8);
    const tags = 11;
    this.headerBytes = roundUp(big ? 8 + 20 * tags + 8 : 2 + 12 * tags + 4, 8);
    this.footerBytes = page.frame % 2; // directories lie at even places
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
    const bytes = new Uint8Array(this.#first);
    const view = new DataView(bytes.buffer);
    bytes.set([0x49, 0x49, this.big ? 43 : 42, 0]);
    if (this.big) {
      view.setUint16(4, 8, true);
      view.setBigUint64(8, BigInt(this.#first), true);
    } else view.setUint32(4, this.#first, true);
    bytes.set(this.page.description, this.big ? 16 : 8);
    return bytes;
  }

  readonly header = (i: number): Uint8Array => {
    const { height, width, dtype, frame, count, description } = this.page;
    const { itemSize, kind } = dtypeInfo(dtype);
    const at = this.#first + i * this.#pitch;
    const tags: (readonly [tag: number, type: number, value: number, count?: number])[] = [
      [256, LONG, width],
      [257, LONG, height],
      [258, SHORT, 8 * itemSize], // bits of a sample
      [259, SHORT, 1], // not compressed
      [262, SHORT, 1], // black is zero
      [270, ASCII, this.big ? 16 : 8, description.length],
      [273, this.big ? LONG8 : LONG, at + this.headerBytes],
      [277, SHORT, 1], // samples per pixel
      [278, LONG, height], // rows of the one strip
      [279, this.big ? LONG8 : LONG, frame],
      [339, SHORT, FORMATS[kind]],
    ];
    return this.#directory(tags, i + 1 < count ? at + this.#pitch : 0);
  };

  #directory(tags: readonly (readonly [number, number, number, number?])[], next: number): Uint8Array {
    const bytes = new Uint8Array(this.headerBytes);
    const view = new DataView(bytes.buffer);
    const word = (at: number, value: number) =>
      this.big ? view.setBigUint64(at, BigInt(value), true) : view.setUint32(at, value, true);
    const size = this.big ? 8 : 4;
    if (this.big) word(0, tags.length);
    else view.setUint16(0, tags.length, true);
    tags.forEach(([tag, type, value, count = 1], t) => {
      const at = (this.big ? 8 : 2) + t * (4 + 2 * size);
      view.setUint16(at, tag, true);
      view.setUint16(at + 2, type, true);
      word(at + 4, count);
      if (type === SHORT) view.setUint16(at + 4 + size, value, true);
      else if (type === LONG) view.setUint32(at + 4 + size, value, true);
      else word(at + 4 + size, value);
    });
    word((this.big ? 8 : 2) + tags.length * (4 + 2 * size), next);
    return bytes;
  }
}
