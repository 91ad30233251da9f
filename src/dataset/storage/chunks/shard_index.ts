/**
 * Indices of shards: which bytes each chunk has, checked before anything is read by them.
 *
 * ```
 * index   (offset₆₄ size₆₄) per chunk  CRC-32C₃₂   offset and size 2⁶⁴ − 1: never written
 * ```
 * Source: Zarr, codec `sharding_indexed`.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type ByteSource, checkRead, readUpTo } from "../../../io/source/source.ts";
import { HEADER_BYTES, headerBytes, storedSize } from "../../../io/store/zip.ts";
import { crc32c } from "../../../space/crc32.ts";
import type { ShardLevel } from "../../layout/keyed.ts";

/** An index: offset and size of each entry; offset −1: never written. */
export type Index = Float64Array;

/** The index in `stored`, checked: every entry lies in the shard of `size` bytes. */
export function indexOf(
  stored: Uint8Array,
  { big, checked }: ShardLevel,
  entries: number,
  size: number,
  name: string,
  most: number,
): Index {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  if (checked) {
    const expected = view.getUint32(16 * entries, true), found = crc32c(stored.subarray(0, 16 * entries));
    if (expected !== found) {
      throw wrong(name, `the checksum of its index is ${expected}, the index has ${found}`, expected, found);
    }
  }
  const index = new Float64Array(2 * entries);
  for (let i = 0; i < entries; i++) {
    const [offset, bytes] = [view.getBigUint64(16 * i, !big), view.getBigUint64(16 * i + 8, !big)];
    if (offset === NEVER && bytes === NEVER) {
      index[2 * i] = -1;
      continue;
    }
    const [start, length] = [Number(offset), Number(bytes)];
    if (!(start + length <= size)) {
      throw wrong(
        name,
        `its index says that entry ${i} ends at byte ${start + length} of ${size}`,
        size,
        start + length,
      );
    }
    if (length > most) {
      throw wrong(
        name,
        `its index says that entry ${i} has ${length} bytes; it may have ${most}`,
        most,
        length,
      );
    }
    [index[2 * i], index[2 * i + 1]] = [start, length];
  }
  return index;
}

const NEVER = 2n ** 64n - 1n;

/** The error for a damaged shard. */
export function wrong(file: string, problem: string, expected: number, found: number): TilewiseError {
  return new TilewiseError("malformed", `Cannot read the shard ${file}: ${problem}`, {
    file,
    expected,
    found,
  });
}

// A range of an open source, as a source of its own that does not close it; also an entry of an archive that is not packed.

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
