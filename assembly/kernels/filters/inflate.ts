// INFLATE (RFC 1951), without a wrapper. Codes are looked up in tables of 2¹¹ (literals and lengths) and 2⁸ (distances)
// entries, longer codes in a second table that an entry of the first leads to; 64 bits of the input are held ready.
//
// While 16 bytes of input and 300 of room are left nothing else has to be checked; the rest goes symbol by symbol.
// Places in errors are those of the byte where the symbol, or the header of the block, begins.

import { failed, finished, INPUT_ENDS, NO_CODE, NO_ROOM, TOO_FAR_BACK } from "./unpacking";
import {
  BITS, BUFFER, DISTANCE_ROOT, DISTANCES, dynamicCodes, END, fixedCodes, NOTHING, OTHER, place, RARE, ROOT, SECOND, SOURCE, SYMBOLS, take, TARGET,
} from "./inflate_codes";
import { repeat, repeatShort } from "./lz";

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

/**
 * The symbols of a block up to its end; 0, or a negative code with the state at the symbol that is wrong.
 *
 * A symbol begins at bit 2 of `buffer`: what is cut out there is the place of an entry of four bytes. Of `bits` only the
 * lowest six count; shifts see no others. Input is added while the next entry is on its way. What an entry says is done
 * when all of it is known to be right; the rest, and the end of the block, is left to {@link lastSymbols}.
 */
function symbols(tables: usize, dst: usize, end: usize, stop: usize): i32 {
  let p: usize = load<u32>(tables + SOURCE), to: usize = load<u32>(tables + TARGET);
  let bits = load<u32>(tables + BITS);
  let buffer = load<u64>(tables + BUFFER) & ((<u64>1 << (bits & 7)) - 1);
  p -= bits >> 3;
  bits = (bits & 7) + 2;
  buffer <<= 2;
  if (p + 24 <= end && to + 304 <= stop) {
    const lastIn = end - 16, lastOut = stop - 304;
    buffer |= load<u64>(p) << bits;
    p += ~bits >> 3 & 7;
    bits |= 56;
    let entry = symbolAt(tables, buffer);
    while (p <= lastIn) {
      if (to > lastOut) break;
      buffer |= load<u64>(p) << bits;
      p += ~bits >> 3 & 7;
      bits |= 56;
      let after = buffer >> entry;
      const next = symbolAt(tables, after);
      let far = distanceAt(tables, after);
      store<u16>(to, <u16>(entry >> 8));
      let at = to + (entry >> 24 & 3);
      if (<i32>entry >= 0) {
        bits -= entry;
        to = at;
        buffer = after;
        entry = next;
        if (<i32>entry < 0) continue;
        store<u16>(to, <u16>(entry >> 8));
        to += entry >> 24 & 3;
        bits -= entry;
        buffer >>= entry;
        entry = symbolAt(tables, buffer);
        continue;
      }
      let length = (entry >> 16 & 255) + 3, taken = entry & 63;
      if (entry & RARE) {
        after = buffer;
        at = to;
        taken = 0;
        if (entry & SECOND) {
          after >>= ROOT;
          taken = ROOT;
          entry = secondAt(tables + SYMBOLS, entry, after >> 2);
        }
        if (<i32>entry >= 0) {
          store<u8>(to++, <u8>(entry >> 8));
          buffer = after >> entry;
          bits -= entry + ROOT;
          entry = symbolAt(tables, buffer);
          continue;
        }
        if (entry & (END | NOTHING)) break;
        if ((entry & 63) == 0) break;
        length = (entry >> 16 & 255) + 3;
        if (entry & RARE) length += (<u32>after >> 2 & ~(<u32>-1 << entry)) >> (entry >> 8);
        taken += entry & 63;
        after >>= entry;
        far = distanceAt(tables, after);
      }
      if (far & OTHER) {
        if (!(far & SECOND)) break;
        after >>= DISTANCE_ROOT;
        taken += DISTANCE_ROOT;
        far = secondAt(tables + DISTANCES, far, after >> 2);
        if (far & OTHER) break;
      }
      const distance = value(far, <u32>after >> 2);
      if (distance > at - dst) break;
      buffer = after >> far;
      bits -= taken + far;
      if (taken > 15) {
        buffer |= load<u64>(p) << bits;
        p += ~bits >> 3 & 7;
        bits |= 56;
      }
      entry = symbolAt(tables, buffer);
      to = at + length;
      repeatShort(at, distance, length);
    }
    bits &= 63;
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + TARGET, to);
  store<u64>(tables + BUFFER, buffer >> 2);
  store<u32>(tables + BITS, bits - 2);
  return lastSymbols(tables, dst, end, stop);
}

