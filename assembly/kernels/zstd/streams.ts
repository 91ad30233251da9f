// Bytes in a Huffman code, in one stream or in four side by side: none of them waits for the entry of another.

import { NO_CODE } from "../filters/unpacking";
import { MOST } from "./code";
import { bitsAt, lengthOfStream, LITERALS, PAIRS } from "./state";

/** Bytes for which the table of pairs pays. */
const MANY: usize = 16384;
/** Bits of the larger table of pairs: where low and high bytes of samples take turns, 9 and 5 of them belong together. */
const WIDE: u32 = 14;

// @ts-ignore: decorator
@inline function entryOf(codes: usize, bits: u64): u32 {
  return <u32>load<u16>(codes + (<usize>(bits >> 53) << 1));
}

// @ts-ignore: decorator
@inline function pairOf(pairs: usize, bits: u64, width: u64): u32 {
  return load<u32>(pairs + (<usize>(bits >> (64 - width)) << 2));
}

// @ts-ignore: decorator
@inline function put(to: usize, entry: u32): void {
  store<u8>(to, <u8>(entry >> 8));
}

/** One stream of `n` bytes; 0 or a negative code. */
export function oneStream(tables: usize, src: usize, end: usize, to: usize, n: usize): i32 {
  const place = lengthOfStream(src, end);
  return place < 0 ? NO_CODE : rest(tables, src, place, to, to + n);
}

/** What is left of a stream: it must end where its last byte does. */
function rest(tables: usize, stream: usize, place: i32, to: usize, stop: usize): i32 {
  const codes = tables + LITERALS;
  while (to + 5 <= stop && place >= 0) {
    let bits = bitsAt(stream, place);
    let entry = entryOf(codes, bits), taken = entry & 255;
    put(to, entry); bits <<= <u64>entry;
    entry = entryOf(codes, bits); taken += entry & 255;
    put(to + 1, entry); bits <<= <u64>entry;
    entry = entryOf(codes, bits); taken += entry & 255;
    put(to + 2, entry); bits <<= <u64>entry;
    entry = entryOf(codes, bits); taken += entry & 255;
    put(to + 3, entry); bits <<= <u64>entry;
    entry = entryOf(codes, bits); taken += entry & 255;
    put(to + 4, entry);
    place -= <i32>taken;
    to += 5;
  }
  while (to < stop && place >= 0) {
    const entry = entryOf(codes, bitsAt(stream, place));
    put(to++, entry);
    place -= <i32>(entry & 255);
  }
  return place == 0 ? 0 : NO_CODE;
}

/** Where a stream is: the address of the eight bytes that hold its next bits, of which at most seven are used up. */
// @ts-ignore: decorator
@inline function addressOf(stream: usize, place: i32): usize {
  return stream + ((place - 1) >> 3) - 7;
}

/** The bits at the start of a stream of `place` bits. */
// @ts-ignore: decorator (of a function, which AssemblyScript has and TypeScript has not)
@inline function begun(p: usize, place: i32): u64 {
  return held(p, -place & 7);
}

/** The bits at `p`, of which `taken` are used up; a 1 behind the last one tells later how many were taken in all. */
// @ts-ignore: decorator
@inline function held(p: usize, taken: u64): u64 {
  return (load<u64>(p) | 1) << taken;
}

/** The bits that are left of a stream. */
// @ts-ignore: decorator
@inline function placeOf(stream: usize, p: usize, bits: u64): i32 {
  return (<i32>(p - stream) << 3) + 64 - <i32>ctz(bits);
}

/** How many rounds may come: each takes seven bytes of a stream at most. */
// @ts-ignore: decorator
@inline function roundsOf(a: usize, b: usize, c: usize, d: usize): i32 {
  return min(min(<i32>a, <i32>b), min(<i32>c, <i32>d)) / 7;
}

/**
 * Four streams of a quarter of `n` bytes each; 0 or a negative code. The `free` bytes at `output`, which the block writes
 * later, may hold the larger table of pairs until then.
 */
