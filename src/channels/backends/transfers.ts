/**
 * Reads and writes of the operating system, until all is done or it is known how much was.
 *
 * @module
 */

import { isErrno } from "./errors.ts";
import { nodeFs } from "./platform.ts";

/** Bytes that a pipe takes as a whole or not at all, and a page of a file. */
const PIECE = 4096;

/** Fills `bytes[at … at + length)` from `position` on; fewer bytes at the end of the file. */
export function fill(file: number, bytes: Uint8Array, at: number, length: number, position: number): number {
  const { readSync } = nodeFs();
  let done = readSync(file, bytes, at, length, position);
  for (let got = done; got > 0 && done < length; done += got) {
    got = readSync(file, bytes, at + done, length - done, position + done);
  }
  return done;
}

/** What a device or a pipe has now, at most `length` bytes; 0 where there is nothing yet. */
export function drain(file: number, bytes: Uint8Array, at: number, length: number): number {
  try {
    return length && nodeFs().readSync(file, bytes, at, length, null);
  } catch (error) {
    if (isNothingYet(error)) return 0;
    throw error;
  }
}

/** Writes to a device or a pipe what it takes now. In pieces, as Deno does not say how much of a larger one was taken. */
export function into(file: number, bytes: Uint8Array, at: number, length: number): number {
  let done = 0;
  try {
    while (done < length) {
      done += nodeFs().writeSync(file, bytes, at + done, Math.min(PIECE, length - done), null);
    }
  } catch (error) {
    if (done === 0 && !isNothingYet(error)) throw error;
  }
  return done;
}

function isNothingYet(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "EAGAIN";
}

/**
 * Writes `bytes[at … at + length)` at `position`, or at the end where it is `null`. A count that is too small means that the
 * device is full, say, which the next write reports; no byte at all is an error.
 */
export function exactly(
  file: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  position: number | null,
): number {
  const before = position === null && length > PIECE ? nodeFs().fstatSync(file).size : 0;
  let done = 0;
  try {
    while (done < length) {
      const where = position === null ? null : position + done;
      done += nodeFs().writeSync(file, bytes, at + done, length - done, where);
    }
  } catch (error) {
    done = afterFailure(file, bytes, at, length, position, before, done);
    if (done === 0) throw error;
  }
  return done;
}

/**
 * How much a failed write has written: Deno writes in a loop of its own and does not tell. The same bytes are written again by
 * pages up to the one that fails; at the end of a file, its size tells.
 */
function afterFailure(
  file: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  position: number | null,
  before: number,
  known: number,
): number {
  if (length <= PIECE) return known;
  if (position === null) return Math.min(length, Math.max(known, nodeFs().fstatSync(file).size - before));
  let done = 0;
  try {
    while (done < length) {
      const page = Math.min(length - done, PIECE - (position + done) % PIECE);
      done += nodeFs().writeSync(file, bytes, at + done, page, position + done);
    }
  } catch (error) {
    if (isErrno(error, "EBADF")) return 0;
  }
  return done;
}
