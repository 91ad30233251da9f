/**
 * Long work in short pieces, so that the page can answer between them.
 *
 * @module
 */

/// <reference lib="dom" />

import { message } from "../../src/turns.ts";

/** Milliseconds of one piece. */
const PIECE = 5;

/** Runs a generator to its end; tells what it yields at the end of every piece. Nothing, if the signal aborts. */
export async function inPieces<T, R>(
  work: Generator<T, R>,
  heard: (value: T) => void,
  signal: AbortSignal,
): Promise<R | undefined> {
  for (;;) {
    await message();
    const end = performance.now() + PIECE;
    for (;;) {
      if (signal.aborted) return undefined;
      const { done, value } = work.next();
      if (done) return value;
      if (performance.now() < end) continue;
      heard(value);
      break;
    }
  }
}
