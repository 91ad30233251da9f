/**
 * An HDF5 file as a place to read structures from: superblock, sizes of addresses, and a small cache of pages.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { cannot, throwIfAborted, TilewiseError } from "../../../errors.ts";
import { type ByteSource, readBytes, readUpTo } from "../../../io/source/source.ts";
import { CHECKSUM_BYTES, Cursor, verified } from "./cursor.ts";
import { findSignature, SIGNATURE, signatureAt } from "./signature.ts";

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

/** Pages that are read at the same time, ahead of requests. */
const AHEAD = 8;
/** No single structure is larger: 64 MiB are an index of two million chunks. */
const MOST_BYTES = 2 ** 26;

/** Facts of the superblock. */
interface Superblock {
  readonly base: number;
  readonly offsetSize: number;
  readonly lengthSize: number;
  readonly end: number | undefined;
  readonly root: number;
  /** Address of the superblock's extension, an object header. */
  readonly extension?: number;
  /** Address of what the driver that wrote the file says of it. */
  readonly driver?: number;
}

/** An HDF5 file whose structures can be read by address. */
export class Hdf5File {
  /** Where addresses count from: the place of the superblock, which is the size of the user block. */
  readonly base: number;
  /** Bytes of an address. */
  readonly offsetSize: number;
  /** Bytes of a length. */
  readonly lengthSize: number;
  readonly #pages: Pages;

  private constructor(
    /** The bytes. */
    readonly source: ByteSource,
    /** What its superblock says. */
    private readonly superblock: Superblock,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#pages = new Pages(source, signal);
    ({ base: this.base, offsetSize: this.offsetSize, lengthSize: this.lengthSize } = superblock);
  }

  /** Whether `head`, the first bytes of a file, has the signature where it may be. */
  static hasSignature(head: Uint8Array): boolean {
    return signatureAt(head) !== undefined;
  }

  /**
   * Reads the superblock; whether the file is as long as that says is for {@link checkEnd} to tell. Errors: `malformed`,
   * `unsupported`.
   */
  static async open(source: ByteSource, signal?: AbortSignal): Promise<Hdf5File> {
    const bytesAt = (at: number, most: number) => readUpTo(source, at, most, signal);
    const at = await findSignature(await bytesAt(0, 4096), source.size, bytesAt);
    if (at === undefined) {
      throw cannot("read", source.name, "malformed", "it has no HDF5 signature");
    }
    const head = new Cursor(await readUpTo(source, at, 512, signal), at, source.name);
    head.skip(SIGNATURE.length);
    return new Hdf5File(source, moved(superblock(head), at), signal);
  }

  /** Refuses a file that is shorter than it says: `truncated`. */
  checkEnd(): void {
    const { source, end } = this;
    if (end === undefined || end <= source.size) return;
    const text = `its superblock says that it ends at byte ${end}, ` +
      `but it has ${source.size}: the file has been cut off`;
    throw cannot("read", source.name, "truncated", text, { expected: end, found: source.size });
  }

  /** Where it ends, as it says itself. */
  get end(): number | undefined {
    return this.superblock.end;
  }

  /** Address of the root group. */
  get root(): number {
    return this.superblock.root;
  }

  /** Address of an object header with more facts of the file. */
  get extension(): number | undefined {
    return this.superblock.extension;
  }

  /** Address of what the driver that wrote the file says of it. */
  get driver(): number | undefined {
    return this.superblock.driver;
  }

  /** Name for messages. */
  get name(): string {
    return this.source.name;
  }

  /** The `length` bytes at an address where they are in the cache; most are, and need no promise. */
  atHand(address: number, length: number): Cursor | undefined {
    throwIfAborted(this.signal);
    const at = this.base + address;
    const page = Math.floor(at / PAGE_BYTES);
    const start = at - page * PAGE_BYTES;
    const bytes = start + length <= PAGE_BYTES ? this.#pages.atHand(page) : undefined;
    return bytes && start + length <= bytes.length
      ? new Cursor(bytes, at, this.name, start, length)
      : undefined;
  }

