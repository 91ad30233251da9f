/**
 * Reads the body of an HTTP answer into memory of known size, and no further.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { contentLength } from "./headers.ts";
import { TransientError } from "../source/retry.ts";

/** Called for every piece of a body that has arrived. */
export type Progress = (bytes: number) => void;

/**
 * Fills `into` with the body of `response`, which must have exactly that length. Reading stops as soon as a body is
 * longer, so that an endless body does no harm.
 *
 * @param name names the source, and `at` the offset of its bytes, in errors
 */
export async function fillBody(
  response: Response,
  into: Uint8Array,
  name: string,
  at: number,
  progress: Progress = () => {},
): Promise<void> {
  const declared = contentLength(response.headers);
  if (declared !== undefined && declared > into.byteLength) {
    throw tooMany(name, at, into.byteLength, declared);
  }
  let done = 0;
  for await (const piece of pieces(response)) {
    if (done + piece.byteLength > into.byteLength) {
      throw tooMany(name, at, into.byteLength, done + piece.byteLength);
    }
    into.set(piece, done);
    done += piece.byteLength;
    progress(piece.byteLength);
  }
  if (done < into.byteLength) throw tooFew(name, at, into.byteLength, done);
}

/** The whole body of `response`, or `undefined` when it has more than `limit` bytes. */
export async function collectBody(
  response: Response,
  limit: number,
  name: string,
  progress: Progress = () => {},
): Promise<Uint8Array | undefined> {
  const declared = contentLength(response.headers);
  if (declared !== undefined) {
    if (declared > limit) return undefined;
    const bytes = new Uint8Array(declared);
    await fillBody(response, bytes, name, 0, progress);
    return bytes;
  }
  const kept: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of pieces(response)) {
    size += piece.byteLength;
    if (size > limit) return undefined;
    kept.push(piece);
    progress(piece.byteLength);
  }
  return new Uint8Array(await new Blob(kept).arrayBuffer());
}

/** The pieces of a body as they come; leaving the loop early ends the transfer. */
async function* pieces(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {}); // a failed transfer has already ended
  }
}

function tooMany(file: string, offset: number, expected: number, found: number): TilewiseError {
  const text = `Cannot read ${file}: asked for ${expected} bytes at ${offset}, the server sent more`;
  return new TilewiseError("io", text, { file, offset, expected, found });
}

function tooFew(file: string, offset: number, expected: number, found: number): TransientError {
  const text = `Cannot read ${file}: asked for ${expected} bytes at ${offset}, the server sent ${found}`;
  return new TransientError("truncated", text, { file, offset, expected, found });
}
