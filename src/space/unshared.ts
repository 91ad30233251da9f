/**
 * Bytes outside of shared memory: hashes, files and the WebAssembly compiler accept no others.
 *
 * @module
 */

/** The bytes themselves, or a copy of them where they lie in shared memory. */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isUnshared(bytes) ? bytes : bytes.slice();
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
