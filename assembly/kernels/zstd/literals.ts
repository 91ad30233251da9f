// The literals of a block: as they are, one byte again and again, or in a Huffman code, in one stream or in four.
//
//   head     kind₂ form₂ size₅₋₂₀ (packed size₁₀₋₁₈)      forms: how many bits, and how many streams
//   streams  (bytes₁₆ of the first three)  first quarter … last quarter

import { NO_CODE, NO_ROOM } from "../filters/unpacking";
import { readCode } from "./code";
import { HAS_CODE, LITERALS_AT, LITERALS_END, TO } from "./state";
import { fourStreams, oneStream } from "./streams";

/** Most bytes of a block. */
export const MOST_OF_BLOCK: u32 = 128 * 1024;
/** Bytes behind literals that are copied as well. */
const MARGIN: usize = 32;

/** Finds or unpacks the literals at `src`, `most` at most; the bytes taken, or a negative code. */
export function readLiterals(tables: usize, src: usize, end: usize, inputEnd: usize, spare: usize, most: usize, stop: usize): i32 {
  if (src >= end) return NO_CODE;
  let head = <u64>load<u8>(src);
  const kind = <u32>head & 3, form = <u32>head >> 2 & 3;
  const bytes = <usize>(kind < 2 ? (form & 1 ? (form + 3) >> 1 : 1) : form < 2 ? 3 : form + 2);
  if (bytes > end - src) return NO_CODE;
  for (let i: usize = 1; i < bytes; i++) head |= <u64>load<u8>(src + i) << (<u64>i << 3);
  const width: u64 = kind < 2 ? 32 : form < 2 ? 10 : form == 2 ? 14 : 18;
  const size = <usize>(kind >= 2 ? (head >> 4) & ((<u64>1 << width) - 1) : head >> (form & 1 ? 4 : 3));
  if (size > <usize>MOST_OF_BLOCK) return NO_CODE;
  if (size > most) return NO_ROOM;
  const p = src + bytes;
  store<u32>(tables + LITERALS_AT, spare);
  store<u32>(tables + LITERALS_END, spare + size);
  if (kind == 0) {
    if (size > end - p) return NO_CODE;
    if (p + size + MARGIN <= inputEnd) {
      store<u32>(tables + LITERALS_AT, p);
      store<u32>(tables + LITERALS_END, p + size);
    } else memory.copy(spare, p, size);
    return <i32>(bytes + size);
  }
  if (kind == 1) {
    if (p >= end) return NO_CODE;
    memory.fill(spare, load<u8>(p), size);
    return <i32>(bytes + 1);
  }
  const packed = <usize>(head >> (4 + width));
  if (packed > end - p) return NO_CODE;
  let streams = p;
  if (kind == 2) {
    const taken = readCode(tables, p, p + packed);
    if (taken < 0) return taken;
    store<u32>(tables + HAS_CODE, 1);
    streams += taken;
  } else if (load<u32>(tables + HAS_CODE) == 0) return NO_CODE;
  const to: usize = load<u32>(tables + TO);
  const code = form == 0 ? oneStream(tables, streams, p + packed, spare, size) : fourStreams(tables, streams, p + packed, spare, size, to, stop - to);
  return code < 0 ? code : <i32>(bytes + packed);
}
