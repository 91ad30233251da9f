/**
 * LZ4 blocks, alone and as the HDF5 filter 32004 frames them.
 *
 * Source: the LZ4 block format description; the filter's framing as registered with The HDF Group.
 *
 * @module
 */

import { type ChunkFilter, filterError } from "./filter.ts";

/**
 * Unpacks one LZ4 block into `output`; the bytes written.
 *
 * ```
 * block     sequence …                  the last one ends after its literals
 * sequence  token  [length …]  literals  offset₁₆  [length …]
 * token     high 4 bits: literals, low 4 bits: match − 4; 15 means that bytes of 255 and a last one are added
 * ```
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const output = new Uint8Array(9);
 * const packed = Uint8Array.of(0x14, 7, 1, 0, 0); // one literal, then eight more of it
 * assertEquals([unpackLz4(packed, output), output[8]], [9, 7]);
 * ```
 */
export function unpackLz4(input: Uint8Array, output: Uint8Array): number {
  let [from, to] = [0, 0];
  const more = (length: number) => {
    for (let byte = 255; byte === 255;) {
      if (from >= input.length) throw filterError("LZ4", "the block ends inside a length");
      byte = input[from++]!;
      length += byte;
    }
    return length;
  };
  while (from < input.length) {
    const token = input[from++]!;
    const literals = token >> 4 === 15 ? more(15) : token >> 4;
    if (from + literals > input.length || to + literals > output.length) {
      throw filterError("LZ4", `${literals} literals at byte ${from} do not fit`);
    }
    output.set(input.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === input.length) return to;
    if (from + 2 > input.length) throw filterError("LZ4", "the block ends inside an offset");
    const offset = input[from]! | input[from + 1]! << 8;
    from += 2;
    const length = 4 + ((token & 15) === 15 ? more(15) : token & 15);
    if (offset === 0 || offset > to || to + length > output.length) {
      throw filterError("LZ4", `a match of ${length} bytes ${offset} back does not fit at byte ${to}`);
    }
    for (let i = 0; i < length; i++, to++) output[to] = output[to - offset]!; // one by one: matches overlap
  }
  return to;
}

/** Undoes the HDF5 filter LZ4: sizes in big endian, then blocks, of which incompressible ones are plain. */
export const lz4: ChunkFilter = ({ input, output }) => {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 12) throw filterError("LZ4", `its header has 12 bytes, the chunk ${input.length}`);
  const total = Number(view.getBigUint64(0));
  const block = view.getUint32(8);
  if (total > output.length || (block === 0 && total > 0)) {
    throw filterError("LZ4", `${total} bytes in blocks of ${block} do not fit ${output.length}`);
  }
  let at = 12;
  for (let to = 0; to < total; to += block) {
    const size = Math.min(block, total - to);
    if (at + 4 > input.length) throw filterError("LZ4", "a block is missing");
    const packed = view.getUint32(at);
    const part = input.subarray(at + 4, at + 4 + packed);
    if (part.length < packed) throw filterError("LZ4", `a block of ${packed} bytes is cut off`);
    const target = output.subarray(to, to + size);
    if (packed === size) target.set(part);
    else if (unpackLz4(part, target) !== size) throw filterError("LZ4", `a block is not ${size} bytes long`);
    at += 4 + packed;
  }
  return total;
};
