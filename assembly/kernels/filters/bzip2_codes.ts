// The symbols of a block of bzip2: their codes, and what they stand for.
//
//   used₁₆  (used₁₆) …  groups₃  selectors₁₅  selector …  (length₅ step …) …  symbol …
//
// Every fifty symbols the next selector says which of up to six codes comes. Symbols 0 and 1 are digits (1 and 2, the
// lowest first) of how often the first byte of the list comes; the others but the last, which ends the block, are places
// in the list, whose byte goes to the front.
//
// A code is looked up by its first ten bits; longer ones are found by their length, as in the twin. Words that no symbol
// has are allowed as long as none comes; a code with more words than there is room for must not be used at all.

import { INPUT_ENDS, NO_CODE } from "./unpacking";
import { SUM_BYTES } from "./bzip2_sums";

export const BUFFER: usize = 0; // u64, the next bit is its highest
export const BITS: usize = 8; // u32: valid ones; what lies below is what follows in the input, or zero
export const SOURCE: usize = 12; // u32
export const TARGET: usize = 16; // u32
export const STREAM_SUM: usize = 20; // u32
export const SUMS: usize = 32;
export const BYTE_COUNTS: usize = SUMS + SUM_BYTES; // u32[256]
const LIST: usize = BYTE_COUNTS + 1024; // u8[256]: the bytes, that of the last symbol first
const FRONT: usize = LIST + 256; // u8[16]: selectors likewise
const LENGTHS: usize = FRONT + 16; // u8[272]
const SELECTORS: usize = LENGTHS + 272; // u8[18016]
const CODES: usize = SELECTORS + 18016;
/** Of each code: words of up to ten bits, then the first word, the words and the symbols before of each length, symbols. */
const FIRST: usize = 2048; // u32[24]
const COUNT: usize = FIRST + 96; // u32[24]
const BEFORE: usize = COUNT + 96; // u32[24]
const SORTED: usize = BEFORE + 96; // u16[264]
const IS_FULL: usize = SORTED + 528; // u32: too many words
const CODE_BYTES: usize = IS_FULL + 16;
/** Where the entries of the block lie. `BZIP2_TABLES` in `filter_families.ts` is the same. */
export const WORK: usize = 45120;

const ROOT: u32 = 10;
const LONGEST: u32 = 20;
/** More selectors than the largest block needs are read and not kept. */
const MOST_SELECTORS: i32 = 18002;

/** The byte where the next bit lies. */
export function place(tables: usize): usize {
  return load<u32>(tables + SOURCE) - ((load<u32>(tables + BITS) + 7) >> 3);
}

/** The next `n` bits (24 at most) as a number; negative where the input ends before. */
export function take(tables: usize, n: u32, end: usize): i32 {
  let bits = load<u32>(tables + BITS), buffer = load<u64>(tables + BUFFER);
  let p: usize = load<u32>(tables + SOURCE);
  while (bits < n) {
    if (p >= end) return INPUT_ENDS;
    buffer |= <u64>load<u8>(p++) << (56 - bits);
    bits += 8;
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + BITS, bits - n);
  store<u64>(tables + BUFFER, buffer << n);
  return n == 0 ? 0 : <i32>(buffer >> (64 - n));
}

/** The symbols of a block as bytes in `WORK`, an u32 each, and how often each byte comes; how many, or a negative code. */
export function symbols(tables: usize, end: usize, most: i32, tooMany: i32): i32 {
  const used = readList(tables, end);
  if (used <= 0) return used < 0 ? used : NO_CODE;
  const groups = take(tables, 3, end);
  if (groups < 0) return groups;
  if (groups < 2 || groups > 6) return NO_CODE;
  const selectors = readSelectors(tables, groups, end);
  if (selectors < 0) return selectors;
  for (let c = 0; c < groups; c++) {
    const code = readLengths(tables, used + 2, end);
    if (code < 0) return code;
    makeCode(tables + LENGTHS, used + 2, tables + CODES + <usize>c * CODE_BYTES);
  }
  return decode(tables, end, selectors, used + 1, most, tooMany);
}

