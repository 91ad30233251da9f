/**
 * Numbers at any place of a TIFF file: read in blocks that are kept, as directories lie close to each other, or all over it.
 *
 * @module
 */

import { cannot, type ErrorCode, TilewiseError } from "../../../errors.ts";
import { type ByteSource, ownSpecs, readBytes } from "../../../io/source/source.ts";
import type { ByteOrder } from "../../../space/dtype.ts";
import { Fields } from "../../common/fields.ts";

/** Bytes per read of a file, and of a source with a long latency. */
const BLOCK_BYTES = { near: 4096, far: 64 * 1024 } as const;
/** Bytes of blocks that are kept. */
const KEPT_BYTES = 4 * 2 ** 20;

/** What an error about a place says besides. */
interface FoundAt {
  /** Byte of the file. */
  readonly offset: number;
  /** What should be there. */
  readonly expected?: number | string;
  /** What is there. */
  readonly found?: number | string;
}

/** A TIFF file: its bytes, and how its numbers are stored. */
export class TiffBytes {
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #block: number;

  /**
   * @param source the file
   * @param byteOrder byte order of its numbers
   * @param isBig whether it is a BigTIFF, with offsets of 64 bits
   */
  constructor(
    readonly source: ByteSource,
    readonly byteOrder: ByteOrder,
    readonly isBig: boolean,
    private readonly signal?: AbortSignal,
  ) {
    const far = ownSpecs(source.describe()).some(({ kind }) => kind === "http" || kind === "blob");
    this.#block = far ? BLOCK_BYTES.far : BLOCK_BYTES.near;
  }

  /** Path or name of the file. */
  get name(): string {
    return this.source.name;
  }

  /** Bytes in the file. */
  get size(): number {
    return this.source.size;
  }

  /** The `length` bytes at `at`; `truncated` where the file ends before: `what` lies there. */
  read(at: number, length: number, what: string): Fields | Promise<Fields> {
    this.inside(at, length, what);
    const first = Math.floor(at / this.#block);
    const known = this.#blocks.get(first);
    if (known && at + length <= first * this.#block + known.length) {
      return this.#fields(known, first, at, length);
    }
    return this.#load(at, length);
  }

  /** Refuses a range that is not inside of the file. */
  inside(at: number, length: number, what: string): void {
    if (at >= 0 && at + length <= this.size) return;
    const text =
      `Cannot read ${this.name}: ${what} at byte ${at} goes to byte ${at + length}, the file ends at byte ` +
      `${this.size}`;
    const details = { file: this.name, offset: at, expected: at + length, found: this.size };
    throw new TilewiseError("truncated", text, details);
  }

  /** An error about a place of the file. */
  error(code: ErrorCode, problem: string, place: FoundAt): TilewiseError {
    return cannot("read", this.name, code, `at byte ${place.offset}, ${problem}`, { ...place });
  }

  /** Reads all blocks with these bytes, with one request. */
  async #load(at: number, length: number): Promise<Fields> {
    if (length > KEPT_BYTES / 2) {
      return new Fields(await readBytes(this.source, at, length, this.signal), this.name, this.byteOrder, at);
    }
    const [first, end] = [Math.floor(at / this.#block), Math.ceil((at + length) / this.#block)];
    const start = first * this.#block;
    const bytes = await readBytes(
      this.source,
      start,
      Math.min(end * this.#block, this.size) - start,
      this.signal,
    );
    for (let block = first; block < end; block++) {
      this.#keep(block, bytes.subarray((block - first) * this.#block, (block - first + 1) * this.#block));
    }
    return this.#fields(bytes, first, at, length);
  }

  #keep(block: number, bytes: Uint8Array): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, bytes);
    if (this.#blocks.size * this.#block > KEPT_BYTES) this.#blocks.delete(this.#blocks.keys().next().value!);
  }

  #fields(bytes: Uint8Array, first: number, at: number, length: number): Fields {
    const start = at - first * this.#block;
    return new Fields(bytes.subarray(start, start + length), this.name, this.byteOrder, at);
  }
}
