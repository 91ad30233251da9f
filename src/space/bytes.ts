/**
 * Bytes: from base64 in every runtime, outside of shared memory, one after another.
 *
 * @module
 */

/**
 * The bytes that `text` encodes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...fromBase64("AQID")], [1, 2, 3]);
 * ```
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  type Decode = (text: string) => Uint8Array<ArrayBuffer>;
  const { fromBase64: decode } = Uint8Array as { fromBase64?: Decode }; // not in every runtime
  return decode ? decode.call(Uint8Array, text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** The bytes of an array, which are not copied. */
export function bytesOf<B extends ArrayBufferLike>(
  { buffer, byteOffset, byteLength }: ArrayBufferView<B>,
): Uint8Array<B> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

// Bytes outside of shared memory: hashes, files and the WebAssembly compiler accept no others.

/** The bytes themselves, or a copy of them where they lie in shared memory. */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isUnshared(bytes) ? bytes : bytes.slice();
}

/** The bytes of all parts, one after another, in memory of their own. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