/** The bytes that come, in their order; how many. */
function readList(tables: usize, end: usize): i32 {
  const rows = take(tables, 16, end);
  if (rows < 0) return rows;
  let used = 0;
  for (let row = 0; row < 16; row++) {
    if ((rows >> (15 - row) & 1) == 0) continue;
    const row16 = take(tables, 16, end);
    if (row16 < 0) return row16;
    for (let i = 0; i < 16; i++) {
      if (row16 >> (15 - i) & 1) store<u8>(tables + LIST + used++, <u8>(row << 4 | i));
    }
  }
  return used;
}

function readSelectors(tables: usize, groups: i32, end: usize): i32 {
  const count = take(tables, 15, end), front = tables + FRONT;
  if (count <= 0) return count < 0 ? count : NO_CODE;
  for (let c = 0; c < groups; c++) store<u8>(front + c, <u8>c);
  for (let i = 0; i < count; i++) {
    let at = 0;
    for (;;) {
      const bit = take(tables, 1, end);
      if (bit < 0) return bit;
      if (bit == 0) break;
      if (++at >= groups) return NO_CODE;
    }
    const selector = load<u8>(front + at);
    for (; at > 0; at--) store<u8>(front + at, load<u8>(front + at - 1));
    store<u8>(front, selector);
    if (i < MOST_SELECTORS) store<u8>(tables + SELECTORS + i, selector);
  }
  return min(count, MOST_SELECTORS);
}

/** The lengths of the words of `n` symbols, each as a difference from the one before. */
function readLengths(tables: usize, n: i32, end: usize): i32 {
  let length = take(tables, 5, end);
  if (length < 0) return length;
  for (let i = 0; i < n; i++) {
    for (;;) {
      if (length < 1 || length > <i32>LONGEST) return NO_CODE;
      const more = take(tables, 1, end);
      if (more <= 0) { if (more < 0) return more; break; }
      const down = take(tables, 1, end);
      if (down < 0) return down;
      length += down ? -1 : 1;
    }
    store<u8>(tables + LENGTHS + i, <u8>length);
  }
  return 0;
}

