/**
 * Ranges of the memory of a run, as bytes.
 *
 * @module
 */

import type { MemoryRows } from "./task.ts";

/** The bytes of `ranges` as a worker has them in its memory, in order. */
export function ownViews(memory: WebAssembly.Memory, ranges: readonly MemoryRows[]): Uint8Array[] {
  return viewsOf(
    memory,
    ranges.map((range) => ({ ...range, offset: range.from ?? range.offset })),
  );
}

/** The bytes of `ranges` in a memory, in order. */
export function viewsOf(memory: WebAssembly.Memory, ranges: readonly MemoryRows[]): Uint8Array[] {
  return ranges.flatMap(({ offset, bytes, rows = 1, stride = bytes }) =>
    Array.from({ length: rows }, (_, row) => new Uint8Array(memory.buffer, offset + row * stride, bytes))
  );
}

/** How many bytes `ranges` have. */
export function bytesIn(ranges: readonly MemoryRows[]): number {
  return ranges.reduce((sum, { bytes, rows = 1 }) => sum + bytes * rows, 0);
}

/** Puts `bytes` into `views`, one after another. */
export function spread(bytes: Uint8Array, views: readonly Uint8Array[]): void {
  let at = 0;
  for (const view of views) {
    view.set(bytes.subarray(at, at + view.length));
    at += view.length;
  }
}
