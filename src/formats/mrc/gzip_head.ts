/**
 * The first bytes of gzip files.
 *
 * @module
 */

/** Whether these are the first bytes of a gzip file. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}
