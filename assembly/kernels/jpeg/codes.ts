// A Huffman code as tables:
//
//   1024 × u32   by the next ten bits: value₁₆ symbol₈ bits₈ of a code and the number behind it, if both fit;
//                symbol₈ bits₈ of the code alone; 0 for a longer code
//   18 × u32     by length: the code behind the last one, shifted to 16 bits
//   18 × u32     by length: what makes of a code the place of its symbol
//   256 × u8     symbols
//
// `value` is never 0 where there is one: no number of one bit and more is.

import { ENDS, NO_CODE, OFFSETS, QUICK, SYMBOLS } from "./bits";

// @ts-ignore: decorator
@inline export function jpegCodes<T>(status: usize, table: usize, counts: usize, symbols: usize, length: i32): void {
  memory.fill(table, 0, SYMBOLS + 256);
  memory.copy(table + SYMBOLS, symbols, min(256, length));
  let code: u32 = 0, k: u32 = 0;
  for (let bits: u32 = 1; bits <= 16; bits++) {
    const count = <u32>load<u8>(counts + bits - 1), at = table + 4 * <usize>bits;
    if (code + count > <u32>1 << bits || k + count > <u32>length) { store<i32>(status, NO_CODE); return; }
    store<u32>(at, k - code, OFFSETS);
    if (bits <= <u32>QUICK) for (let i: u32 = 0; i < count; i++) quick(table, code + i, bits, load<u8>(symbols + k + i));
    code += count;
    k += count;
    store<u32>(at, code << (16 - bits), ENDS);
    code <<= 1;
  }
  store<i32>(status, 0);
}

/** All entries that begin with a code. */
function quick(table: usize, code: u32, bits: u32, symbol: u32): void {
  const left = <u32>QUICK - bits, size = symbol & 15;
  let to = table + 4 * <usize>(code << left);
  if (size == 0 || size > left) {
    const entry = v128.splat<u32>(symbol << 8 | bits), end = to + (<usize>4 << left);
    for (; to + 16 <= end; to += 16) v128.store(to, entry);
    for (; to < end; to += 4) store<u32>(to, symbol << 8 | bits);
    return;
  }
  const rest = left - size, low = symbol << 8 | bits + size;
  for (let number: u32 = 0; number < <u32>1 << size; number++) {
    const value = number >> (size - 1) == 0 ? number + 1 - (<u32>1 << size) : number;
    for (let i: u32 = 0; i < <u32>1 << rest; i++, to += 4) store<u32>(to, value << 16 | low);
  }
}
