// LZW as TIFF has it. Every string of the table has been written before: the table holds where, and how long it is.
//
//   code < 256   a byte            256   the table is cleared        257   the end
//   code = next  the string before, and its first byte again
//   lzw          highest bit first; codes get wider one code early (next = 511, 1023, 2047)
//   lzw_old      lowest bit first; codes get wider at 512, 1024, 2048
//
//   tables:  bytes 0 … 255, 16 that are read and not used | 4097 × (address₃₂, length₃₂), the last one for codes that
//            do not get in: writers that never clear the table go on with 12 bits
//
// Strings that fit in 16 bytes are copied with one vector, which writes too much; the next string goes over it. Near the
// end of the output they are copied byte by byte. What does not fit the output is left out: some writers fill the last
// row of a tile up to a whole code.

import { failed, finished, NO_CODE } from "./unpacking";

const STRINGS: usize = 272;
/** Strings that long are copied in the fast loop. */
const WIDE: usize = 256;
const CLEAR: u32 = 256, STOP: u32 = 257, FIRST: u32 = 258, MOST: u32 = 4096;

// @ts-ignore: decorator
@inline export function lzw<T>(status: usize, dst: usize, room: i32, src: usize, length: i32, tables: usize): void {
  unpackLzw(status, dst, room, src, length, tables, false);
}

// @ts-ignore: decorator
@inline export function lzwOld<T>(status: usize, dst: usize, room: i32, src: usize, length: i32, tables: usize): void {
  unpackLzw(status, dst, room, src, length, tables, true);
}

// @ts-ignore: decorator
@inline function unpackLzw(status: usize, dst: usize, room: i32, src: usize, length: i32, tables: usize, old: bool): void {
  const end = src + length, stop = dst + room, bits = <u64>length << 3, strings = tables + STRINGS;
  for (let byte: usize = 0; byte < 256; byte++) {
    store<u8>(tables + byte, <u8>byte);
    store<u64>(strings + 8 * byte, <u64>(tables + byte) | (<u64>1 << 32));
  }
  let bit: u64 = 0, width: u64 = 9, to = dst;
  let next = FIRST, wider: u32 = old ? 512 : 511;
  let last: u64 = 0; // the string before: its address and length; 0 after the table was cleared
  const lastIn = <i64>bits - 32, lastOut: usize = room < <i32>WIDE + 16 ? 0 : stop - WIDE - 16;
  while (to < stop && bit + width <= bits) {
    if (last != 0) { // with room to spare, and far from a wider code; what is rare or wrong is left to the rest
      const most = min(wider, MOST) - 1, down = <u32>(32 - width), mask: u32 = (1 << <u32>width) - 1;
      while (next < most && <i64>bit <= lastIn && to <= lastOut) {
        const word = load<u32>(src + <usize>(bit >> 3)), shift = <u32>bit & 7;
        const code = old ? word >> shift & mask : bswap<u32>(word) << shift >> down;
        if (code >= next) break;
        if (code - CLEAR < 2) break;
        const text = load<u64>(strings + 8 * <usize>code), from = <usize>(<u32>text), n = <usize>(text >> 32);
        v128.store(to, v128.load(from));
        if (n > 16) {
          if (n > WIDE) break;
          for (let i: usize = 16; i < n; i += 16) v128.store(to + i, v128.load(from + i));
        }
        store<u64>(strings + 8 * <usize>next, last + (<u64>1 << 32));
        last = <u64>to | text & 0xffffffff00000000;
        to += n;
        next++;
        bit += width;
      }
      if (to >= stop || bit + width > bits) break;
    }
    const code = codeAt(src, end, bit, width, old), at = bit;
    bit += width;
    if (code - CLEAR < 2) {
      if (code == STOP) break;
      width = 9;
      next = FIRST;
      wider = old ? 512 : 511;
      last = 0;
      continue;
    }
    if (last != 0) {
      store<u64>(strings + 8 * <usize>next, last + (<u64>1 << 32));
      if (code > next) { failed(status, NO_CODE, <usize>(at >> 3), dst, room); return; }
      next += <u32>(next < MOST);
      if (next == wider && width < 12) { width++; wider = (wider << 1) + <u32>!old; }
    } else if (code > 255) { failed(status, NO_CODE, <usize>(at >> 3), dst, room); return; }
    const text = load<u64>(strings + 8 * <usize>code);
    const from = <usize>(<u32>text), n = <usize>(text >> 32);
    last = <u64>to | (<u64>n << 32);
    if (n + 16 <= stop - to) {
      v128.store(to, v128.load(from));
      for (let i: usize = 16; i < n; i += 16) v128.store(to + i, v128.load(from + i));
      to += n;
      store<u8>(to - 1, load<u8>(from + n - 1)); // a string that ends with its own first byte
    } else {
      const most = min(n, stop - to);
      for (let i: usize = 0; i < most; i++) store<u8>(to + i, load<u8>(from + i));
      to += most;
    }
  }
  finished(status, to, <usize>(bit + 7 >> 3), dst, stop);
}

/** The code of `width` bits at `bit`, all of whose bytes lie before `end`. */
// @ts-ignore: decorator
@inline function codeAt(src: usize, end: usize, bit: u64, width: u64, old: bool): u32 {
  const p = src + <usize>(bit >> 3), shift = bit & 7;
  const word = p + 4 <= end ? load<u32>(p) : fewBytes(p, end);
  if (old) return (word >> <u32>shift) & ((1 << <u32>width) - 1);
  return bswap<u32>(word) << <u32>shift >> <u32>(32 - width);
}

/** Up to three bytes from `p` on, the first the lowest. */
function fewBytes(p: usize, end: usize): u32 {
  let word: u32 = 0;
  for (let shift: u32 = 0; p < end; p++, shift += 8) word |= <u32>load<u8>(p) << shift;
  return word;
}
