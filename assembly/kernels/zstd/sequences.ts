// The sequences of a block: how many literals, then a match of what length and how far back.
//
//   head     count₈₋₂₄ modes₈ (tables)  stream of states and extra bits
//   mode     0 the table that needs no description · 1 one symbol · 2 a table · 3 that of the last block
//   offset   1 to 3: one of the last three (without literals: one further, and the first less one) · else 3 more than it is

import { NO_CODE, NO_ROOM, TOO_FAR_BACK } from "../filters/unpacking";
import { repeat, repeatShort } from "../filters/lz";
import { bitsAt, first, HAS_TABLE, LENGTHS, lengthOfStream, LITERALS_AT, LITERALS_END, LOG, LOGS, MASKS, MATCHES, OFFSETS, REPEATS, TO } from "./state";
import { Kind, knownCounts, makeStates, meaningOf, readCounts, symbolsOf } from "./states";

/** Unpacks the sequences from `src` to `end`; 0 or a negative code. `frame`: where the output of the frame begins. */
export function sequences(tables: usize, src: usize, end: usize, frame: usize, stop: usize): i32 {
  if (src >= end) return NO_CODE;
  let count = <u32>load<u8>(src++);
  if (count == 0) return src == end ? leftOver(tables, load<u32>(tables + LITERALS_AT), load<u32>(tables + TO), stop) : NO_CODE;
  if (count >= 128) {
    const bytes: usize = count == 255 ? 2 : 1;
    if (src + bytes > end) return NO_CODE;
    count = count == 255 ? <u32>load<u16>(src) + 0x7f00 : (count - 128 << 8) + load<u8>(src);
    src += bytes;
  }
  if (src >= end) return NO_CODE;
  const modes = <u32>load<u8>(src++);
  if (modes & 3) return NO_CODE;
  let taken = table(tables, Kind.LENGTHS, modes >> 6, LENGTHS, src, end);
  if (taken < 0) return taken;
  src += taken;
  taken = table(tables, Kind.OFFSETS, modes >> 4 & 3, OFFSETS, src, end);
  if (taken < 0) return taken;
  src += taken;
  taken = table(tables, Kind.MATCHES, modes >> 2 & 3, MATCHES, src, end);
  if (taken < 0) return taken;
  src += taken;
  const place = lengthOfStream(src, end);
  return place < 0 ? NO_CODE : execute(tables, src, place, count, frame, stop);
}

/** Makes a table as its mode says; the bytes taken, or a negative code. */
function table(tables: usize, kind: Kind, mode: u32, target: usize, src: usize, end: usize): i32 {
  const logAt = tables + LOGS + (<usize>kind << 2);
  if (mode == 3) return load<u32>(logAt) & HAS_TABLE ? 0 : NO_CODE;
  if (mode == 1) {
    if (src >= end || <u32>load<u8>(src) >= symbolsOf(kind)) return NO_CODE;
    store<u64>(tables + target, meaningOf(tables, kind, load<u8>(src)));
    store<u32>(logAt, HAS_TABLE);
    return 1;
  }
  let taken = 0;
  if (mode == 0) knownCounts(tables, kind);
  else taken = readCounts(tables, kind, src, end);
  if (taken < 0) return taken;
  makeStates(tables, kind, tables + target);
  store<u32>(logAt, HAS_TABLE | load<u32>(tables + LOG));
  return taken;
}

/** The `n` bits of `word` from bit `low` on, at most 31. */
// @ts-ignore: decorator
@inline function cut(tables: usize, word: u64, low: u32, n: u32): u32 {
  return <u32>(word >> low) & load<u32>(tables + (<usize>n << 2), MASKS);
}

