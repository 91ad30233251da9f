/**
 * Bytes put together by hand. Benches use it, which must run without fences.
 *
 * @module
 */

/** The bytes of many pieces, one after another. */
export function join(...pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Text as bytes. */
export function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
