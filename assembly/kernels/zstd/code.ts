// The Huffman code of literals: its description, and a table that the next 11 bits lead into.
//
//   entry    bits 0–7 bits of the word · 8–15 the byte

import { NO_CODE } from "../filters/unpacking";
import { bitsAt, first, lengthOfStream, LITERALS, LOG, NEXT, WEIGHT_STATES, WEIGHTS } from "./state";
import { Kind, makeStates, readCounts } from "./states";

/** Most bits of a word. */
export const MOST: u32 = 11;

/** Reads the description of a code and makes its table; the bytes taken, or a negative code. */
export function readCode(tables: usize, src: usize, end: usize): i32 {
  if (src >= end) return NO_CODE;
  const head = <u32>load<u8>(src);
  const bytes = head < 128 ? head : (head - 126) >> 1;
  if (<usize>bytes > end - src - 1) return NO_CODE;
  memory.fill(tables + WEIGHTS, 0, 256);
  const n = head < 128 ? packedWeights(tables, src + 1, src + 1 + bytes) : plainWeights(tables, src + 1, head - 127);
  if (n < 0) return n;
  const code = makeCode(tables, n);
  return code < 0 ? code : <i32>(1 + bytes);
}

/** Weights of four bits each, the higher ones first. */
function plainWeights(tables: usize, src: usize, n: u32): i32 {
  for (let i: usize = 0; i < <usize>n; i++) {
    const two = load<u8>(src + (i >> 1));
    store<u8>(tables + i, i & 1 ? two & 15 : two >> 4, WEIGHTS);
  }
  return n;
}

/** Weights by two states that take turns, until there are not enough bits for the next state. */
function packedWeights(tables: usize, src: usize, end: usize): i32 {
  const taken = readCounts(tables, Kind.WEIGHTS, src, end);
  if (taken < 0) return taken;
  const stream = src + taken, states = tables + WEIGHT_STATES;
  makeStates(tables, Kind.WEIGHTS, states);
  const log = load<u32>(tables + LOG);
  let place = lengthOfStream(stream, end) - 2 * <i32>log;
  if (place < 0) return NO_CODE;
  let bits = bitsAt(stream, place + 2 * <i32>log);
  let now: usize = first(bits, log);
  bits <<= <u64>log;
  let other: usize = first(bits, log);
  for (let n: usize = 0; n < 254; n++) {
    const entry = load<u64>(states + (now << 3)), more = entry & 255;
    store<u8>(tables + n, <u8>(entry >> 32), WEIGHTS);
    if (place < <i32>more) {
      store<u8>(tables + n + 1, <u8>(load<u64>(states + (other << 3)) >> 32), WEIGHTS);
      return <i32>n + 2;
    }
    now = other;
    other = (<u32>entry >> 16) + first(bitsAt(stream, place), more);
    place -= <i32>more;
  }
  return NO_CODE;
}

/** Finds the weight of the last byte, of which a description says nothing, and makes the table. */
function makeCode(tables: usize, n: i32): i32 {
  const weights = tables + WEIGHTS, counts = tables + NEXT;
  memory.fill(counts, 0, 32);
  let sum: u32 = 0;
  for (let i = 0; i < n; i++) {
    const weight = <u32>load<u8>(weights + i);
    if (weight > MOST) return NO_CODE;
    sum += (<u32>1 << weight) >> 1;
    const at = counts + (<usize>weight << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  if (sum == 0) return NO_CODE;
  const most = <u32>32 - clz(sum), left = (<u32>1 << most) - sum;
  if (most > MOST || (left & (left - 1)) != 0) return NO_CODE;
  const last = <u32>32 - clz(left);
  store<u8>(weights + n, <u8>last);
  store<u16>(counts + (<usize>last << 1), load<u16>(counts + (<usize>last << 1)) + 1);
  const singles = load<u16>(counts, 2);
  if (singles < 2 || singles & 1) return NO_CODE;
  fillTable(tables, n + 1, most);
  return 0;
}

/** Each byte takes as many entries as its weight says: bytes of low weight first, and in their order. */
function fillTable(tables: usize, n: i32, most: u32): void {
  const weights = tables + WEIGHTS, starts = tables + NEXT, scale = MOST - most;
  let start: u32 = 0;
  for (let weight: u32 = 1; weight <= most; weight++) {
    const at = starts + (<usize>weight << 1), count = <u32>load<u16>(at);
    store<u16>(at, <u16>start);
    start += count << (weight - 1 + scale);
  }
  for (let i = 0; i < n; i++) {
    const weight = <u32>load<u8>(weights + i);
    if (weight == 0) continue;
    const at = starts + (<usize>weight << 1), from = <u32>load<u16>(at), entries = <u32>1 << (weight - 1 + scale);
    store<u16>(at, <u16>(from + entries));
    fill(tables + LITERALS + (<usize>from << 1), <u16>(i << 8) | <u16>(most + 1 - weight), entries);
  }
}

/** Writes an entry `n` times, a power of two. */
// @ts-ignore: decorator
@inline function fill(to: usize, entry: u16, n: u32): void {
  const many = i16x8.splat(entry);
  if (n >= 8) { for (const end = to + (<usize>n << 1); to < end; to += 16) v128.store(to, many); }
  else if (n == 4) store<u64>(to, i64x2.extract_lane(many, 0));
  else if (n == 2) store<u32>(to, <u32>i64x2.extract_lane(many, 0));
  else store<u16>(to, entry);
}
