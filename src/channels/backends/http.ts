/**
 * Files of a server, for reading: small reads by blocks that are kept, large ones directly by range requests. Every answer is
 * checked to be of the version that was opened.
 *
 * @module
 */

import { openHttp } from "../../io/http/http.ts";
import type { HttpOptions } from "../../io/http/link.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type BackEnd, type Errno, fileError, type FileFacts, type OpenFlags, partsOf } from "./back_end.ts";

// Blocks of files on servers, in a part of the memory of a host that never grows; the block that was used longest ago makes
// room for a new one.

/** Reads a block, from its start, into the place it is given. */
type ReadBlock = (into: Uint8Array, index: number) => Promise<void>;

interface Block {
  readonly key: string;
  readonly place: Uint8Array;
  readonly arrived: Promise<void>;
  /** Those who wait for it, or copy from it: it keeps its place for them. */
  users: number;
}

/** A cache of blocks of one size. */
class BlockCache {
  readonly #blocks = new Map<string, Block>(); // the first one was used longest ago
  readonly #free: Uint8Array[] = [];

  /** A cache in `room`, of blocks of `blockBytes`. */
  constructor(room: Uint8Array, readonly blockBytes: number) {
    for (let at = 0; at + blockBytes <= room.length; at += blockBytes) {
      this.#free.push(room.subarray(at, at + blockBytes));
    }
  }

  /**
   * Copies bytes of block `index` of the file `key`: those from `from` on, as many as `into` holds. `bytes`: how many the block
   * has. Returns false when all places are in use: the caller then reads without the cache.
   */
  async copy(
    key: string,
    index: number,
    bytes: number,
    from: number,
    into: Uint8Array,
    read: ReadBlock,
  ): Promise<boolean> {
    const block = this.#block(`${key} ${index}`, bytes, (place) => read(place, index));
    if (!block) return false;
    block.users++;
    try {
      await block.arrived;
      into.set(block.place.subarray(from, from + into.length));
    } finally {
      block.users--;
    }
    return true;
  }

  /** Forgets the blocks of a file. */
  forget(key: string): void {
    for (const block of this.#blocks.values()) {
      if (block.key.startsWith(`${key} `) && block.users === 0) this.#drop(block);
    }
  }

  #block(key: string, bytes: number, read: (place: Uint8Array) => Promise<void>): Block | undefined {
    const known = this.#blocks.get(key);
    if (known) {
      this.#blocks.delete(key);
      this.#blocks.set(key, known);
      return known;
    }
    const place = this.#place();
    if (!place) return undefined;
    const arrived = read(place.subarray(0, bytes));
    const block: Block = { key, place, arrived, users: 1 };
    this.#blocks.set(key, block);
    arrived.catch(() => this.#drop(block)).finally(() => block.users--); // one that failed is asked for again
    return block;
  }

  #place(): Uint8Array | undefined {
    if (this.#free.length === 0) {
      for (const block of this.#blocks.values()) {
        if (block.users > 0) continue;
        this.#drop(block);
        break;
      }
    }
    return this.#free.pop();
  }

  #drop(block: Block): void {
    if (this.#blocks.get(block.key) !== block) return;
    this.#blocks.delete(block.key);
    this.#free.push(block.place);
  }
}

/** Where the files are, and how they are asked for. */
interface HttpPlace {
  /** The URL below which names are resolved. */
  readonly url: string;
  /** Bytes of a block. */
  readonly blockBytes: number;
  /** Options of requests. */
  readonly request: Omit<HttpOptions, "fetch" | "allow">;
}

/** Files of a server, read-only; `room` is the memory for blocks. */
export class HttpFiles implements BackEnd {
  /** See {@link BackEnd.synchronous}. */
  readonly synchronous = false;
  readonly #open = new Map<number, ByteSource>();
  readonly #cache: BlockCache;
  readonly #base: URL;
  #last = 0;

