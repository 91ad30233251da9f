// The codes of INFLATE: their descriptions, the tables made of them, and where everything lies at `tables`.
//
//   distance  bits 0–5 bits to take: the code and its extra bits · 8–11 bits of the code alone · 12–15 kind · 16–31 the least
//   literals  0–5 bits to take · 8–23 one byte or two · 24–25 how many · 26–29 bits of the first alone
//   length    31 · 16–23 three less than it is · the rest as above: a literal may come before it
//   rare      30 and 31 · the rest as for distances: a length with extra bits, the end, or a second table (where; bits at 8–11)
//
// What is taken in one go is one shift: the extra bits are cut out of what was there before, beside it.

import { INPUT_ENDS, NO_CODE } from "./unpacking";

/** A length, perhaps after a literal. */
export const LENGTH: u32 = 1 << 31;
/** With {@link LENGTH}: one with extra bits to be cut out, or {@link OTHER}. */
export const RARE: u32 = 1 << 30;
/** Anything but a literal, a length or a distance; alone: no code begins like this. */
export const OTHER: u32 = 1 << 15;
export const SECOND: u32 = 1 << 14;
export const END: u32 = 1 << 13;
/** A code that stands for nothing. */
export const NOTHING: u32 = 1 << 12;
export const ROOT: u32 = 11;
export const DISTANCE_ROOT: u32 = 8;

/** Bytes of input for which it pays to {@link combine}. */
const MANY: u32 = 4096;

export const LENGTHS: usize = 0; // u8[320]
export const COUNTS: usize = 320; // u16[16]
export const OFFSETS: usize = 352; // u16[16]
export const SORTED: usize = 384; // u16[320]
export const BUFFER: usize = 1024; // u64
export const BITS: usize = 1032; // u32
export const SOURCE: usize = 1036; // u32
export const TARGET: usize = 1040; // u32
export const SYMBOLS: usize = 1088; // u32[2342]
export const DISTANCES: usize = 10496; // u32[402]
export const PAIRS: usize = 12112; // u32[1024]

/** The byte where the next bit lies. */
export function place(tables: usize): usize {
  return load<u32>(tables + SOURCE) - ((load<u32>(tables + BITS) + 7) >> 3);
}

/** The next `n` bits (16 at most) as a number; negative where the input ends before. */
export function take(tables: usize, n: u32, end: usize): i32 {
  let bits = load<u32>(tables + BITS), buffer = load<u64>(tables + BUFFER);
  let p: usize = load<u32>(tables + SOURCE);
  while (bits < n) {
    if (p >= end) return INPUT_ENDS;
    buffer |= <u64>load<u8>(p++) << bits;
    bits += 8;
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + BITS, bits - n);
  store<u64>(tables + BUFFER, buffer >> n);
  return <i32>(buffer & ((<u64>1 << n) - 1));
}

/** The codes that need no description. */
export function fixedCodes(tables: usize): void {
  const lengths = tables + LENGTHS;
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  makeTable(tables, lengths, 288, SYMBOLS, ROOT, 0);
  memory.fill(lengths, 5, 32);
  makeTable(tables, lengths, 32, DISTANCES, DISTANCE_ROOT, 1);
}

/** The order in which lengths of the code for code lengths come: 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15. */
// @ts-ignore: decorator
@inline function placeOfLength(i: u32): usize {
  if (i < 3) return 16 + i;
  if (i == 3) return 0;
  return i & 1 ? 7 - ((i - 5) >> 1) : 8 + ((i - 4) >> 1);
}

export function dynamicCodes(tables: usize, end: usize): i32 {
  const sizes = take(tables, 14, end);
  if (sizes < 0) return sizes;
  const symbols = 257 + (sizes & 31), distances = 1 + (sizes >> 5 & 31), codes = 4 + (sizes >> 10);
  if (symbols > 286 || distances > 30) return NO_CODE;
  const lengths = tables + LENGTHS;
  memory.fill(lengths, 0, 320);
  for (let i = 0; i < codes; i++) {
    const n = take(tables, 3, end);
    if (n < 0) return n;
    store<u8>(lengths + placeOfLength(i), <u8>n);
  }
  let code = makeTable(tables, lengths, 19, DISTANCES, 7, 2);
  if (code < 0) return code;
  memory.fill(lengths, 0, 320);
  code = readLengths(tables, symbols + distances, end);
  if (code < 0) return code;
  if (load<u8>(lengths + 256) == 0) return NO_CODE;
  code = makeTable(tables, lengths + symbols, distances, DISTANCES, DISTANCE_ROOT, 1);
  if (code < 0) return code;
  code = makeTable(tables, lengths, symbols, SYMBOLS, ROOT, 0);
  if (code == 0 && load<u32>(tables + SOURCE) + MANY < <u32>end) combine(tables);
  return code;
}

