// INFLATE (RFC 1951), without a wrapper. Codes are looked up in tables of 2¹¹ (literals and lengths) and 2⁸ (distances)
// entries, longer codes in a second table that an entry of the first leads to; 64 bits of the input are held ready.
//
// While 16 bytes of input and 300 of room are left nothing else has to be checked; the rest goes symbol by symbol.
// Places in errors are those of the byte where the symbol, or the header of the block, begins.

import { failed, finished, INPUT_ENDS, NO_CODE, NO_ROOM, TOO_FAR_BACK } from "./unpacking";
import {
  BITS, BUFFER, DISTANCE_ROOT, DISTANCES, dynamicCodes, END, fixedCodes, LITERAL, place, ROOT, SECOND, SOURCE, SYMBOLS, take, TARGET,
} from "./inflate_codes";
import { repeat, repeatWide } from "./lz";

// @ts-ignore: decorator
@inline export function inflate<T>(status: usize, dst: usize, room: i32, src: usize, length: i32, tables: usize): void {
  const end = src + length, stop = dst + room;
  store<u64>(tables + BUFFER, 0);
  store<u32>(tables + BITS, 0);
  store<u32>(tables + SOURCE, src);
  store<u32>(tables + TARGET, dst);
  let last = false;
  while (!last) {
    const at = place(tables);
    const header = take(tables, 3, end);
    if (header < 0) { failed(status, header, at - src, dst, room); return; }
    last = (header & 1) != 0;
    const kind = header >> 1;
    let code = 0;
    if (kind == 0) code = stored(tables, end, stop);
    else {
      if (kind == 1) fixedCodes(tables);
      else code = kind == 2 ? dynamicCodes(tables, end) : NO_CODE;
      if (code == 0) {
        code = symbols(tables, dst, end, stop);
        if (code < 0) { failed(status, code, place(tables) - src, dst, room); return; }
      }
    }
    if (code < 0) { failed(status, code, at - src, dst, room); return; }
  }
  const taken = load<u32>(tables + SOURCE) - (load<u32>(tables + BITS) >> 3) - src;
  finished(status, load<u32>(tables + TARGET), taken, dst, stop);
}

/** A block without compression. */
function stored(tables: usize, end: usize, stop: usize): i32 {
  let p: usize = load<u32>(tables + SOURCE) - (load<u32>(tables + BITS) >> 3);
  const to: usize = load<u32>(tables + TARGET);
  if (p + 4 > end) return INPUT_ENDS;
  const n = <usize>load<u16>(p);
  if ((n ^ <usize>load<u16>(p, 2)) != 0xffff) return NO_CODE;
  p += 4;
  if (p + n > end) return INPUT_ENDS;
  if (to + n > stop) return NO_ROOM;
  memory.copy(to, p, n);
  store<u32>(tables + SOURCE, p + n);
  store<u32>(tables + TARGET, to + n);
  store<u32>(tables + BITS, 0);
  store<u64>(tables + BUFFER, 0);
  return 0;
}

/** The symbols of a block up to its end; 0, or a negative code with the state at the symbol that is wrong. */
function symbols(tables: usize, dst: usize, end: usize, stop: usize): i32 {
  let p: usize = load<u32>(tables + SOURCE), to: usize = load<u32>(tables + TARGET);
  let buffer = load<u64>(tables + BUFFER), bits = load<u32>(tables + BITS);
  const first = tables + SYMBOLS, second = tables + DISTANCES;
  let code = 0, isOver = false;
  while (p + 16 <= end && to + 300 <= stop) {
    buffer |= load<u64>(p) << bits;
    p += (63 - bits) >> 3;
    bits |= 56;
    let entry = load<u32>(first + (<usize>(buffer & ((1 << ROOT) - 1)) << 2));
    if (entry & LITERAL) {
      store<u8>(to++, <u8>(entry >> 16));
      buffer >>= entry & 255; bits -= entry & 255;
      entry = load<u32>(first + (<usize>(buffer & ((1 << ROOT) - 1)) << 2));
      if (entry & LITERAL) {
        store<u8>(to++, <u8>(entry >> 16));
        buffer >>= entry & 255; bits -= entry & 255;
        entry = load<u32>(first + (<usize>(buffer & ((1 << ROOT) - 1)) << 2));
        if (entry & LITERAL) {
          store<u8>(to++, <u8>(entry >> 16));
          buffer >>= entry & 255; bits -= entry & 255;
          entry = load<u32>(first + (<usize>(buffer & ((1 << ROOT) - 1)) << 2));
          if (entry & LITERAL) {
            store<u8>(to++, <u8>(entry >> 16));
            buffer >>= entry & 255; bits -= entry & 255;
            continue;
          }
        }
      }
      buffer |= load<u64>(p) << bits;
      p += (63 - bits) >> 3;
      bits |= 56;
    }
    let b = buffer, n = bits; // the symbol begins here
    if (entry & SECOND) {
      b >>= ROOT; n -= ROOT;
      entry = load<u32>(first + (((entry >> 16 & 0xfff) + <usize>(b & ((1 << (entry >> 8 & 31)) - 1))) << 2));
    }
    b >>= entry & 255; n -= entry & 255;
    if (entry & (LITERAL | END)) {
      if (entry & LITERAL) store<u8>(to++, <u8>(entry >> 16));
      buffer = b; bits = n;
      if (entry & END) { isOver = true; break; }
      continue;
    }
    if (entry >> 16 == 0) { code = NO_CODE; break; }
    let extra = entry >> 8 & 31;
    const length = (entry >> 16 & 0xfff) + <u32>(b & ((1 << extra) - 1));
    b >>= extra; n -= extra;
    entry = load<u32>(second + (<usize>(b & ((1 << DISTANCE_ROOT) - 1)) << 2));
    if (entry & SECOND) {
      b >>= DISTANCE_ROOT; n -= DISTANCE_ROOT;
      entry = load<u32>(second + (((entry >> 16 & 0xfff) + <usize>(b & ((1 << (entry >> 8 & 31)) - 1))) << 2));
    }
    if (entry == 0 || entry & END) { code = NO_CODE; break; }
    b >>= entry & 255; n -= entry & 255;
    extra = entry >> 8 & 31;
    const distance = distanceBase(entry >> 16 & 0xfff, extra) + <u32>(b & ((1 << extra) - 1));
    b >>= extra; n -= extra;
    if (distance > to - dst) { code = TOO_FAR_BACK; break; }
    repeatWide(to, distance, length);
    to += length;
    buffer = b; bits = n;
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + TARGET, to);
  store<u64>(tables + BUFFER, buffer);
  store<u32>(tables + BITS, bits);
  return code < 0 || isOver ? code : lastSymbols(tables, dst, end, stop);
}