// @ts-ignore: decorator
@inline function symbolAt(tables: usize, buffer: u64): u32 {
  return load<u32>(tables + <usize>(<u32>buffer & ((1 << ROOT) - 1) << 2), SYMBOLS);
}

// @ts-ignore: decorator
@inline function distanceAt(tables: usize, buffer: u64): u32 {
  return load<u32>(tables + <usize>(<u32>buffer & ((1 << DISTANCE_ROOT) - 1) << 2), DISTANCES);
}

/** The entry in the second table that `entry` leads to. */
// @ts-ignore: decorator
@inline function secondAt(table: usize, entry: u32, b: u64): u32 {
  return load<u32>(table + ((entry >> 16 & 0x3fff) + <usize>(<u32>b & ((1 << (entry >> 8 & 15)) - 1)) << 2));
}

/** The distance of `entry`, whose code and extra bits come next. */
// @ts-ignore: decorator
@inline function value(entry: u32, b: u32): u32 {
  return (entry >> 16) + ((b & ~(<u32>-1 << entry)) >> (entry >> 8));
}

/** As {@link symbols}, symbol by symbol with every check: for what is wrong, and for both ends. */
function lastSymbols(tables: usize, dst: usize, end: usize, stop: usize): i32 {
  let to: usize = load<u32>(tables + TARGET);
  let p: usize = load<u32>(tables + SOURCE);
  let buffer = load<u64>(tables + BUFFER), bits = load<u32>(tables + BITS);
  let code = 0, isOver = false;
  while (!isOver) {
    while (bits <= 56 && p < end) { buffer |= <u64>load<u8>(p++) << bits; bits += 8; }
    let b = buffer, n = <i32>bits;
    let entry = symbolAt(tables, b << 2);
    if (isRare(entry) && entry & SECOND) {
      b >>= ROOT; n -= ROOT;
      entry = secondAt(tables + SYMBOLS, entry, b);
    }
    if (!isRare(entry) && entry >> 24 & 3) { // the first of two, too
      entry = entry >> 26 & 15 | entry & 0xff00;
      if (n < <i32>(entry & 63)) { code = INPUT_ENDS; break; }
      if (to >= stop) { code = NO_ROOM; break; }
      store<u8>(to++, <u8>(entry >> 8));
    } else if (isRare(entry) && ((entry & 63) == 0 || entry & (END | NOTHING))) {
      if ((entry & 63) == 0) { code = bits < 15 ? INPUT_ENDS : NO_CODE; break; }
      if (n < <i32>(entry & 63)) { code = INPUT_ENDS; break; }
      if (entry & NOTHING) { code = NO_CODE; break; }
      isOver = true;
    } else {
      let length = (entry >> 16 & 255) + 3;
      if (isRare(entry)) length += (<u32>b & ~(<u32>-1 << entry)) >> (entry >> 8);
      n -= entry & 63;
      if (n < 0) { code = INPUT_ENDS; break; }
      b >>= entry;
      entry = load<u32>(tables + (<usize>(b & ((1 << DISTANCE_ROOT) - 1)) << 2), DISTANCES);
      let before = n;
      if (entry & SECOND) {
        b >>= DISTANCE_ROOT; n -= DISTANCE_ROOT;
        entry = secondAt(tables + DISTANCES, entry, b);
      }
      if ((entry & 63) == 0) { code = before < 15 ? INPUT_ENDS : NO_CODE; break; }
      if (n < <i32>(entry & 63)) { code = INPUT_ENDS; break; }
      if (entry & NOTHING) { code = NO_CODE; break; }
      const distance = value(entry, <u32>b);
      if (distance > to - dst) { code = TOO_FAR_BACK; break; }
      if (to + length > stop) { code = NO_ROOM; break; }
      repeat(to, distance, length, stop);
      to += length;
    }
    buffer = b >> entry; bits = n - (entry & 63);
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + TARGET, to);
  store<u64>(tables + BUFFER, buffer);
  store<u32>(tables + BITS, bits);
  return code;
}

// @ts-ignore: decorator
@inline function isRare(entry: u32): bool {
  return entry >> 30 == 3;
}
