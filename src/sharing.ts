/**
 * Memory that threads share, where the platform has it: pages have it only if they are isolated from other origins.
 *
 * @module
 */

/** Whether threads can share memory here. */
export function canShare(): boolean {
  return typeof SharedArrayBuffer !== "undefined";
}

/** A buffer of `bytes` zeros: shared where that is possible, otherwise of this thread alone. */
export function newBuffer(bytes: number): ArrayBuffer | SharedArrayBuffer {
  return canShare() ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}