  /** The `length` bytes at an address. */
  async read(address: number, length: number): Promise<Cursor> {
    const ready = this.atHand(address, length);
    if (ready) return ready;
    const at = this.base + address;
    if (length > MOST_BYTES || at + length > this.source.size) {
      const text = `Cannot read ${this.name}: a structure of ${length} bytes at byte ${at} does not fit ` +
        `its ${this.source.size} bytes`;
      const code = length > MOST_BYTES ? "malformed" : "truncated";
      throw new TilewiseError(code, text, { file: this.name, offset: at, expected: length });
    }
    const first = Math.floor(at / PAGE_BYTES);
    const last = Math.floor((at + Math.max(1, length) - 1) / PAGE_BYTES);
    if (last - first > 8) {
      return new Cursor(await readBytes(this.source, at, length, this.signal), at, this.name);
    }
    const bytes = new Uint8Array(length);
    for (let page = first; page <= last; page++) {
      const from = page * PAGE_BYTES;
      const start = Math.max(at, from);
      const part = (this.#pages.atHand(page) ?? await this.#pages.get(page)).subarray(
        start - from,
        at + length - from,
      );
      bytes.set(part, start - at);
    }
    return new Cursor(bytes, at, this.name);
  }

  /**
   * The structure at an address that has `length` bytes and its checksum behind them. Errors: `malformed`, where bytes
   * and checksum do not agree.
   */
  async checked(address: number, length: number, what: string): Promise<Cursor> {
    return verified(await this.read(address, length + CHECKSUM_BYTES), what);
  }

  /** As {@link checked}, where the bytes are in the cache. */
  checkedAtHand(address: number, length: number, what: string): Cursor | undefined {
    const whole = this.atHand(address, length + CHECKSUM_BYTES);
    return whole && verified(whole, what);
  }

  /** Begins to read what lies at `addresses`, some of them: over HTTP one request after another would take long. */
  prefetch(addresses: readonly number[]): void {
    for (const address of addresses.slice(0, AHEAD)) {
      this.#pages.prefetch(Math.floor((this.base + address) / PAGE_BYTES));
    }
  }

  /** As {@link read}, but fewer bytes where the file ends before. */
  readUpTo(address: number, most: number): Promise<Cursor> {
    return this.read(address, Math.max(0, Math.min(most, this.source.size - this.base - address)));
  }

  /** An address at the cursor. */
  address(cursor: Cursor): number | undefined {
    return cursor.optional(this.offsetSize);
  }

  /** An address that must be there. */
  knownAddress(cursor: Cursor, what: string): number {
    const at = cursor.position;
    const address = this.address(cursor);
    if (address !== undefined) return address;
    throw cursor.error("malformed", `the address of ${what} is missing`, at);
  }

  /** A length at the cursor. */
  length(cursor: Cursor): number {
    return cursor.uint(this.lengthSize);
  }
}

/**
 * The superblock as it is where it was found, at byte `at`: addresses count from there, and the end moves along. It says
 * something else where the user block was added or taken away after the file was written; HDF5 itself trusts what it finds.
 */
function moved(stored: Superblock, at: number): Superblock {
  const end = stored.end === undefined ? undefined : stored.end - stored.base + at;
  return { ...stored, base: at, end };
}

function superblock(cursor: Cursor): Superblock {
  const version = cursor.version("the superblock", 0, 1, 2, 3);
  return version < 2 ? oldSuperblock(cursor, version) : newSuperblock(cursor);
}

function oldSuperblock(cursor: Cursor, version: number): Superblock {
  cursor.skip(4); // versions of its parts, and a reserved byte
  const { offsetSize, lengthSize } = sizes(cursor);
  cursor.skip(1 + 4 + 4 + (version === 1 ? 4 : 0)); // reserved, sizes of tree nodes, flags
  const base = cursor.uint(offsetSize);
  cursor.optional(offsetSize); // free space
  const end = cursor.optional(offsetSize);
  const driver = cursor.optional(offsetSize);
  cursor.skip(lengthSize); // the root has no name
  const root = cursor.uint(offsetSize);
  return { base, offsetSize, lengthSize, end, root, ...defined({ driver }) };
}

function newSuperblock(cursor: Cursor): Superblock {
  const { offsetSize, lengthSize } = sizes(cursor);
  cursor.skip(1);
  const start = cursor.position;
  cursor.position = 0;
  verified(cursor.part(start + 4 * offsetSize + CHECKSUM_BYTES), "the superblock");
  cursor.position = start;
  const base = cursor.uint(offsetSize);
  const extension = cursor.optional(offsetSize);
  const end = cursor.optional(offsetSize);
  const root = cursor.uint(offsetSize);
  return { base, offsetSize, lengthSize, end, root, ...defined({ extension }) };
}

function sizes(cursor: Cursor): { offsetSize: number; lengthSize: number } {
  const [offsetSize, lengthSize] = [cursor.u8(), cursor.u8()];
  for (const size of [offsetSize, lengthSize]) {
    if (![2, 4, 8].includes(size)) throw cursor.error("malformed", `addresses or lengths have ${size} bytes`);
  }
  return { offsetSize, lengthSize };
}
