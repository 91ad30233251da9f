// Zstandard (RFC 8878): one frame or several. The output of a frame is its window: nothing else is kept of what was unpacked.
//
//   frame    magic₄ descriptor₁ window₀₁ dictionary₀₋₄ content size₀₋₈ block … checksum₀₄
//   block    last : 1 bit, kind : 2 bits, size : 21 bits   bytes: `size`, or the one that is repeated
//   skipped  magic₄ size₄ bytes
//
// Places in errors are those of the frame or block that is wrong.

import { failed, finished, INPUT_ENDS, NEEDS_DICTIONARY, NO_CODE, NO_ROOM, WRONG_SIZE, WRONG_SUM } from "../filters/unpacking";
import { MOST_OF_BLOCK, readLiterals } from "./literals";
import { sequences } from "./sequences";
import { HAS_CODE, LOGS, REPEATS, TO } from "./state";
import { xxh64 } from "./sums";

const MAGIC: u32 = 0xfd2fb528;
/** A frame of other data: the lowest four bits are free. */
const SKIPPED: u32 = 0x184d2a50;

// @ts-ignore: decorator
@inline export function zstd<T>(
  status: usize, dst: usize, room: i32, src: usize, length: i32, tables: usize, spare: usize, spareBytes: i32,
): void {
  const end = src + length, stop = dst + room;
  const most = <usize>max(0, spareBytes - 32);
  store<u32>(tables + TO, dst);
  let p = src;
  do {
    const taken = frame(tables, p, end, stop, spare, most, status);
    if (taken < 0) { failed(status, taken, p + load<u32>(status) - src, dst, room); return; }
    p += taken;
  } while (p < end);
  finished(status, load<u32>(tables + TO), p - src, dst, stop);
}

/** One frame; the bytes taken, or a negative code with the place in it at `wrong`. */
function frame(tables: usize, src: usize, end: usize, stop: usize, spare: usize, most: usize, wrong: usize): i32 {
  store<u32>(wrong, 0);
  let p = src;
  if (p + 4 > end) return INPUT_ENDS;
  const magic = load<u32>(p);
  p += 4;
  if ((magic & ~15) == SKIPPED) {
    if (p + 4 > end) return INPUT_ENDS;
    const bytes = <usize>load<u32>(p);
    return bytes > end - p - 4 ? INPUT_ENDS : 8 + <i32>bytes;
  }
  if (magic != MAGIC) return NO_CODE;
  if (p >= end) return INPUT_ENDS;
  const flags = <u32>load<u8>(p++), isSingle = (flags >> 5) & 1;
  if (flags & 8) return NO_CODE;
  const window: usize = 1 - isSingle, dictionary: usize = (1 << (flags & 3)) >> 1;
  const form = flags >> 6, sized = <usize>(form == 0 ? isSingle : <u32>1 << form);
  if (window + dictionary + sized > end - p) return INPUT_ENDS;
  p += window;
  if (number(p, dictionary) != 0) return NEEDS_DICTIONARY;
  const claimed = number(p + dictionary, sized) + (form == 1 ? 256 : 0);
  p += dictionary + sized;
  const start: usize = load<u32>(tables + TO);
  if (sized != 0 && claimed > <u64>(stop - start)) return NO_ROOM;
  store<u32>(tables + HAS_CODE, 0);
  memory.fill(tables + LOGS, 0, 12);
  store<u32>(tables + REPEATS, 1);
  store<u32>(tables + REPEATS, 4, 4);
  store<u32>(tables + REPEATS, 8, 8);
  for (let isLast: u32 = 0; !isLast;) {
    store<u32>(wrong, <u32>(p - src));
    if (p + 3 > end) return INPUT_ENDS;
    const head = <u32>load<u16>(p) | <u32>load<u8>(p, 2) << 16;
    isLast = head & 1;
    const taken = block(tables, head >> 1 & 3, head >> 3, p + 3, end, start, stop, spare, most);
    if (taken < 0) return taken;
    p += taken + 3;
  }
  store<u32>(wrong, <u32>(p - src));
  const to: usize = load<u32>(tables + TO);
  if (sized != 0 && claimed != <u64>(to - start)) return WRONG_SIZE;
  if (flags & 4) {
    if (p + 4 > end) return INPUT_ENDS;
    if (load<u32>(p) != <u32>xxh64(start, to)) return WRONG_SUM;
    p += 4;
  }
  return <i32>(p - src);
}

/** A number of up to eight bytes. */
function number(p: usize, bytes: usize): u64 {
  let value: u64 = 0;
  for (let i: usize = 0; i < bytes; i++) value |= <u64>load<u8>(p + i) << <u64>(i << 3);
  return value;
}

/** One block; the bytes taken behind its head, or a negative code. */
function block(
  tables: usize, kind: u32, size: u32, p: usize, end: usize, start: usize, stop: usize, spare: usize, most: usize,
): i32 {
  const bytes: usize = kind == 1 ? 1 : size, to: usize = load<u32>(tables + TO);
  if (kind == 3 || size > MOST_OF_BLOCK) return NO_CODE;
  if (bytes > end - p) return INPUT_ENDS;
  if (kind < 2) {
    if (<usize>size > stop - to) return NO_ROOM;
    if (kind == 0) memory.copy(to, p, size);
    else memory.fill(to, load<u8>(p), size);
    store<u32>(tables + TO, <u32>to + size);
    return <i32>bytes;
  }
  const taken = readLiterals(tables, p, p + bytes, end, spare, min(most, stop - to), stop);
  if (taken < 0) return taken;
  const code = sequences(tables, p + taken, p + bytes, start, stop);
  return code < 0 ? code : <i32>bytes;
}
