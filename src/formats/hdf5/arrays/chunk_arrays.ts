/**
 * Chunk indices that are arrays: of fixed size, and growing along one dimension.
 *
 * @module
 */

import { CHECKSUM_BYTES, type Cursor } from "../metadata/cursor.ts";
import type { Hdf5File } from "../metadata/file.ts";

/** Elements by their number, as cursors: those of a block or page together. */
export type Elements = AsyncGenerator<Iterable<[place: number, element: Cursor]>>;

/** The elements of the fixed array at `address`. */
export async function* fixedElements(file: Hdf5File, address: number): Elements {
  const head = await file.checked(address, 8 + file.lengthSize + file.offsetSize, "a fixed array");
  head.signature("FAHD");
  head.version("a fixed array", 0);
  head.skip(1);
  const elementBytes = head.u8();
  const pageBits = head.u8();
  const count = file.length(head);
  const block = file.address(head);
  if (block === undefined) return;
  if (elementBytes === 0 || count > 2 ** 26) {
    throw head.error("malformed", `a fixed array has ${count} elements`, 0);
  }
  const isPaged = count > 2 ** pageBits;
  const pageElements = isPaged ? 2 ** pageBits : count;
  const pages = Math.ceil(count / pageElements);
  const prefix = 6 + file.offsetSize;
  const bitmapBytes = isPaged ? Math.ceil(pages / 8) : 0;
  const start = await file.checked(
    block,
    prefix + (isPaged ? bitmapBytes : count * elementBytes),
    "a block of a fixed array",
  );
  start.signature("FADB");
  start.skip(prefix - 4);
  if (!isPaged) return yield elements(start, 0, count, elementBytes);
  const bitmap = start.take(bitmapBytes);
  let at = block + prefix + bitmapBytes + CHECKSUM_BYTES;
  for (let page = 0; page < pages; page++) {
    const first = page * pageElements;
    const inPage = Math.min(pageElements, count - first);
    const bytes = inPage * elementBytes;
    if (isSet(bitmap, page)) {
      yield elements(await file.checked(at, bytes, "a page of a fixed array"), first, inPage, elementBytes);
    }
    at += bytes + CHECKSUM_BYTES;
  }
}

/** The next `count` elements at the cursor; the first has the number `first`. */
function* elements(body: Cursor, first: number, count: number, bytes: number): Generator<[number, Cursor]> {
  for (let i = 0; i < count; i++) yield [first + i, body.part(bytes)];
}

/** Bit `n` of a bitmap whose bytes start with their highest bit. */
function isSet(bitmap: Uint8Array, n: number): boolean {
  return (bitmap[n >> 3]! & (0x80 >> (n & 7))) !== 0;
}

/** Facts of an extensible array. */
interface Extensible {
  readonly file: Hdf5File;
  readonly elementBytes: number;
  readonly bits: number;
  readonly inIndex: number;
  readonly leastInBlock: number;
  readonly leastPointers: number;
  readonly pageElements: number;
  /** One past the last element that was set. */
  readonly count: number;
}

/** The elements of the extensible array at `address`. */
export async function* extensibleElements(file: Hdf5File, address: number): Elements {
  const head = await file.checked(address, 12 + 6 * file.lengthSize + file.offsetSize, "an extensible array");
  head.signature("EAHD");
  head.version("an extensible array", 0);
  head.skip(1);
  const [elementBytes, bits, inIndex, leastInBlock, leastPointers, pageBits] = [0, 0, 0, 0, 0, 0].map(() =>
    head.u8()
  ) as [number, number, number, number, number, number];
  head.skip(4 * file.lengthSize);
  const count = file.length(head);
  head.skip(file.lengthSize);
  const index = file.address(head);
  if (index === undefined) return;
  const powers = [leastInBlock, leastPointers];
  if (
    elementBytes === 0 || bits > 64 || count > 2 ** 26 || powers.some((n) => n === 0 || (n & (n - 1)) !== 0)
  ) {
    throw head.error("malformed", "an extensible array has no sound shape", 0);
  }
  const array = {
    file,
    elementBytes,
    bits,
    inIndex,
    leastInBlock,
    leastPointers,
    pageElements: 2 ** pageBits,
    count,
  };
  yield* indexBlock(array, index);
}

