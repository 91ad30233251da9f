// Tables of states (FSE): each state means a symbol, and says how many bits give the next one.
//
//   entry    bits 0–7 bits that are read for the next state · 8–15 extra bits of the value · 16–31 the least next state
//            · 32–63 the least value

import { NO_CODE } from "../filters/unpacking";
import { COUNTS, LOG, MEANINGS, NEXT } from "./state";

/** What the symbols of a table mean. */
export const enum Kind { LENGTHS = 0, OFFSETS = 1, MATCHES = 2, WEIGHTS = 3 }

/** Symbols of each kind. */
export function symbolsOf(kind: Kind): u32 {
  return kind == Kind.LENGTHS ? 36 : kind == Kind.OFFSETS ? 32 : kind == Kind.MATCHES ? 53 : 12;
}

/** Most bits of a state of each kind. */
export function mostBits(kind: Kind): u32 {
  return kind == Kind.OFFSETS ? 8 : kind == Kind.WEIGHTS ? 6 : 9;
}

/** Extra bits of a symbol. */
function extraBits(kind: Kind, symbol: u32): u32 {
  if (kind == Kind.OFFSETS) return symbol;
  if (kind == Kind.WEIGHTS) return 0;
  if (kind == Kind.LENGTHS) {
    return symbol < 16 ? 0 : symbol < 25 ? <u32>(0x433221111 >> <u64>((symbol - 16) << 2)) & 15 : symbol - 19;
  }
  return symbol < 32 ? 0 : symbol < 43 ? <u32>(0x54433221111 >> <u64>((symbol - 32) << 2)) & 15 : symbol - 36;
}

/** Writes what each symbol means, as the entries have it. */
function meanings(tables: usize, kind: Kind): void {
  let least: u32 = kind == Kind.MATCHES ? 3 : kind == Kind.OFFSETS ? 1 : 0;
  for (let symbol: u32 = 0, n = symbolsOf(kind); symbol < n; symbol++) {
    const extra = extraBits(kind, symbol);
    store<u64>(tables + (<usize>symbol << 3), <u64>least << 32 | <u64>(extra << 8), MEANINGS);
    least += <u32>1 << extra;
  }
}

/** The meaning of a single symbol. */
export function meaningOf(tables: usize, kind: Kind, symbol: u32): u64 {
  meanings(tables, kind);
  return load<u64>(tables + (<usize>symbol << 3), MEANINGS);
}

/** The 32 bits from bit `at` of the input on; zeros behind its end. */
function forward(src: usize, at: u32, end: usize): u32 {
  let p = src + (at >> 3);
  if (p + 8 <= end) return <u32>(load<u64>(p) >> <u64>(at & 7));
  let bits: u64 = 0;
  for (let i: u64 = 0; i < 40 && p < end; i += 8) bits |= <u64>load<u8>(p++) << i;
  return <u32>(bits >> <u64>(at & 7));
}

/** Reads how many states each symbol has; the bytes taken, or a negative code. LOG: the bits of a state. */
export function readCounts(tables: usize, kind: Kind, src: usize, end: usize): i32 {
  const symbols = symbolsOf(kind), counts = tables + COUNTS;
  memory.fill(counts, 0, 128);
  const log = (forward(src, 0, end) & 15) + 5;
  if (log > mostBits(kind)) return NO_CODE;
  let at: u32 = 4, left: i32 = (1 << log) + 1, half: i32 = 1 << log, width = log + 1;
  let symbol: u32 = 0;
  while (left > 1) {
    if (symbol >= symbols) return NO_CODE;
    const bits = <i32>forward(src, at, end), few = 2 * half - 1 - left;
    let count = bits & (half - 1);
    at += width;
    if (count < few) at--;
    else {
      count = bits & (2 * half - 1);
      if (count >= half) count -= few;
    }
    count--;
    left -= count < 0 ? 1 : count;
    store<i16>(counts + (<usize>symbol << 1), <i16>count);
    symbol++;
    while (left < half) { half >>= 1; width--; }
    if (count != 0) continue;
    for (let more: u32 = 3; more == 3;) { // symbols without states
      more = forward(src, at, end) & 3;
      at += 2;
      symbol += more;
      if (symbol > symbols) return NO_CODE;
    }
  }
  const bytes = (at + 7) >> 3;
  if (<usize>bytes > end - src) return NO_CODE;
  store<u32>(tables + LOG, log);
  return <i32>bytes;
}

/** The counts of a table that needs no description; LOG as {@link readCounts} says. */
export function knownCounts(tables: usize, kind: Kind): void {
  const counts = tables + COUNTS;
  memory.fill(counts, 0, 128);
  for (let i: u32 = 0, n = kind == Kind.OFFSETS ? <u32>29 : symbolsOf(kind); i < n; i++) {
    store<i16>(counts + (<usize>i << 1), <i16>(<i32>(known(kind, i >> 4) >> <u64>((i & 15) << 2)) & 15) - 1);
  }
  store<u32>(tables + LOG, kind == Kind.OFFSETS ? 5 : 6);
}

/** Sixteen counts, each one more than it is, lowest first. */
function known(kind: Kind, part: u32): u64 {
  if (kind == Kind.LENGTHS) return part == 0 ? 0x2223333333333345 : part == 1 ? 0x2222234333333333 : 0;
  if (kind == Kind.OFFSETS) return part == 0 ? 0x2222222333222222 : 0x22222222;
  return part == 0 ? 0x2222222333333452 : part == 1 ? 0x2222222222222222 : part == 2 ? 0x0022222222222222 : 0;
}

/** Makes a table of the counts. */
export function makeStates(tables: usize, kind: Kind, table: usize): void {
  const log = load<u32>(tables + LOG), size: u32 = 1 << log, mask = size - 1;
  const step = (size >> 1) + (size >> 3) + 3, symbols = symbolsOf(kind);
  let high = mask, at: u32 = 0;
  meanings(tables, kind);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = <i32>load<i16>(tables + (<usize>symbol << 1), COUNTS);
    store<u16>(tables + (<usize>symbol << 1), count < 0 ? 1 : <u16>count, NEXT);
    if (count < 0) {
      store<u64>(table + (<usize>high << 3), symbol);
      high--;
    }
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    for (let left = <i32>load<i16>(tables + (<usize>symbol << 1), COUNTS); left > 0; left--) {
      store<u64>(table + (<usize>at << 3), symbol);
      do at = (at + step) & mask; while (at > high);
    }
  }
  for (let i: usize = 0; i < <usize>size; i++) {
    const symbol = load<u32>(table + (i << 3)), next = tables + (<usize>symbol << 1);
    const state = <u32>load<u16>(next, NEXT);
    store<u16>(next, <u16>(state + 1), NEXT);
    const bits = log - 31 + clz(state);
    const meaning = load<u64>(tables + (<usize>symbol << 3), MEANINGS);
    store<u64>(table + (i << 3), meaning | <u64>((state << bits) - size) << 16 | <u64>bits);
  }
}
