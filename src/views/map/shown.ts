/**
 * Shows samples to who sees them on their way: in pieces, as workers wait for their next task meanwhile.
 *
 * @module
 */

import { Turns } from "../../turns.ts";
import type { SeeSamples } from "./sink.ts";

/** Bytes that are seen without a pause. */
const PIECE = 2 ** 21;

/** Shows all bytes, unless it has ended before. */
export async function shown(bytes: Uint8Array, see: SeeSamples, hasEnded = () => false): Promise<void> {
  const turns = new Turns();
  for (let at = 0; at < bytes.length && !hasEnded(); at += PIECE) {
    if (at > 0) await turns.give();
    see(bytes.subarray(at, at + PIECE));
  }
}
