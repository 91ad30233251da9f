// bzip2: streams of blocks; checksums of blocks and streams are verified.
//
//   stream  "BZh" level  block …  177245385090₄₈  sum₃₂  to the end of the byte      bits: the highest of a byte first
//   block   314159265359₄₈  sum₃₂  randomised₁  origin₂₄  symbols (bzip2_codes.ts)
//
//   bytes  →  runs of four and more: four and a count  →  sorted rotations (Burrows, Wheeler)  →  symbols
//
// Back: `last` has the last byte of every sorted rotation. The rotations that begin with byte b follow each other, in
// the order in which b comes in `last`: that gives to each rotation the one that begins a byte later, and the bytes come
// one after another from the place `origin`. One u32 is both: the byte in its low bits, the next place above.
//
// Places in errors are those of the byte where the block (or the beginning or end of the stream) begins.

import { failed, finished, INPUT_ENDS, NO_CODE, NO_ROOM, OLD_KIND, WRONG_SUM } from "./unpacking";
import { BITS, BUFFER, BYTE_COUNTS, place, SOURCE, STREAM_SUM, SUMS, symbols, take, TARGET, WORK } from "./bzip2_codes";
import { makeSums, sumOf } from "./bzip2_sums";

// @ts-ignore: decorator
@inline export function bzip2<T>(
  status: usize, dst: usize, room: i32, src: usize, length: i32, tables: usize, most: i32,
): void {
  const end = src + length, stop = dst + room;
  makeSums(tables + SUMS);
  store<u64>(tables + BUFFER, 0);
  store<u32>(tables + BITS, 0);
  store<u32>(tables + SOURCE, src);
  store<u32>(tables + TARGET, dst);
  let at = src;
  do {
    const level = streamLevel(tables, end);
    if (level < 0) { failed(status, level, at - src, dst, room); return; }
    let code = 1;
    while (code > 0) {
      at = place(tables);
      code = block(tables, end, stop, level, most);
    }
    if (code < 0) { failed(status, code, at - src, dst, room); return; }
    at = place(tables);
  } while (isStream(at, end)); // what follows and is none is left alone
  finished(status, load<u32>(tables + TARGET), at - src, dst, stop);
}

/** Whether a stream begins at `p`. */
function isStream(p: usize, end: usize): bool {
  return p + 4 <= end && (load<u32>(p) & 0xffffff) == 0x685a42 && <u32>load<u8>(p, 3) - 0x31 < 9;
}

/** The largest block of the stream that begins here, in symbols. */
function streamLevel(tables: usize, end: usize): i32 {
  const p: usize = load<u32>(tables + SOURCE) - (load<u32>(tables + BITS) >> 3);
  if (p + 4 > end) return INPUT_ENDS;
  if (!isStream(p, end)) return NO_CODE;
  store<u64>(tables + BUFFER, 0);
  store<u32>(tables + BITS, 0);
  store<u32>(tables + SOURCE, p + 4);
  store<u32>(tables + STREAM_SUM, 0);
  return 100000 * (load<u8>(p, 3) - 0x30);
}

/** A block, or the end of a stream: 1 or 0, or a negative code. */
function block(tables: usize, end: usize, stop: usize, level: i32, most: i32): i32 {
  const a = take(tables, 24, end);
  if (a < 0) return a;
  const b = take(tables, 24, end);
  if (b < 0) return b;
  const isEnd = a == 0x177245 && b == 0x385090;
  if (!isEnd && (a != 0x314159 || b != 0x265359)) return NO_CODE;
  const high = take(tables, 16, end);
  if (high < 0) return high;
  const low = take(tables, 16, end);
  if (low < 0) return low;
  const sum: u32 = high << 16 | low, sums = load<u32>(tables + STREAM_SUM);
  if (isEnd) {
    if (sum != sums) return WRONG_SUM;
    take(tables, load<u32>(tables + BITS) & 7, end);
    return 0;
  }
  const old = take(tables, 1, end);
  if (old != 0) return old < 0 ? old : OLD_KIND;
  const origin = take(tables, 24, end);
  if (origin < 0) return origin;
  const n = symbols(tables, end, min(level, most), level <= most ? NO_CODE : NO_ROOM);
  if (n < 0) return n;
  if (origin >= n) return NO_CODE;
  link(tables + BYTE_COUNTS, tables + WORK, n);
  const from: usize = load<u32>(tables + TARGET);
  const to = spell(tables + WORK, origin, n, from, stop);
  if (to == 0) return NO_ROOM;
  if (sumOf(tables + SUMS, from, to) != sum) return WRONG_SUM;
  store<u32>(tables + TARGET, to);
  store<u32>(tables + STREAM_SUM, rotl<u32>(sums, 1) ^ sum);
  return 1;
}

/** Puts the next place above the byte of each of the `n` entries. */
function link(counts: usize, work: usize, n: i32): void {
  let before: u32 = 0;
  for (let i: usize = 0; i < 1024; i += 4) {
    const count = load<u32>(counts + i);
    store<u32>(counts + i, before);
    before += count;
  }
  let next: u32 = 0;
  for (let p = work, end = work + (<usize>n << 2); p < end; p += 4, next += 256) {
    const place = counts + (<usize>load<u8>(p) << 2);
    const i = load<u32>(place);
    store<u32>(place, i + 1);
    const at = work + (<usize>i << 2);
    store<u32>(at, load<u32>(at) | next);
  }
}

/**
 * The bytes of a block from `origin` on, with the runs that were counted; where they end, 0 where there is no room. The
 * next entry is loaded before anything is known of the byte at hand: its load is all that the loop waits for.
 */
function spell(work: usize, origin: i32, n: i32, to: usize, stop: usize): usize {
  let entry = load<u32>(work + (<usize>(load<u32>(work + (<usize>origin << 2)) >> 8) << 2));
  let last: u32 = 0, run = 0;
  for (; n > 0; n--) {
    const byte = entry & 255;
    entry = load<u32>(work + (<usize>(entry >> 8) << 2));
    if (run == 4) {
      const next = to + byte;
      if (next > stop) return 0;
      if (next + 16 > stop) memory.fill(to, <u8>last, byte);
      else for (const same = i8x16.splat(<i8>last); to < next; to += 16) v128.store(to, same);
      to = next;
      run = 0;
      continue;
    }
    if (to >= stop) return 0;
    store<u8>(to++, <u8>byte);
    run = byte == last ? run + 1 : 1;
    last = byte;
  }
  return to;
}
