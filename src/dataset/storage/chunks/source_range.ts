/**
 * A range of an open source, as a source of its own that does not close it; also an entry of an archive that is not packed.
 *
 * @module
 */

import { type ByteSource, checkRead, readUpTo } from "../../../io/source/source.ts";
import { HEADER_BYTES, headerBytes, storedSize } from "../../../io/store/zip.ts";

/** The `size` bytes of `source` at `offset`. */
export function rangeOf(source: ByteSource, offset: number, size: number): ByteSource {
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

/** The bytes of an entry of a zip archive, which `source` begins with; `undefined` if it is packed or does not say its size first. */
export async function storedEntry(source: ByteSource, signal?: AbortSignal): Promise<ByteSource | undefined> {
  const most = Math.min(source.size, HEADER_BYTES + 2 * 65535);
  const start = headerBytes(source, await readUpTo(source, 0, HEADER_BYTES, signal));
  const size = storedSize(await readUpTo(source, 0, Math.min(most, start), signal));
  return size === undefined || start + size > source.size ? undefined : rangeOf(source, start, size);
}
