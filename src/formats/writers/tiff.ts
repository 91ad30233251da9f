/**
 * Writes TIFF stacks: a page of float32 a frame, not compressed; BigTIFF where 4 GiB are not enough.
 *
 * ```
 * head      II 42 first₃₂  description            II 43 8 0 first₆₄ description
 * frame     tags of the page, next₃₂, samples     the same with 64 bits
 * ```
 * Every page stands beside its samples, so that any of them can be written by itself. Source of the layout: Adobe's TIFF
 * revision 6.0, and the BigTIFF proposal of libtiff.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, sizeOf } from "../../space/shape.ts";
import { cannotHold, type FrameWriter, plainLayout } from "./writer.ts";

const [ASCII, SHORT, LONG, LONG8] = [2, 3, 4, 16];
/** Samples that float32 holds exactly. */
const EXACT: readonly DType[] = ["bool", "uint8", "int8", "uint16", "int16", "float16", "float32"];
const MOST_CLASSIC = 2 ** 32 - 1;

/** A stack of pages. */
export const tiffWriter: FrameWriter = {
  id: "tiff",
  title: "TIFF",
  extensions: ["tif", "tiff"],
  sides: [],
  layout(frames) {
    const { nav, sig, dtype } = frames;
    const [height, width] = sig;
    if (sig.length !== 2 || dtypeInfo(dtype).kind === "c") {
      throw cannotHold(frames, "TIFF", "images of real numbers");
    }
    const description = new TextEncoder().encode(JSON.stringify({ shape: [...nav, ...sig] }) + "\0");
    const frame = checkedProduct([height!, width!, 4], "a page");
    const count = sizeOf(nav);
    const page = { height: height!, width: width!, frame, count, description: description.length };
    const classic = new Pages(page, false);
    const pages = classic.end <= MOST_CLASSIC ? classic : new Pages(page, true);
    return {
      ...plainLayout("float32", pages.head(description)),
      headerBytes: pages.headerBytes,
      header: (i) => pages.header(i),
      warnings: EXACT.includes(dtype) ? [] : [`Pages are float32: samples of ${dtype} may lose digits`],
    };
  },
};

interface Page {
  readonly height: number;
  readonly width: number;
  readonly frame: number;
  readonly count: number;
  readonly description: number;
}

/** Where the pages of one file lie; `big`: with addresses of 64 bits. */
class Pages {
  readonly #first: number;
  /** Bytes of the tags of a page. */
  readonly headerBytes: number;

  constructor(private readonly page: Page, private readonly big: boolean) {
    this.#first = roundUp((big ? 16 : 8) + page.description, 8);
    const tags = 11;
    this.headerBytes = roundUp(big ? 8 + 20 * tags + 8 : 2 + 12 * tags + 4, 8);
  }

  /** One past the last byte. */
  get end(): number {
    const { count, frame } = this.page;
    return this.#first + count * (this.headerBytes + frame);
  }

  /** Everything before the first page. */
  head(description: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.#first);
    const view = new DataView(bytes.buffer);
    bytes.set([0x49, 0x49, this.big ? 43 : 42, 0]);
    if (this.big) {
      view.setUint16(4, 8, true);
      view.setBigUint64(8, BigInt(this.#first), true);
    } else view.setUint32(4, this.#first, true);
    bytes.set(description, this.big ? 16 : 8);
    return bytes;
  }

  /** The tags of page `i`. */
  header(i: number): Uint8Array {
    const { height, width, frame, count, description } = this.page;
    const at = this.#first + i * (this.headerBytes + frame);
    const tags: (readonly [tag: number, type: number, value: number, count?: number])[] = [
      [256, LONG, width],
      [257, LONG, height],
      [258, SHORT, 32], // bits of a sample
      [259, SHORT, 1], // not compressed
      [262, SHORT, 1], // black is zero
      [270, ASCII, this.big ? 16 : 8, description],
      [273, this.big ? LONG8 : LONG, at + this.headerBytes],
      [277, SHORT, 1], // samples per pixel
      [278, LONG, height], // rows of the one strip
      [279, this.big ? LONG8 : LONG, frame],
      [339, SHORT, 3], // floats
    ];
    return this.#directory(tags, i + 1 < count ? at + this.headerBytes + frame : 0);
  }

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

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