export function fourStreams(tables: usize, src: usize, end: usize, to: usize, n: usize, output: usize, free: usize): i32 {
  if (end - src < 10) return NO_CODE;
  const s0 = src + 6, s1 = s0 + load<u16>(src), s2 = s1 + load<u16>(src, 2), s3 = s2 + load<u16>(src, 4);
  const t1 = (n + 3) >> 2, t2 = t1 << 1, t3 = t1 + t2;
  if (s3 >= end || t3 > n) return NO_CODE;
  const l0 = lengthOfStream(s0, s1), l1 = lengthOfStream(s1, s2), l2 = lengthOfStream(s2, s3), l3 = lengthOfStream(s3, end);
  if ((l0 | l1 | l2 | l3) < 0) return NO_CODE;
  const bits = (end - src) << 3;
  if (n >= MANY && bits < n * 6) {
    return pairsOfFour(tables, tables + PAIRS, MOST, s0, s1, s2, s3, l0, l1, l2, l3, to, n);
  }
  if (n >= MANY && bits < n * 7 && free >= <usize>4 << WIDE) {
    return pairsOfFour(tables, output, WIDE, s0, s1, s2, s3, l0, l1, l2, l3, to, n);
  }
  const codes = tables + LITERALS, start = to, stop = to + n;
  let p0 = addressOf(s0, l0), p1 = addressOf(s1, l1), p2 = addressOf(s2, l2), p3 = addressOf(s3, l3);
  let b0 = begun(p0, l0), b1 = begun(p1, l1), b2 = begun(p2, l2), b3 = begun(p3, l3);
  for (;;) {
    const rounds = min(roundsOf(p0 - s0, p1 - s1, p2 - s2, p3 - s3), (<i32>(stop - t3) - <i32>to) / 5);
    if (rounds <= 0) break;
    for (const last = to + 5 * rounds; to < last; to += 5) {
      let e0: u32, e1: u32, e2: u32, e3: u32;
      e0 = entryOf(codes, b0); e1 = entryOf(codes, b1); e2 = entryOf(codes, b2); e3 = entryOf(codes, b3);
      b0 <<= <u64>e0; b1 <<= <u64>e1; b2 <<= <u64>e2; b3 <<= <u64>e3;
      put(to, e0); put(to + t1, e1); put(to + t2, e2); put(to + t3, e3);
      e0 = entryOf(codes, b0); e1 = entryOf(codes, b1); e2 = entryOf(codes, b2); e3 = entryOf(codes, b3);
      b0 <<= <u64>e0; b1 <<= <u64>e1; b2 <<= <u64>e2; b3 <<= <u64>e3;
      store<u8>(to, <u8>(e0 >> 8), 1); store<u8>(to + t1, <u8>(e1 >> 8), 1); store<u8>(to + t2, <u8>(e2 >> 8), 1); store<u8>(to + t3, <u8>(e3 >> 8), 1);
      e0 = entryOf(codes, b0); e1 = entryOf(codes, b1); e2 = entryOf(codes, b2); e3 = entryOf(codes, b3);
      b0 <<= <u64>e0; b1 <<= <u64>e1; b2 <<= <u64>e2; b3 <<= <u64>e3;
      store<u8>(to, <u8>(e0 >> 8), 2); store<u8>(to + t1, <u8>(e1 >> 8), 2); store<u8>(to + t2, <u8>(e2 >> 8), 2); store<u8>(to + t3, <u8>(e3 >> 8), 2);
      e0 = entryOf(codes, b0); e1 = entryOf(codes, b1); e2 = entryOf(codes, b2); e3 = entryOf(codes, b3);
      b0 <<= <u64>e0; b1 <<= <u64>e1; b2 <<= <u64>e2; b3 <<= <u64>e3;
      store<u8>(to, <u8>(e0 >> 8), 3); store<u8>(to + t1, <u8>(e1 >> 8), 3); store<u8>(to + t2, <u8>(e2 >> 8), 3); store<u8>(to + t3, <u8>(e3 >> 8), 3);
      e0 = entryOf(codes, b0); e1 = entryOf(codes, b1); e2 = entryOf(codes, b2); e3 = entryOf(codes, b3);
      b0 <<= <u64>e0; b1 <<= <u64>e1; b2 <<= <u64>e2; b3 <<= <u64>e3;
      store<u8>(to, <u8>(e0 >> 8), 4); store<u8>(to + t1, <u8>(e1 >> 8), 4); store<u8>(to + t2, <u8>(e2 >> 8), 4); store<u8>(to + t3, <u8>(e3 >> 8), 4);
      let taken = ctz(b0); p0 -= <usize>taken >> 3; b0 = held(p0, taken & 7);
      taken = ctz(b1); p1 -= <usize>taken >> 3; b1 = held(p1, taken & 7);
      taken = ctz(b2); p2 -= <usize>taken >> 3; b2 = held(p2, taken & 7);
      taken = ctz(b3); p3 -= <usize>taken >> 3; b3 = held(p3, taken & 7);
    }
  }
  const done = to - start;
  let code = rest(tables, s0, placeOf(s0, p0, b0), to, start + t1);
  code |= rest(tables, s1, placeOf(s1, p1, b1), start + t1 + done, start + t2);
  code |= rest(tables, s2, placeOf(s2, p2, b2), start + t2 + done, start + t3);
  code |= rest(tables, s3, placeOf(s3, p3, b3), start + t3 + done, stop);
  return code == 0 ? 0 : NO_CODE;
}

