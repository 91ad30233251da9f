/**
 * A stretch of an open source, as a source of its own that does not close it.
 *
 * @module
 */

import { type ByteSource, checkRead } from "../../../io/source/source.ts";

/** The `size` bytes of `source` at `offset`. */
export function stretchOf(source: ByteSource, offset: number, size: number): ByteSource {
  return {
    name: source.name,
    size,
    readInto(into, at, signal) {
      checkRead({ name: source.name, size }, into.byteLength, at, signal);
      return source.readInto(into, offset + at, signal);
    },
    verify: (signal) => source.verify(signal),
    describe: () => ({
      kind: "joined",
      name: source.name,
      parts: [{ source: source.describe(), offset, size }],
    }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
