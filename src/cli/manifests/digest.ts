/**
 * The digest of samples that come piece by piece; see {@link Seen}.
 *
 * @module
 */

import { throwIfAborted } from "../../errors.ts";
import { Seen, type SeenFacts } from "./seen.ts";

/** Bytes after which others have a turn. */
const TURN = 2 ** 24;

/** What makes the digest of samples. */
export function seenFor({ shape, dtype }: Pick<SeenFacts, "shape" | "dtype">): Seen {
  return new Seen({ shape, dtype, values: { kind: "amount" } }, { hasDigest: true }); // what they mean is that of pictures
}

/** The digest of samples that come piece by piece, in their order. */
export async function digestOfPieces(
  facts: Pick<SeenFacts, "shape" | "dtype">,
  pieces: Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const seen = seenFor(facts);
  let since = 0;
  for (const piece of pieces) {
    seen.add(piece);
    since += piece.length;
    if (since < TURN) continue;
    since = 0;
    await new Promise((resolve) => setTimeout(resolve)); // lets a signal come
    throwIfAborted(signal);
  }
  return seen.made().sha256!;
}