/**
 * Makes the table of pairs: two bytes wherever both words are in `width` bits. Entries: bits, bytes, how many.
 *
 * Words of the same length lie side by side, and what may follow one of them may follow the others.
 */
function makePairs(tables: usize, pairs: usize, width: u32): void {
  const codes = tables + LITERALS, mask = (<u32>1 << width) - 1, wider = width - MOST;
  let length: u32 = 0, first: u32 = 0, from = pairs;
  for (let at = pairs, end = pairs + (<usize>4 << width); at < end;) {
    const one = <u32>load<u16>(codes + (<usize>(<u32>(at - pairs) >> 2 >> wider) << 1)), bits = one & 255;
    const entries = <u32>1 << (width - bits), bytes = <usize>entries << 2;
    if (bits != length) {
      length = bits; first = one; from = at;
      for (let i: u32 = 0; i < entries; i++) {
        const two = <u32>load<u16>(codes + (<usize>((i << bits & mask) >> wider) << 1)), both = bits + (two & 255);
        store<u32>(at + (<usize>i << 2), both <= width ? both | (one & 0xff00) | (two & 0xff00) << 8 | 2 << 24 : one | 1 << 24);
      }
    } else if (entries >= 4) {
      const more = i32x4.splat(one - first);
      for (let i: usize = 0; i < bytes; i += 16) v128.store(at + i, i32x4.add(v128.load(from + i), more));
    } else for (let i: usize = 0; i < bytes; i += 4) store<u32>(at + i, load<u32>(from + i) + one - first);
    at += bytes;
  }
}

// @ts-ignore: decorator
@inline function putPair(to: usize, entry: u32): usize {
  store<u16>(to, <u16>(entry >> 8));
  return to + (entry >> 24);
}

/**
 * As {@link fourStreams}, a pair at a time; the streams get to their ends at different times. Words are short enough for
 * five pairs of 11 bits per round, or for four of 14.
 */
