/**
 * The bytes that HDF5 files begin with, also behind a user block.
 *
 * @module
 */

/** The signature. */
export const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];

/** Where the signature is; it may lie far behind the first bytes, `head`. */
export async function findSignature(
  head: Uint8Array,
  size: number,
  bytesAt: (at: number, most: number) => Promise<Uint8Array>,
): Promise<number | undefined> {
  const found = signatureAt(head);
  if (found !== undefined) return found;
  for (let at = 512; at + 8 <= size; at *= 2) {
    if (at + 8 > head.length && isSignature(await bytesAt(at, 8))) return at;
  }
  return undefined;
}

/** The signature is at byte 0, or behind a user block of 512, 1024, 2048 … bytes. */
export function signatureAt(head: Uint8Array): number | undefined {
  for (let at = 0; at + 8 <= head.length; at = at === 0 ? 512 : 2 * at) {
    if (isSignature(head.subarray(at))) return at;
  }
  return undefined;
}

function isSignature(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}