/** The index block: some elements, then data blocks, then super blocks. */
async function* indexBlock(array: Extensible, address: number): Elements {
  const { file, elementBytes, inIndex, leastPointers, bits, leastInBlock } = array;
  const superBlocks = 1 + bits - Math.log2(leastInBlock);
  const direct = 2 * Math.log2(leastPointers); // super blocks whose data blocks the index block names itself
  const pointers = 2 * (leastPointers - 1) + Math.max(0, superBlocks - direct);
  const prefix = 6 + file.offsetSize;
  const bytes = prefix + inIndex * elementBytes + pointers * file.offsetSize;
  const body = await file.checked(address, bytes, "the index of an extensible array");
  body.signature("EAIB");
  body.skip(prefix - 4);
  const own = body.part(inIndex * elementBytes);
  yield elements(own, 0, Math.min(inIndex, array.count), elementBytes);
  let first = inIndex;
  for (let s = 0; s < superBlocks && first < array.count; s++) {
    const blocks = 2 ** Math.floor(s / 2);
    const inBlock = 2 ** Math.floor((s + 1) / 2) * leastInBlock;
    if (s >= direct) {
      const child = file.address(body);
      if (child !== undefined) yield* superBlock(array, child, first, blocks, inBlock);
      first += blocks * inBlock;
    } else {
      for (let b = 0; b < blocks; b++, first += inBlock) {
        const child = file.address(body);
        if (child !== undefined) yield* dataBlock(array, child, first, inBlock);
      }
    }
  }
}

/** A super block: the addresses of data blocks, and which of their pages were written. */
async function* superBlock(
  array: Extensible,
  address: number,
  start: number,
  blocks: number,
  inBlock: number,
): Elements {
  const { file, bits, pageElements } = array;
  const isPaged = inBlock > pageElements;
  const pages = isPaged ? inBlock / pageElements : 0;
  const bitmapBytes = Math.ceil(pages / 8);
  const prefix = 6 + file.offsetSize + Math.ceil(bits / 8);
  const bytes = prefix + blocks * (bitmapBytes + file.offsetSize);
  const body = await file.checked(address, bytes, "a super block of an extensible array");
  body.signature("EASB");
  body.skip(prefix - 4);
  const bitmaps = body.take(blocks * bitmapBytes);
  for (let b = 0, first = start; b < blocks && first < array.count; b++, first += inBlock) {
    const child = file.address(body);
    const written = (page: number) => isSet(bitmaps, b * pages + page); // bits of blocks follow without a gap
    if (child !== undefined) yield* dataBlock(array, child, first, inBlock, isPaged ? written : undefined);
  }
}

async function* dataBlock(
  { file, bits, elementBytes, pageElements, count }: Extensible,
  address: number,
  start: number,
  inBlock: number,
  written?: (page: number) => boolean,
): Elements {
  const prefix = 6 + file.offsetSize + Math.ceil(bits / 8);
  const bytes = prefix + (written ? 0 : inBlock * elementBytes);
  const head = await file.checked(address, bytes, "a block of an extensible array");
  head.signature("EADB");
  head.skip(prefix - 4);
  const left = Math.min(inBlock, count - start);
  if (!written) return yield elements(head, start, left, elementBytes);
  const pageBytes = pageElements * elementBytes;
  for (let page = 0; page * pageElements < left; page++) {
    if (!written(page)) continue;
    const at = address + prefix + CHECKSUM_BYTES + page * (pageBytes + CHECKSUM_BYTES);
    const body = await file.checked(at, pageBytes, "a page of an extensible array");
    const first = page * pageElements;
    yield elements(body, start + first, Math.min(pageElements, left - first), elementBytes);
  }
}