/** Reads `all` code lengths, by the code of seven bits at most in the table for distances; 0 or a negative code. */
function readLengths(tables: usize, all: u32, end: usize): i32 {
  const lengths = tables + LENGTHS;
  let bits = load<u32>(tables + BITS), buffer = load<u64>(tables + BUFFER);
  let p: usize = load<u32>(tables + SOURCE);
  let i: u32 = 0;
  while (i < all) {
    while (bits < 15 && p < end) {
      buffer |= <u64>load<u8>(p++) << bits;
      bits += 8;
    }
    const entry = load<u32>(tables + DISTANCES + (<usize>(buffer & 127) << 2)), symbol = entry >> 16;
    const length = entry & 63;
    if (length == 0) return bits < 15 ? INPUT_ENDS : NO_CODE;
    if (length > bits) return INPUT_ENDS;
    buffer >>= length; bits -= length;
    if (symbol < 16) { store<u8>(lengths + i++, <u8>symbol); continue; }
    const extra: u32 = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    if (extra > bits) return INPUT_ENDS;
    const times = (<u32>buffer & ((1 << extra) - 1)) + (symbol == 18 ? 11 : 3);
    buffer >>= extra; bits -= extra;
    if ((symbol == 16 && i == 0) || i + times > all) return NO_CODE;
    if (symbol == 16) for (const length = load<u8>(lengths + i - 1), stop = i + times; i < stop; i++) store<u8>(lengths + i, length);
    else i += times;
  }
  store<u32>(tables + SOURCE, p);
  store<u32>(tables + BITS, bits);
  store<u64>(tables + BUFFER, buffer);
  return 0;
}

/** The entry of a symbol, without the length of its code; kind 0 literals and lengths, 1 distances, 2 code lengths. */
function meaning(symbol: u32, kind: i32): u32 {
  if (kind == 2) return symbol << 16;
  if (kind == 1) {
    if (symbol >= 30) return OTHER | NOTHING;
    const extra = extraBits(symbol, 1);
    return (1 + (symbol < 4 ? symbol : (2 | symbol & 1) << extra)) << 16 | extra;
  }
  if (symbol < 256) return 1 << 24 | symbol << 8;
  if (symbol == 256) return RARE | LENGTH | OTHER | END;
  if (symbol > 285) return RARE | LENGTH | OTHER | NOTHING;
  if (symbol == 285) return LENGTH | 255 << 16;
  const i = symbol - 257, extra = extraBits(i, 2);
  return (i < 8 ? LENGTH | i << 16 : RARE | LENGTH | (4 + (i & 3)) << extra << 16) | extra;
}

/** The first two groups of 2^`step` symbols have no extra bits, then each has one more. */
// @ts-ignore: decorator
@inline function extraBits(i: u32, step: u32): u32 {
  return i < <u32>2 << step ? 0 : (i >> step) - 1;
}

/**
 * Makes the table of a code from the lengths of its words. Errors: more words than there is room for; or fewer, unless
 * there is a single word of one bit, or none.
 */
