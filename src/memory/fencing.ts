/**
 * The fences of tests, where there are any: `fences.ts` and `fenced_room.ts`, which programs do not load.
 *
 * @module
 */

import type { FencedCuts, FencedRoom } from "./fenced_room.ts";
import type { Fences } from "./fences.ts";

/** What fences do for arenas, slabs and buffers. */
export interface Fencing {
  /** Pages of a new memory with room for fences; the requested number if it gets none. */
  pages(pages: number): number;
  /** The places of leases in a memory that has got more pages. */
  room(memory: WebAssembly.Memory, start: number): FencedRoom;
  /** The cuts of a slab, if its memory has fences. */
  cuts(memory: WebAssembly.Memory, offset: number): FencedCuts | undefined;
  /** The fences of a memory, if it has any. */
  of(memory: WebAssembly.Memory): Fences | undefined;
  /** Bytes between arrays that share a lease. */
  bytes(): number;
}

let found: Fencing | undefined;

/** From now on, this thread knows fences. */
export function useFencing(fencing: Fencing): void {
  found = fencing;
}

/** What fences do, if this thread knows them. */
export function fencing(): Fencing | undefined {
  return found;
}