function execute(tables: usize, stream: usize, place: i32, count: u32, frame: usize, stop: usize): i32 {
  const logs = tables + LOGS;
  const logL = load<u32>(logs) & 255, logO = load<u32>(logs, 4) & 255, logM = load<u32>(logs, 8) & 255;
  let bits = bitsAt(stream, place);
  let lengthState: usize = first(bits, logL); bits <<= <u64>logL;
  let offsetState: usize = first(bits, logO); bits <<= <u64>logO;
  let matchState: usize = first(bits, logM);
  place -= <i32>(logL + logO + logM);
  for (let n: u32 = 0; n < 32; n++) store<u32>(tables + (<usize>n << 2), (1 << n) - 1, MASKS);
  let to: usize = load<u32>(tables + TO), literal: usize = load<u32>(tables + LITERALS_AT);
  const literalsEnd: usize = load<u32>(tables + LITERALS_END);
  let last: usize = load<u32>(tables + REPEATS), second: usize = load<u32>(tables + REPEATS, 4), third: usize = load<u32>(tables + REPEATS, 8);
  const wide = stop - frame < 64 ? frame : stop - 64; // copies may write 64 bytes beyond what ends here
  while (count > 0) {
    let few: usize = 0, length: usize = 0, offset: usize = 0;
    for (;;) { // without calls, so that all stays in registers
      if (place < 0) return NO_CODE;
      let word = load<u64>(stream + (place >> 3) - 7), top: u32 = 56 + (place & 7); // bits below `top` come next
      const l = load<u64>(tables + (lengthState << 3), LENGTHS);
      const o = load<u64>(tables + (offsetState << 3), OFFSETS);
      const m = load<u64>(tables + (matchState << 3), MATCHES);
      const sums = <u32>l + <u32>o + <u32>m; // of the lowest two bytes of each; neither overflows
      const extra = sums >> 8 & 255, offsetBits = <u32>o >> 8 & 255, fewBits = <u32>l >> 8 & 255;
      let value = <u32>(o >> 32) + cut(tables, word, top - offsetBits, offsetBits);
      if (extra > 30) { // with the next states these would be more than 56 bits
        if (place < <i32>extra) return NO_CODE;
        const behind = place - <i32>offsetBits;
        word = load<u64>(stream + (behind >> 3) - 7);
        top = 56 + (behind & 7) + offsetBits;
      }
      length = <usize>(m >> 32) + cut(tables, word, top - extra + fewBits, <u32>m >> 8 & 255);
      top -= extra;
      few = <usize>(l >> 32) + cut(tables, word, top, fewBits);
      place -= <i32>extra;
      if (count > 1) {
        if (extra > 30) {
          word = load<u64>(stream + (place >> 3) - 7);
          top = 56 + (place & 7);
        }
        const lBits = <u32>l & 255, mBits = <u32>m & 255, all = sums & 255;
        lengthState = (<u32>l >> 16) + cut(tables, word, top - lBits, lBits);
        matchState = (<u32>m >> 16) + cut(tables, word, top - lBits - mBits, mBits);
        offsetState = (<u32>o >> 16) + cut(tables, word, top - all, <u32>o & 255);
        place -= <i32>all;
      }
      if (place < 0) return NO_CODE;
      if (few > literalsEnd - literal) return NO_CODE;
      offset = value - 3;
      if (value > 3) {
        third = second; second = last; last = offset;
      } else {
        value -= <u32>(few != 0);
        offset = value == 0 ? last : value == 1 ? second : value == 2 ? third : last - 1;
        if (value != 0) {
          if (value != 1) third = second;
          second = last; last = offset;
        }
      }
      const next = to + few, after = next + length;
      if (<i32>(few + length) > <i32>(wide - to)) break;
      if (offset - 1 >= next - frame) break;
      v128.store(to, v128.load(literal));
      if (few > 16) for (let i: usize = 16; i < few; i += 32) {
        v128.store(to + i, v128.load(literal + i));
        v128.store(to + i, v128.load(literal + i, 16), 16);
      }
      literal += few;
      to = after;
      repeatShort(next, offset, length);
      if (--count == 0) break;
    }
    if (count == 0) break;
    if (few + length > stop - to) return NO_ROOM;
    memory.copy(to, literal, few);
    to += few;
    literal += few;
    if (offset - 1 >= to - frame) return TOO_FAR_BACK;
    repeat(to, offset, length, stop);
    to += length;
    count--;
  }
  if (place != 0) return NO_CODE;
  store<u32>(tables + REPEATS, last);
  store<u32>(tables + REPEATS, second, 4);
  store<u32>(tables + REPEATS, third, 8);
  return leftOver(tables, literal, to, stop);
}

/** The literals behind the last match. */
function leftOver(tables: usize, literal: usize, to: usize, stop: usize): i32 {
  const n = <usize>load<u32>(tables + LITERALS_END) - literal;
  if (n > stop - to) return NO_ROOM;
  memory.copy(to, literal, n);
  store<u32>(tables + TO, <u32>(to + n));
  return 0;
}
