/**
 * Bytes with a known value at every position, so that a byte from the wrong place is seen.
 *
 * @module
 */

/** `length` bytes; the pattern repeats only after 251 × 256 bytes. */
export function pattern(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i % 251) ^ (Math.floor(i / 251) & 255));
}
