/**
 * Fractal heaps: where new groups keep their links, and objects their many attributes.
 *
 * @module
 */

import { treeRecords } from "./btree2.ts";
import { CHECKSUM_BYTES, compare } from "./checksum.ts";
import type { Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";

/** A fractal heap whose objects can be read by their id. */
export class FractalHeap {
  /** Blocks whose checksum was right. */
  readonly #sound = new Set<number>();

  private constructor(
    private readonly file: Hdf5File,
    private readonly facts: HeapFacts,
  ) {}

  /** Reads the header at `address`. */
  static async open(file: Hdf5File, address: number): Promise<FractalHeap> {
    const start = await file.read(address, 9);
    start.skip(7);
    const filterBytes = start.u16();
    const own = 22 + 12 * file.lengthSize + 3 * file.offsetSize;
    const bytes = own + (filterBytes > 0 ? file.lengthSize + 4 + filterBytes : 0);
    const head = await file.checked(address, bytes, "a fractal heap");
    head.signature("FRHP");
    head.version("a fractal heap", 0);
    const idLength = head.u16();
    head.skip(2);
    const hasChecksums = (head.u8() & 2) !== 0;
    const mostManaged = head.u32();
    head.skip(file.lengthSize); // next huge id
    const hugeTree = file.address(head);
    head.skip(file.lengthSize + file.offsetSize + 8 * file.lengthSize);
    const width = head.u16();
    const startBlock = file.length(head);
    const mostDirect = file.length(head);
    const heapBits = head.u16();
    head.skip(2);
    const root = file.address(head);
    const rows = head.u16();
    if (filterBytes > 0) throw head.error("unsupported", "a fractal heap is compressed", 0);
    if (width === 0 || startBlock === 0 || heapBits > 64) {
      throw head.error("malformed", "a fractal heap has no shape", 0);
    }
    return new FractalHeap(file, {
      idLength,
      mostManaged,
      hugeTree,
      width,
      startBlock,
      mostDirect,
      heapBits,
      root,
      rows,
      hasChecksums,
    });
  }

  /** Bytes of an id. */
  get idLength(): number {
    return this.facts.idLength;
  }

  /** The object that `id` names. */
  async get(id: Cursor): Promise<Cursor> {
    const first = id.u8();
    const { heapBits, mostDirect, mostManaged } = this.facts;
    switch (first >> 4 & 3) {
      case 0: {
        const offset = id.uint(Math.ceil(heapBits / 8));
        const length = id.uint(bytesFor(Math.min(mostDirect, mostManaged)));
        return await this.#managed(offset, length, id);
      }
      case 1:
        return await this.#huge(id);
      default: { // tiny: the object is in the id
        const length = (first & 15) + 1;
        return id.part(length);
      }
    }
  }

  async #managed(offset: number, length: number, id: Cursor): Promise<Cursor> {
    const { root, rows, startBlock } = this.facts;
    if (root === undefined) throw id.error("malformed", "an object is in an empty heap");
    if (rows === 0) return await this.#inBlock(root, 0, startBlock, offset, length, id);
    return await this.#inIndirect(root, 0, rows, offset, length, id, 0);
  }

  /** Walks down from an indirect block whose first byte of heap space is `start`. */
  async #inIndirect(
    address: number,
    start: number,
    rows: number,
    offset: number,
    length: number,
    id: Cursor,
    level: number,
  ): Promise<Cursor> {
    if (level > 16) throw id.error("malformed", "a fractal heap is nested too deeply");
    const { width, heapBits, mostDirect, startBlock } = this.facts;
    const head = 5 + this.file.offsetSize + Math.ceil(heapBits / 8);
    const bytes = head + rows * width * this.file.offsetSize;
    const block = await this.file.checked(address, bytes, "an indirect block of a fractal heap");
    block.signature("FHIB");
    block.skip(head - 4);
    let at = start;
    for (let row = 0; row < rows; row++) {
      const size = startBlock * (row === 0 ? 1 : 2 ** (row - 1));
      for (let column = 0; column < width; column++, at += size) {
        const child = this.file.address(block);
        if (offset < at || offset >= at + size) continue;
        if (child === undefined) throw id.error("malformed", "an object is in a missing block of its heap");
        if (size <= mostDirect) return await this.#inBlock(child, at, size, offset, length, id);
        const childRows = Math.log2(size) - Math.log2(startBlock * width) + 1;
        return await this.#inIndirect(child, at, childRows, offset, length, id, level + 1);
      }
    }
    throw id.error("malformed", `an object at byte ${offset} of its heap lies outside of it`);
  }

  async #inBlock(address: number, start: number, size: number, offset: number, length: number, id: Cursor) {
    if (offset - start + length > size) throw id.error("malformed", "an object is larger than its block");
    if (this.facts.hasChecksums) await this.#checkBlock(address, size);
    return await this.file.read(address + offset - start, length);
  }

  /** Refuses a direct block with a wrong checksum, which lies in its head and was made with zeros in its place. */
  async #checkBlock(address: number, size: number): Promise<void> {
    if (this.#sound.has(address)) return;
    const block = await this.file.read(address, size);
    block.signature("FHDB");
    block.skip(1 + this.file.offsetSize + Math.ceil(this.facts.heapBits / 8));
    const at = block.position;
    const stored = block.u32();
    block.bytes.fill(0, at, at + CHECKSUM_BYTES);
    compare(block, stored, "a block of a fractal heap");
    this.#sound.add(address);
  }

  async #huge(id: Cursor): Promise<Cursor> {
    const { hugeTree, idLength } = this.facts;
    const { offsetSize, lengthSize } = this.file;
    if (idLength - 1 >= offsetSize + lengthSize) { // the id says where
      const address = this.file.knownAddress(id, "a huge object");
      return await this.file.read(address, this.file.length(id));
    }
    const key = id.uint(Math.min(8, idLength - 1));
    if (hugeTree === undefined) throw id.error("malformed", "a huge object has no index");
    for await (const record of treeRecords(this.file, hugeTree)) {
      const address = this.file.knownAddress(record, "a huge object");
      const length = this.file.length(record);
      if (this.file.length(record) === key) return await this.file.read(address, length);
    }
    throw id.error("malformed", `the heap has no huge object ${key}`);
  }
}

interface HeapFacts {
  readonly idLength: number;
  readonly mostManaged: number;
  readonly hugeTree: number | undefined;
  readonly width: number;
  readonly startBlock: number;
  readonly mostDirect: number;
  readonly heapBits: number;
  readonly root: number | undefined;
  readonly rows: number;
  /** Whether direct blocks have checksums. */
  readonly hasChecksums: boolean;
}

/** Bytes that a number up to `most` takes. */
function bytesFor(most: number): number {
  return Math.floor(Math.log2(Math.max(1, most)) / 8) + 1;
}