// @ts-ignore: decorator
@inline function pairsOfFour(
  tables: usize, pairs: usize, width: u64,
  s0: usize, s1: usize, s2: usize, s3: usize, l0: i32, l1: i32, l2: i32, l3: i32, to: usize, n: usize,
): i32 {
  makePairs(tables, pairs, <u32>width);
  const quarter = (n + 3) >> 2;
  const e0 = to + quarter, e1 = e0 + quarter, e2 = e1 + quarter, e3 = to + n;
  let t0 = to, t1 = e0, t2 = e1, t3 = e2;
  let p0 = addressOf(s0, l0), p1 = addressOf(s1, l1), p2 = addressOf(s2, l2), p3 = addressOf(s3, l3);
  let b0 = begun(p0, l0), b1 = begun(p1, l1), b2 = begun(p2, l2), b3 = begun(p3, l3);
  for (;;) {
    const most = min(min(<i32>(e0 - t0), <i32>(e1 - t1)), min(<i32>(e2 - t2), <i32>(e3 - t3))) / 10;
    let rounds = min(roundsOf(p0 - s0, p1 - s1, p2 - s2, p3 - s3), most);
    if (rounds <= 0) break;
    for (; rounds > 0; rounds--) {
      let a: u32, b: u32, c: u32, d: u32;
      a = pairOf(pairs, b0, width); b = pairOf(pairs, b1, width); c = pairOf(pairs, b2, width); d = pairOf(pairs, b3, width);
      b0 <<= <u64>a; b1 <<= <u64>b; b2 <<= <u64>c; b3 <<= <u64>d;
      t0 = putPair(t0, a); t1 = putPair(t1, b); t2 = putPair(t2, c); t3 = putPair(t3, d);
      a = pairOf(pairs, b0, width); b = pairOf(pairs, b1, width); c = pairOf(pairs, b2, width); d = pairOf(pairs, b3, width);
      b0 <<= <u64>a; b1 <<= <u64>b; b2 <<= <u64>c; b3 <<= <u64>d;
      t0 = putPair(t0, a); t1 = putPair(t1, b); t2 = putPair(t2, c); t3 = putPair(t3, d);
      a = pairOf(pairs, b0, width); b = pairOf(pairs, b1, width); c = pairOf(pairs, b2, width); d = pairOf(pairs, b3, width);
      b0 <<= <u64>a; b1 <<= <u64>b; b2 <<= <u64>c; b3 <<= <u64>d;
      t0 = putPair(t0, a); t1 = putPair(t1, b); t2 = putPair(t2, c); t3 = putPair(t3, d);
      a = pairOf(pairs, b0, width); b = pairOf(pairs, b1, width); c = pairOf(pairs, b2, width); d = pairOf(pairs, b3, width);
      b0 <<= <u64>a; b1 <<= <u64>b; b2 <<= <u64>c; b3 <<= <u64>d;
      t0 = putPair(t0, a); t1 = putPair(t1, b); t2 = putPair(t2, c); t3 = putPair(t3, d);
      if (width < WIDE) {
        a = pairOf(pairs, b0, width); b = pairOf(pairs, b1, width); c = pairOf(pairs, b2, width); d = pairOf(pairs, b3, width);
        b0 <<= <u64>a; b1 <<= <u64>b; b2 <<= <u64>c; b3 <<= <u64>d;
        t0 = putPair(t0, a); t1 = putPair(t1, b); t2 = putPair(t2, c); t3 = putPair(t3, d);
      }
      let taken = ctz(b0); p0 -= <usize>taken >> 3; b0 = held(p0, taken & 7);
      taken = ctz(b1); p1 -= <usize>taken >> 3; b1 = held(p1, taken & 7);
      taken = ctz(b2); p2 -= <usize>taken >> 3; b2 = held(p2, taken & 7);
      taken = ctz(b3); p3 -= <usize>taken >> 3; b3 = held(p3, taken & 7);
    }
  }
  let code = rest(tables, s0, placeOf(s0, p0, b0), t0, e0);
  code |= rest(tables, s1, placeOf(s1, p1, b1), t1, e1);
  code |= rest(tables, s2, placeOf(s2, p2, b2), t2, e2);
  code |= rest(tables, s3, placeOf(s3, p3, b3), t3, e3);
  return code == 0 ? 0 : NO_CODE;
}
