/**
 * Fences: memory between leases that must not be touched. In tests they find reads and writes outside of leases. What makes them is
 * no part of the product: tests call {@link useFencing}, and workers import the same code when they open a job.
 *
 * @module
 */

/** Memory that may be touched. */
export interface FencedRange {
  /** Its address. */
  readonly pointer: number;
  /** Its bytes. */
  readonly bytes: number;
  /** What it is for. */
  readonly label: string;
}

/** Knows which memory may be touched, and finds forbidden memory that was touched. Addresses are in bytes. */
export interface Fences {
  /** Lets `bytes` bytes be touched. */
  allow(start: number, bytes: number, label?: string): void;
  /** Makes the bytes from `start` to `stop` a fence. */
  raise(start: number, stop: number): void;
  /** Lets nothing but `ranges` be touched from `start` to `stop`; what lies between them becomes a fence. */
  outline(start: number, stop: number, ranges: readonly FencedRange[]): void;
  /** Throws if a forbidden byte from `start` to `stop` has been written to; all forbidden bytes there must once have been fences. */
  check(start: number, stop: number): void;
  /** The first forbidden byte from `start` to `stop` that has been written to; it is reported only once. */
  touched(start: number, stop: number): number | undefined;
  /** The error of a kernel that reads or writes `bytes` bytes at `address`. */
  outside(address: number, bytes: number, writes: boolean): Error;
}

/** The places of all leases of one memory. */
export interface FencedRoom {
  /** The address of a lease; two successive leases never have the same address. */
  place(bytes: number, label: string): number;
  /** Takes a lease back; throws if fences have been written to. */
  free(offset: number): void;
}

/** The ranges of a slab, with fences between them. */
export interface FencedCuts {
  /** The fences, which know which memory may be touched. */
  readonly fences: Fences;
  /** The address of a range; its contents are not zeros. */
  cut(bytes: number, label: string): number;
  /** Memory beyond the slab, from the other end of its room, if there is enough; none of it may be touched. */
  spare(bytes: number): number | undefined;
  /** Forgets all ranges. */
  reset(): void;
  /** Throws if something was written between the ranges. */
  check(): void;
}

/** What fences do for arenas, slabs and buffers. */
export interface Fencing {
  /** The module that exports it as `FENCING`. */
  readonly module: string;
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

/** Lets this thread know the fences of the thread that has sent `module`, if it knows any. */
export async function learnFencing(module: string | undefined): Promise<void> {
  if (module !== undefined) found ??= (await import(module) as { readonly FENCING: Fencing }).FENCING;
}
