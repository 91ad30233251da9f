/**
 * The reference kernel that makes tables of a Huffman code.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { CODE, QUICK } from "./bits.ts";
import { STOPPED } from "../../../../src/kernels/families/jpeg_stops.ts";

/** The tables of a code: entry by entry, what a look-up finds. */
export function jpegCodes(memory: WebAssembly.Memory): KernelFamilies["jpeg_codes"] {
  return (status, table, counts, symbols, length) => {
    const bytes = new Uint8Array(memory.buffer), view = new DataView(memory.buffer);
    const put = (at: number, value: number) => view.setUint32(table + at, value, true);
    bytes.fill(0, table, table + CODE.bytes);
    bytes.copyWithin(table + CODE.symbols, symbols, symbols + Math.min(256, length));
    view.setInt32(status, STOPPED.noCode, true);
    for (let bits = 1, code = 0, k = 0; bits <= 16; bits++, code *= 2) {
      const count = bytes[counts + bits - 1]!;
      if (code + count > 2 ** bits || k + count > length) return;
      put(CODE.offsets + 4 * bits, k - code);
      for (let i = 0; i < count && bits <= QUICK; i++) {
        for (let rest = 0; rest < 2 ** (QUICK - bits); rest++) {
          const place = (code + i) * 2 ** (QUICK - bits) + rest;
          put(CODE.quick + 4 * place, entry(bytes[symbols + k + i]!, bits, rest));
        }
      }
      code += count;
      k += count;
      put(CODE.ends + 4 * bits, code * 2 ** (16 - bits));
    }
    view.setInt32(status, 0, true);
  };
}

/** What a code of `bits` bits and the `rest` of the bits behind it mean. */
function entry(symbol: number, bits: number, rest: number): number {
  const size = symbol & 15, left = QUICK - bits;
  if (size === 0 || size > left) return symbol << 8 | bits;
  const number = rest >> left - size;
  return (number < 2 ** (size - 1) ? number - 2 ** size + 1 : number) << 16 | symbol << 8 | bits + size;
}