// @ts-ignore: decorator
@inline function distanceBase(symbol: u32, extra: u32): u32 {
  return 1 + (symbol < 4 ? symbol : (2 | symbol & 1) << extra);
}

/** As {@link symbols}, with every check: for what is left when input or room are nearly at their ends. */
function lastSymbols(tables: usize, dst: usize, end: usize, stop: usize): i32 {
  let to: usize = load<u32>(tables + TARGET);
  let p: usize = load<u32>(tables + SOURCE);
  let buffer = load<u64>(tables + BUFFER), bits = load<u32>(tables + BITS);
  let code = 0, isOver = false;
  while (!isOver) {
    while (bits <= 56 && p < end) { buffer |= <u64>load<u8>(p++) << bits; bits += 8; }
    let b = buffer, n = <i32>bits;
    let entry = load<u32>(tables + SYMBOLS + (<usize>(b & ((1 << ROOT) - 1)) << 2));
    if (entry & SECOND) {
      entry = load<u32>(tables + SYMBOLS + (((entry >> 16 & 0xfff) + <usize>(b >> ROOT & ((1 << (entry >> 8 & 31)) - 1))) << 2));
      if (entry) entry += ROOT;
    }
    if (entry == 0) { code = n < 15 ? INPUT_ENDS : NO_CODE; break; }
    n -= entry & 255;
    if (n < 0) { code = INPUT_ENDS; break; }
    b >>= entry & 255;
    if (entry & LITERAL) {
      if (to >= stop) { code = NO_ROOM; break; }
      store<u8>(to++, <u8>(entry >> 16));
    } else if (entry & END) isOver = true;
    else {
      if (entry >> 16 == 0) { code = NO_CODE; break; }
      let extra = entry >> 8 & 31;
      const length = (entry >> 16 & 0xfff) + <u32>(b & ((1 << extra) - 1));
      b >>= extra; n -= extra;
      if (n < 0) { code = INPUT_ENDS; break; }
      entry = load<u32>(tables + DISTANCES + (<usize>(b & ((1 << DISTANCE_ROOT) - 1)) << 2));
      if (entry & SECOND) {
        entry = load<u32>(tables + DISTANCES + (((entry >> 16 & 0xfff) + <usize>(b >> DISTANCE_ROOT & ((1 << (entry >> 8 & 31)) - 1))) << 2));
        if (entry) entry += DISTANCE_ROOT;
      }
      if (entry == 0) { code = n < 15 ? INPUT_ENDS : NO_CODE; break; }
      extra = entry >> 8 & 31;
      b >>= entry & 255; n -= (entry & 255) + extra;
      if (n < 0) { code = INPUT_ENDS; break; }
      if (entry & END) { code = NO_CODE; break; }
      const distance = distanceBase(entry >> 16 & 0xfff, extra) + <u32>(b & ((1 << extra) - 1));
      b >>= extra;
      if (distance > to - dst) { code = TOO_FAR_BACK; break; }
      if (to + length > stop) { code = NO_ROOM; break; }
      repeat(to, distance, length, stop);
      to += length;
    }
    buffer = b; bits = n;
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + TARGET, to);
  store<u64>(tables + BUFFER, buffer);
  store<u32>(tables + BITS, bits);
  return code;
}
