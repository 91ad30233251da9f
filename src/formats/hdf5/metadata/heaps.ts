/**
 * The heaps of HDF5: local ones with the names of old groups, global ones with texts of any length, fractal ones.
 *
 * @module
 */

import { bytesFor, treeRecords } from "./btrees.ts";
import { CHECKSUM_BYTES, compare, type Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";

/** The data segment of the local heap at `address`. */
export async function readLocalHeap(file: Hdf5File, address: number): Promise<Cursor> {
  const head = await file.read(address, 8 + 2 * file.lengthSize + file.offsetSize);
  head.signature("HEAP");
  head.version("a local heap", 0);
  head.skip(3);
  const size = file.length(head);
  head.optional(file.lengthSize); // free list
  return await file.read(file.knownAddress(head, "a local heap's data"), size);
}

/** The text at byte `offset` of a local heap. */
export function heapText(heap: Cursor, offset: number): string {
  heap.position = 0;
  heap.skip(offset);
  return heap.textToZero();
}

/** An object of a global heap: the collection at `address`, entry `index`. */
export async function readGlobalObject(file: Hdf5File, address: number, index: number): Promise<Cursor> {
  const head = await file.read(address, 8 + file.lengthSize);
  head.signature("GCOL");
  head.version("a global heap", 1);
  head.skip(3);
  const size = file.length(head);
  const heap = await file.read(address, size);
  const headBytes = align8(8 + file.lengthSize);
  heap.skip(Math.min(size, headBytes));
  while (heap.left >= headBytes) {
    const start = heap.position;
    const number = heap.u16();
    heap.skip(6);
    const length = file.length(heap);
    if (number === 0) break; // the rest is free
    heap.position = start + headBytes;
    if (number === index) return heap.part(length);
    heap.skip(Math.min(heap.left, align8(length)));
  }
  throw head.error("malformed", `the global heap has no object ${index}`, 0);
}

/** Heads and objects of a global heap begin at multiples of eight bytes. */
function align8(bytes: number): number {
  return bytes + (8 - bytes % 8) % 8;
}

// Fractal heaps: where new groups keep their links, and objects their many attributes.

/** Indirect blocks inside of each other. */
const MOST_LEVELS = 16;

/** A direct or indirect block: where it is, and the bytes of the heap that it has. */
interface Block {
  readonly address: number;
  readonly start: number;
  readonly size: number;
}

/** A fractal heap whose objects can be read by their id. */
export class FractalHeap {
  /** Blocks whose checksum was right. */
  readonly #sound = new Set<number>();
  /** Children of indirect blocks, by address. */
  readonly #indirect = new Map<number, readonly (number | undefined)[]>();

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
    const { root, rows, startBlock, mostDirect } = this.facts;
    if (root === undefined) throw id.error("malformed", "an object is in an empty heap");
    if (rows === 0) {
      return await this.#inBlock({ address: root, start: 0, size: startBlock }, offset, length, id);
    }
    let [address, start, inside] = [root, 0, rows];
    for (let level = 0; level <= MOST_LEVELS; level++) { // down through indirect blocks
      const children = this.#indirect.get(address) ?? await this.#readIndirect(address, inside);
      const child = this.#childAt(children, inside, start, offset, id);
      if (child.size <= mostDirect) return await this.#inBlock(child, offset, length, id);
      [address, start, inside] = [child.address, child.start, this.#rowsOf(child.size)];
    }
    throw id.error("malformed", "a fractal heap is nested too deeply");
  }

  /** Rows of an indirect block for `size` bytes of the heap. */
  #rowsOf(size: number): number {
    const { startBlock, width } = this.facts;
    return Math.log2(size) - Math.log2(startBlock * width) + 1;
  }

  /** The addresses of the children of an indirect block with `rows` rows. */
  async #readIndirect(address: number, rows: number): Promise<readonly (number | undefined)[]> {
    const { width, heapBits } = this.facts;
    const head = 5 + this.file.offsetSize + Math.ceil(heapBits / 8);
    const bytes = head + rows * width * this.file.offsetSize;
    const block = await this.file.checked(address, bytes, "an indirect block of a fractal heap");
    block.signature("FHIB");
    block.skip(head - 4);
    const children = Array.from({ length: rows * width }, () => this.file.address(block));
    this.#indirect.set(address, children);
    return children;
  }

  /** The child that has byte `offset` of the heap, in an indirect block whose first one is `start`. */
  #childAt(
    children: readonly (number | undefined)[],
    rows: number,
    start: number,
    offset: number,
    id: Cursor,
  ): Block {
    const { width, startBlock } = this.facts;
    let at = start;
    for (let row = 0; row < rows; row++) {
      const size = startBlock * (row === 0 ? 1 : 2 ** (row - 1));
      if (offset >= at && offset < at + width * size) {
        const column = Math.floor((offset - at) / size);
        const address = children[row * width + column];
        if (address === undefined) throw id.error("malformed", "an object is in a missing block of its heap");
        return { address, start: at + column * size, size };
      }
      at += width * size;
    }
    throw id.error("malformed", `an object at byte ${offset} of its heap lies outside of it`);
  }

  async #inBlock(
    { address, start, size }: Block,
    offset: number,
    length: number,
    id: Cursor,
  ): Promise<Cursor> {
    if (offset - start + length > size) throw id.error("malformed", "an object is larger than its block");
    if (this.facts.hasChecksums && !this.#sound.has(address)) await this.#checkBlock(address, size);
    const at = address + offset - start;
    return this.file.atHand(at, length) ?? await this.file.read(at, length);
  }

  /** Refuses a direct block with a wrong checksum, which lies in its head and was made with zeros in its place. */
  async #checkBlock(address: number, size: number): Promise<void> {
    const block = (await this.file.read(address, size)).copy();
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
    for await (const records of treeRecords(this.file, hugeTree)) {
      for (const record of records) {
        const address = this.file.knownAddress(record, "a huge object");
        const length = this.file.length(record);
        if (this.file.length(record) === key) return await this.file.read(address, length);
      }
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