  /** Files below a URL. */
  constructor(private readonly place: HttpPlace, room: Uint8Array) {
    this.#base = new URL(place.url.endsWith("/") ? place.url : `${place.url}/`);
    this.#cache = new BlockCache(room, place.blockBytes);
  }

  /** See {@link BackEnd.open}. */
  async open(name: string, flags: OpenFlags): Promise<number> {
    if (flags !== "r") throw this.#readOnly("EROFS", `open ${name} for writing`);
    const source = await this.#source(name);
    this.#open.set(++this.#last, source);
    return this.#last;
  }

  /** See {@link BackEnd.close}. */
  async close(file: number): Promise<void> {
    const source = this.#found(file);
    this.#open.delete(file);
    this.#cache.forget(`${file}`);
    await source[Symbol.asyncDispose]();
  }

  /** See {@link BackEnd.size}. */
  size(file: number): number {
    return this.#found(file).size;
  }

  /** See {@link BackEnd.read}. */
  async read(file: number, bytes: Uint8Array, at: number, length: number, position: number): Promise<number> {
    const source = this.#found(file);
    const count = Math.max(0, Math.min(length, source.size - position));
    if (count === 0) return 0;
    const into = bytes.subarray(at, at + count);
    if (count > this.place.blockBytes) await source.readInto(into, position);
    else await this.#byBlocks(file, source, into, position);
    return count;
  }

  async #byBlocks(file: number, source: ByteSource, into: Uint8Array, position: number): Promise<void> {
    const { blockBytes } = this.place;
    const read = async (place: Uint8Array, index: number) => await source.readInto(place, index * blockBytes);
    for (let done = 0; done < into.length;) {
      const index = Math.floor((position + done) / blockBytes), from = (position + done) % blockBytes;
      const part = into.subarray(done, done + Math.min(blockBytes - from, into.length - done));
      const has = Math.min(blockBytes, source.size - index * blockBytes);
      const isThere = await this.#cache.copy(`${file}`, index, has, from, part, read);
      if (!isThere) await source.readInto(part, position + done);
      done += part.length;
    }
  }

  /** See {@link BackEnd.write}. */
  write(): never {
    throw this.#readOnly("EROFS", "write");
  }

  /** See {@link BackEnd.flush}: nothing was written. */
  flush(file: number): void {
    this.#found(file);
  }

  /** See {@link BackEnd.truncate}. */
  truncate(): never {
    throw this.#readOnly("EROFS", "cut a file");
  }

  /** See {@link BackEnd.stat}; a server has no directories. */
  async stat(name: string): Promise<FileFacts> {
    const source = await this.#source(name);
    await source[Symbol.asyncDispose]();
    return { bytes: source.size, kind: "file" };
  }

  /** See {@link BackEnd.list}. */
  list(name: string): never {
    throw this.#readOnly("ENOTSUP", `list ${name}`);
  }

  /** See {@link BackEnd.remove}. */
  remove(name: string): never {
    throw this.#readOnly("EROFS", `remove ${name}`);
  }

  /** See {@link BackEnd.mkdir}. */
  mkdir(name: string): never {
    throw this.#readOnly("EROFS", `make ${name}`);
  }

  #source(name: string): Promise<ByteSource> {
    const way = partsOf(name, this.#base.href).map(encodeURIComponent).join("/");
    const wholeLimit = this.place.blockBytes; // a server without ranges: small files only, as they stay in memory
    return openHttp(new URL(this.#base.pathname + way, this.#base), { wholeLimit, ...this.place.request });
  }

  #readOnly(errno: Errno, what: string) {
    return fileError(errno, `Cannot ${what}: the server ${this.#base.origin} is read only`);
  }

  #found(file: number): ByteSource {
    const source = this.#open.get(file);
    if (source) return source;
    throw fileError("EBADF", "Cannot use a file of a server: it has been closed");
  }
}
