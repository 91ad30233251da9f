/**
 * The pages of an HDF5 file that were read last: structures lie close together, and most are small.
 *
 * @module
 */

import { type ByteSource, readBytes } from "../../../io/source/source.ts";

/** Bytes of a page. */
export const PAGE_BYTES = 65536;
/** Pages that are kept: 8 MiB. */
const MOST_PAGES = 128;
/** Most pages per read when successive pages are requested. */
const MOST_AT_ONCE = 8;

/** A cache of pages; the one used longest ago is dropped first. */
export class Pages {
  readonly #pages = new Map<number, Uint8Array | Promise<Uint8Array>>();
  /** The page used last, which is the last of the map. */
  #last = -1;
  /** The page behind those that were read last, and how many they were. */
  #next = -1;
  #run = 1;

  /** Pages of `source`. */
  constructor(private readonly source: ByteSource, private readonly signal: AbortSignal | undefined) {}

  /** A page that is there. */
  atHand(page: number): Uint8Array | undefined {
    const bytes = this.#pages.get(page);
    if (!(bytes instanceof Uint8Array)) return undefined;
    if (page !== this.#last) this.#put(page, bytes);
    return bytes;
  }

  /** A page, read where it is not there. Errors: those of the source. */
  async get(page: number): Promise<Uint8Array> {
    if (!this.#pages.has(page)) this.#read(page, this.#inARow(page));
    return await this.#pages.get(page)!;
  }

  /** Begins to read a page, where there is one. */
  prefetch(page: number): void {
    if (page >= 0 && page * PAGE_BYTES < this.source.size && !this.#pages.has(page)) this.#read(page, 1);
  }

  /** How many pages to read from this one on: more and more as long as they follow each other. */
  #inARow(page: number): number {
    this.#run = page === this.#next ? Math.min(2 * this.#run, MOST_AT_ONCE) : 1;
    const left = Math.ceil(this.source.size / PAGE_BYTES) - page;
    let count = 1;
    while (count < Math.min(this.#run, left) && !this.#pages.has(page + count)) count++;
    this.#next = page + count;
    return count;
  }

  /** Begins to read `count` pages; failed ones are dropped, so that a later request reads them again. */
  #read(first: number, count: number): void {
    const at = first * PAGE_BYTES;
    const length = Math.min(count * PAGE_BYTES, this.source.size - at);
    const all = readBytes(this.source, at, length, this.signal);
    for (let i = 0; i < count; i++) {
      const bytes = all.then((read) => count === 1 ? read : read.slice(i * PAGE_BYTES, (i + 1) * PAGE_BYTES));
      this.#put(first + i, bytes);
      bytes.then(
        (read) => this.#pages.get(first + i) === bytes && this.#pages.set(first + i, read),
        () => this.#pages.get(first + i) === bytes && this.#pages.delete(first + i),
      );
    }
  }

  /** Puts a page at the end, as the one used last. */
  #put(page: number, bytes: Uint8Array | Promise<Uint8Array>): void {
    if (!this.#pages.delete(page) && this.#pages.size >= MOST_PAGES) {
      this.#pages.delete(this.#pages.keys().next().value!);
    }
    this.#pages.set(page, bytes);
    this.#last = page;
  }
}
