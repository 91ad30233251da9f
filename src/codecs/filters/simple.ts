/**
 * The filters of HDF5 that need few lines: shuffle, Fletcher32 and LZF.
 *
 * Source: the HDF5 library's description of its filters; the LZF format of libLZF.
 *
 * @module
 */

import { type ChunkFilter, copyPlain, filterError } from "./filter.ts";

/** Undoes shuffle (filter 2): the first bytes of all elements, then their second bytes, and so on. */
export const shuffle: ChunkFilter = ({ input, output, values: [size = 1] }) => {
  if (size <= 1 || input.length > output.length) return copyPlain("shuffle", { input, output });
  const count = Math.floor(input.length / size);
  for (let b = 0; b < size; b++) {
    for (let i = 0; i < count; i++) output[i * size + b] = input[b * count + i]!;
  }
  output.set(input.subarray(count * size), count * size);
  return input.length;
};

/**
 * The checksum of Fletcher over 16-bit big-endian words, as HDF5 computes it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(fletcher32Sum(Uint8Array.of(0, 1, 0, 2)), 0x40003);
 * ```
 */
export function fletcher32Sum(bytes: Uint8Array): number {
  let [one, two] = [0, 0];
  for (let i = 0; i < bytes.length; i += 2) {
    one = (one + (bytes[i]! << 8) + (bytes[i + 1] ?? 0)) % 65535;
    two = (two + one) % 65535;
  }
  return (two << 16 | one) >>> 0;
}

/** Checks and removes the checksum of filter 3. Sums of 0 and 65535 are the same number to it. */
export const fletcher32: ChunkFilter = ({ input, output }) => {
  if (input.length < 4) throw filterError("Fletcher32", `a chunk of ${input.length} bytes has no checksum`);
  const data = input.subarray(0, input.length - 4);
  const stored = input.subarray(input.length - 4).reduceRight((sum, byte) => sum * 256 + byte, 0);
  const found = fletcher32Sum(data);
  const same = (a: number, b: number) => a % 65535 === b % 65535;
  if (!same(stored & 0xffff, found & 0xffff) || !same(stored >>> 16, found >>> 16)) {
    throw filterError("Fletcher32", `the checksum is ${stored}, the data have ${found}`, {
      expected: stored,
      found,
    });
  }
  return copyPlain("Fletcher32", { input: data, output });
};

/** Undoes LZF (filter 32000): literals, and matches up to 8 KiB back. */
export const lzf: ChunkFilter = ({ input, output }) => {
  let [from, to] = [0, 0];
  while (from < input.length) {
    const control = input[from++]!;
    if (control < 32) {
      const end = from + control + 1;
      if (end > input.length || to + control + 1 > output.length) {
        throw filterError("LZF", "literals do not fit");
      }
      output.set(input.subarray(from, end), to);
      to += control + 1;
      from = end;
      continue;
    }
    const isLong = control >> 5 === 7;
    if (from + (isLong ? 2 : 1) > input.length) throw filterError("LZF", "the chunk ends inside a match");
    const length = 2 + (control >> 5) + (isLong ? input[from++]! : 0);
    const offset = ((control & 31) << 8 | input[from++]!) + 1;
    if (offset > to || to + length > output.length) {
      throw filterError("LZF", `a match of ${length} bytes ${offset} back does not fit at byte ${to}`);
    }
    for (let i = 0; i < length; i++, to++) output[to] = output[to - offset]!;
  }
  return to;
};
