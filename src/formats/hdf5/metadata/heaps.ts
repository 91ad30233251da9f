/**
 * The heaps of HDF5: local ones with the names of old groups, global ones with texts of any length.
 *
 * @module
 */

import type { Cursor } from "./cursor.ts";
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