function makeTable(tables: usize, lengths: usize, n: i32, target: usize, root: u32, kind: i32): i32 {
  const table = tables + target, counts = tables + COUNTS, offsets = tables + OFFSETS, sorted = tables + SORTED;
  memory.fill(counts, 0, 32);
  for (let i = 0; i < n; i++) {
    const at = counts + (<usize>load<u8>(lengths + i) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  let most: u32 = 15;
  while (most > 0 && load<u16>(counts + (most << 1)) == 0) most--;
  if (most == 0) { // nothing stands for anything
    store<u32>(table, OTHER | (kind == 0 ? RARE | LENGTH : 0));
    for (let length: u32 = 1; length <= root; length++) double(table, length);
    return kind == 1 ? 0 : NO_CODE;
  }
  store<u32>(table, OTHER | (kind == 0 ? RARE | LENGTH : 0));
  let left: i32 = 1;
  store<u16>(offsets, 0, 2);
  for (let length: u32 = 1; length < 16; length++) {
    const count = load<u16>(counts + (length << 1));
    left = (left << 1) - count;
    if (left < 0) return NO_CODE;
    if (length < 15) store<u16>(offsets + (length << 1), load<u16>(offsets + (length << 1)) + <u16>count, 2);
  }
  if (left > 0 && (kind == 2 || most != 1)) return NO_CODE;
  for (let i = 0; i < n; i++) {
    const length = <u32>load<u8>(lengths + i);
    if (length == 0) continue;
    const at = offsets + (length << 1), place = load<u16>(at);
    store<u16>(sorted + (<usize>place << 1), <u16>i);
    store<u16>(at, place + 1);
  }
  fillTable(table, counts, sorted, root, most, kind, lengths);
  return 0;
}

/**
 * Writes an entry wherever the low bits are the code, its first bit lowest. The first table begins with one entry and is
 * doubled with each bit, so that every code is written once.
 */
function fillTable(table: usize, counts: usize, sorted: usize, root: u32, most: u32, kind: i32, cuts: usize): void {
  let cut = cuts;
  let word: u32 = 0; // the code with its first bit lowest
  let used: u32 = 1 << root; // entries of the tables so far
  let prefix: u32 = 0xffffffff, second: usize = 0, secondBits: u32 = 0;
  for (let length: u32 = 1; length <= most; length++) {
    if (length <= root) double(table, length);
    for (let left: u32 = load<u16>(counts + (length << 1)); left > 0; left--, sorted += 2) {
      const value = meaning(load<u16>(sorted), kind), isLiteral = kind == 0 && <i32>value >= 0;
      if (length <= root) {
        store<u16>(sorted, <u16>word);
        store<u32>(table + (<usize>word << 2), value + length * (isLiteral ? 0x4000001 : 0x101));
        if ((value & (RARE | OTHER)) == RARE && (value & 63) + length <= root) {
          store<u32>(cut, word);
          store<u32>(cut, length, 4);
          cut += 8;
        }
      } else {
        const low = word & ((1 << root) - 1);
        if (low != prefix) {
          prefix = low;
          secondBits = length - root;
          let space: i32 = 1 << secondBits;
          space -= left;
          while (space > 0 && secondBits + root < most) {
            secondBits++;
            space = (space << 1) - load<u16>(counts + ((secondBits + root) << 1));
          }
          second = table + (<usize>used << 2);
          store<u32>(table + (<usize>low << 2), (kind == 0 ? RARE | LENGTH : 0) | OTHER | SECOND | used << 16 | secondBits << 8 | root);
          used += 1 << secondBits;
        }
        for (let i = word >> root; i < <u32>1 << secondBits; i += <u32>1 << (length - root)) {
          store<u32>(second + (<usize>i << 2), value + (length - root) * (isLiteral ? 0x4000001 : 0x101));
        }
      }
      const zeros = ~word & ((1 << length) - 1), bit: u32 = 0x80000000 >> clz(zeros); // the next code: adds one at the last bit
      word = zeros == 0 ? 0 : (word & (bit - 1)) + bit;
    }
  }
  for (let length = most + 1; length <= root; length++) double(table, length);
  for (; cuts < cut; cuts += 8) cutLength(table, load<u32>(cuts), <u32>1 << load<u32>(cuts, 4), <u32>1 << root);
}

/** Cuts the extra bits of a length out, as all of them are among the bits of the table. */
function cutLength(table: usize, word: u32, step: u32, size: u32): void {
  const entry = load<u32>(table + (<usize>word << 2)), plain = entry & (LENGTH | 0xff003f);
  for (; word < size; word += step) {
    const extra = (word & ~(<u32>-1 << entry)) >> (entry >> 8);
    store<u32>(table + (<usize>word << 2), plain + (extra << 16));
  }
}

/** Makes a table of `length` bits of one of a bit less. */
// @ts-ignore: decorator
@inline function double(table: usize, length: u32): void {
  const bytes = <usize>2 << length;
  memory.copy(table + bytes, table, bytes);
}

/**
 * Makes one entry of two: a literal and what comes after it, if all of that is among the bits of the table, a literal or a
 * length. For each literal these are the entries of the symbols after it as far as they are short enough (`PAIRS`).
 */
function combine(tables: usize): void {
  const table = tables + SYMBOLS, pairs = tables + PAIRS, counts = tables + COUNTS;
  let n: usize = 0, least: u32 = 0;
  for (let length: usize = 1; length <= <usize>ROOT; length++) {
    n += load<u16>(counts + (length << 1));
    if (n == 0) least = <u32>length;
  }
  least++;
  let all: u32 = 0; // entries of `pairs`
  for (let word = tables + SORTED, stop = word + (n << 1); word < stop; word += 2) {
    const first = table + (<usize>load<u16>(word) << 2), entry = load<u32>(first);
    if (<i32>entry < 0) continue;
    const bits = entry & 63, left = ROOT - bits;
    if (bits + least > ROOT) break;
    if (all == 0) { // the shortest literal
      all = 1 << left;
      for (let i: usize = 0; i < <usize>all; i++) store<u32>(pairs + (i << 2), secondOf(load<u32>(table + (i << 2))));
    }
    for (let i: usize = 0, end: usize = 1 << left; i < end; i++) {
      const second = load<u32>(pairs + (i << 2));
      store<u32>(first + (i << 2 << bits), entry + ((second & 63) <= left ? second : 0));
    }
  }
}

/** What an entry adds to that of a literal before it. */
// @ts-ignore: decorator
@inline function secondOf(entry: u32): u32 {
  if (<i32>entry >= 0) return (entry & 0xff00) << 8 | entry & 63 | 1 << 24;
  return entry & RARE ? 63 : entry & (LENGTH | 0xff003f);
}