/** Words are counted up, shorter ones first. */
function makeCode(lengths: usize, n: i32, code: usize): void {
  memory.fill(code, 0, CODE_BYTES);
  for (let i = 0; i < n; i++) {
    const count = code + COUNT + (<usize>load<u8>(lengths + i) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  let word: u32 = 0, before: u32 = 0;
  for (let length: usize = 1; length <= LONGEST; length++) {
    const at = code + (length << 2), count = load<u32>(at + COUNT);
    store<u32>(at + FIRST, word);
    store<u32>(at + BEFORE, before);
    before += count;
    word += count;
    if (word > <u32>1 << length) { store<u32>(code + IS_FULL, 1); return; }
    word <<= 1;
  }
  for (let i = 0; i < n; i++) {
    const length = <usize>load<u8>(lengths + i), next = code + BEFORE + (length << 2);
    const place = load<u32>(next);
    store<u32>(next, place + 1);
    store<u16>(code + SORTED + (<usize>place << 1), <u16>i);
  }
  fillRoot(code);
}

/** Entries of the words of up to ten bits, symbol and length, wherever the first bits are the word. */
function fillRoot(code: usize): void {
  let to = code, sorted = code + SORTED;
  for (let length: usize = 1; length <= ROOT; length++) {
    const at = code + (length << 2), count = load<u32>(at + COUNT);
    const bytes: usize = 2 << (ROOT - <u32>length);
    for (let i: u32 = 0; i < count; i++, sorted += 2) {
      const entry: u16 = <u16>(<u32>load<u16>(sorted) << 5 | <u32>length);
      for (const stop = to + bytes; to < stop; to += 2) store<u16>(to, entry);
    }
  }
  for (let length: usize = 1; length <= LONGEST; length++) { // back to the first symbol of each length
    const at = code + (length << 2);
    store<u32>(at + BEFORE, load<u32>(at + BEFORE) - load<u32>(at + COUNT));
  }
}

/** Symbol and length of a word of more than ten bits, as in an entry; 0 for none. */
function longWord(code: usize, buffer: u64): u32 {
  for (let length = ROOT + 1; length <= LONGEST; length++) {
    const at = code + (<usize>length << 2);
    const i = <u32>(buffer >> (64 - length)) - load<u32>(at + FIRST);
    if (i < load<u32>(at + COUNT)) {
      return <u32>load<u16>(code + SORTED + (<usize>(load<u32>(at + BEFORE) + i) << 1)) << 5 | length;
    }
  }
  return 0;
}

/**
 * The loop over symbols. The first sixteen bytes of the list stay in a register: most places are among them, and going
 * to the front is then a shuffle.
 */
function decode(tables: usize, end: usize, selectors: i32, last: u32, most: i32, tooMany: i32): i32 {
  let p: usize = load<u32>(tables + SOURCE);
  let bits = load<u32>(tables + BITS), buffer = load<u64>(tables + BUFFER);
  const list = tables + LIST, counts = tables + BYTE_COUNTS, work = tables + WORK;
  let front = v128.load(list);
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  memory.fill(counts, 0, 1024);
  let selector = tables + SELECTORS;
  const noMore = selector + selectors;
  let code: usize = 0, left = 0, n = 0, run = 0, digit = 1;
  for (;;) {
    if (left == 0) {
      if (selector >= noMore) return NO_CODE;
      code = tables + CODES + <usize>load<u8>(selector++) * CODE_BYTES;
      if (load<u32>(code + IS_FULL)) return NO_CODE;
      left = 50;
    }
    left--;
    if (bits < LONGEST) {
      if (p + 8 <= end) {
        buffer |= bswap<u64>(load<u64>(p)) >> bits;
        p += (63 - bits) >> 3;
        bits |= 56;
      } else {
        for (; bits <= 56 && p < end; bits += 8) buffer |= <u64>load<u8>(p++) << (56 - bits);
      }
    }
    let entry = <u32>load<u16>(code + (<usize>(buffer >> (64 - ROOT)) << 1));
    if (entry == 0) {
      entry = longWord(code, buffer);
      if (entry == 0) return bits < LONGEST ? INPUT_ENDS : NO_CODE;
    }
    const length = entry & 31;
    if (length > bits) return INPUT_ENDS;
    buffer <<= length;
    bits -= length;
    const symbol = entry >> 5;
    if (symbol <= 1) {
      run += digit << symbol;
      digit <<= 1;
      if (run > most - n) return tooMany;
      continue;
    }
    if (run > 0) {
      const byte = i8x16.extract_lane_u(front, 0), count = counts + (<usize>byte << 2);
      store<u32>(count, load<u32>(count) + run);
      let to = work + (<usize>n << 2);
      n += run;
      for (const stop = work + (<usize>n << 2); to < stop; to += 4) store<u32>(to, byte);
      run = 0;
      digit = 1;
    }
    if (symbol == last) break;
    if (n >= most) return tooMany;
    const at = symbol - 1;
    let byte: u32;
    if (at < 16) {
      byte = i8x16.extract_lane_u(i8x16.swizzle(front, i8x16.splat(<i8>at)), 0);
    } else {
      byte = load<u8>(list + at);
      for (let i = list + at; i > list + 16; i--) store<u8>(i, load<u8>(i - 1));
      store<u8>(list + 16, i8x16.extract_lane_u(front, 15));
    }
    const moved = i8x16.replace_lane(i8x16.shuffle(front, front, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), 0, <u8>byte);
    front = v128.bitselect(moved, front, i8x16.le_u(lanes, i8x16.splat(<i8>min(at, 15))));
    const count = counts + (<usize>byte << 2);
    store<u32>(count, load<u32>(count) + 1);
    store<u32>(work + (<usize>n << 2), byte);
    n++;
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + BITS, bits);
  store<u64>(tables + BUFFER, buffer);
  return n;
}
