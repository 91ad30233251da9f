// LZ4 blocks and LZF: literals and matches. Bounds are checked before every copy; where there is room, copies take whole
// vectors and write up to 15 bytes too many, which the next copy or the zeros at the end write over.
//
//   status: i32 bytes written (or a negative code), i32 byte of the input where the last sequence begins

import { failed, finished, INPUT_ENDS, NO_ROOM, TOO_FAR_BACK } from "./unpacking";

/** Longer runs are left to code that cannot overflow. */
const MANY: usize = 1 << 24;

// @ts-ignore: decorator
@inline export function lz4<T>(status: usize, dst: usize, room: i32, src: usize, length: i32): void {
  const end = src + length, stop = dst + room;
  let p = src, to = dst, at = src;
  let code = 0;
  while (p < end) {
    const lastIn = end - 32, lastOut = stop - 64;
    if (p + 32 <= end && to + 64 <= stop) do { // with room to spare; what does not have it is left to the rest
      const token = <usize>load<u8>(p);
      let q = p + 1, few = token >> 4, more = token & 15;
      v128.store(to, v128.load(q));
      if (few == 15) {
        let byte: usize = 255;
        while (byte == 255 && q < end) { byte = load<u8>(q++); few += byte; }
        if (few > MANY || q + few + 32 > end || to + few + 64 > stop) break;
        for (let i: usize = 0; i < few; i += 16) v128.store(to + i, v128.load(q + i));
      }
      q += few;
      const offset = <usize>load<u16>(q), next = to + few, from = next - offset;
      q += 2;
      if (offset - 1 >= next - dst) break; // 0, or too far
      if (more != 15 && offset >= 8) { // 18 bytes at most
        store<u64>(next, load<u64>(from));
        if (more > 4) {
          store<u64>(next, load<u64>(from, 8), 8);
          store<u16>(next, load<u16>(from, 16), 16);
        }
        p = q;
        to = next + more + 4;
        continue;
      }
      if (more == 15) {
        let byte: usize = 255;
        while (byte == 255 && q < end) { byte = load<u8>(q++); more += byte; }
        if (byte == 255 || more > MANY || next + more + 64 > stop) break;
      }
      more += 4;
      repeatWide(next, offset, more);
      p = q;
      to = next + more;
    } while (p <= lastIn && to <= lastOut);
    if (p >= end) break;
    at = p;
    const token = load<u8>(p++);
    let n = <u64>(token >> 4);
    if (n == 15) {
      let byte: u32 = 255;
      while (byte == 255 && p < end) { byte = load<u8>(p++); n += byte; }
      if (byte == 255) { code = INPUT_ENDS; break; }
    }
    if (n > <u64>(end - p)) { code = INPUT_ENDS; break; }
    if (n > <u64>(stop - to)) { code = NO_ROOM; break; }
    literals(to, p, <usize>n, end, stop);
    p += <usize>n; to += <usize>n;
    if (p == end) break;
    if (p + 2 > end) { code = INPUT_ENDS; break; }
    const offset = <usize>load<u16>(p);
    p += 2;
    n = <u64>(token & 15);
    if (n == 15) {
      let byte: u32 = 255;
      while (byte == 255 && p < end) { byte = load<u8>(p++); n += byte; }
      if (byte == 255) { code = INPUT_ENDS; break; }
    }
    n += 4;
    if (offset == 0 || offset > to - dst) { code = TOO_FAR_BACK; break; }
    if (n > <u64>(stop - to)) { code = NO_ROOM; break; }
    repeat(to, offset, <usize>n, stop);
    to += <usize>n;
  }
  if (code < 0) failed(status, code, at - src, dst, room);
  else finished(status, to, p - src, dst, stop);
}

// @ts-ignore: decorator
@inline export function lzf<T>(status: usize, dst: usize, room: i32, src: usize, length: i32): void {
  const end = src + length, stop = dst + room;
  let p = src, to = dst, at = src;
  let code = 0;
  while (p < end) {
    while (p + 48 <= end && to + 288 <= stop) { // with room to spare; what is damaged is left to the rest
      const control = <usize>load<u8>(p);
      if (control < 32) {
        v128.store(to, v128.load(p, 1));
        if (control >= 16) v128.store(to, v128.load(p, 17), 16);
        p += control + 2;
        to += control + 1;
        continue;
      }
      let n = 2 + (control >> 5), q = p + 1;
      if (n == 9) n += load<u8>(q++);
      const offset = ((control & 31) << 8 | <usize>load<u8>(q)) + 1;
      if (offset > to - dst) break;
      repeatWide(to, offset, n);
      p = q + 1;
      to += n;
    }
    if (p >= end) break;
    at = p;
    const control = <usize>load<u8>(p++);
    if (control < 32) {
      const n = control + 1;
      if (p + n > end) { code = INPUT_ENDS; break; }
      if (to + n > stop) { code = NO_ROOM; break; }
      literals(to, p, n, end, stop);
      p += n; to += n;
      continue;
    }
    const isLong = control >= 224;
    if (p + (isLong ? 2 : 1) > end) { code = INPUT_ENDS; break; }
    let n = 2 + (control >> 5);
    if (isLong) n += load<u8>(p++);
    const offset = ((control & 31) << 8 | <usize>load<u8>(p++)) + 1;
    if (offset > to - dst) { code = TOO_FAR_BACK; break; }
    if (to + n > stop) { code = NO_ROOM; break; }
    repeat(to, offset, n, stop);
    to += n;
  }
  if (code < 0) failed(status, code, at - src, dst, room);
  else finished(status, to, p - src, dst, stop);
}

// @ts-ignore: decorator
@inline export function literals(to: usize, p: usize, n: usize, end: usize, stop: usize): void {
  if (p + n + 16 > end || to + n + 16 > stop) { memory.copy(to, p, n); return; }
  const last = to + n;
  do { v128.store(to, v128.load(p)); to += 16; p += 16; } while (to < last);
}

/** Copies `n` bytes from `offset` before `to`, byte after byte as it were: what was just copied may come again. */
// @ts-ignore: decorator
@inline export function repeat(to: usize, offset: usize, n: usize, stop: usize): void {
  const last = to + n;
  let wide = last; // vectors may begin before it
  if (last + 16 > stop) wide = stop - to < 16 ? to : stop - 15;
  if (offset >= 16) {
    for (; to < wide; to += 16) v128.store(to, v128.load(to - offset));
  } else if (to < wide) to = patterns(to, offset, wide);
  for (; to < last; to++) store<u8>(to, load<u8>(to - offset));
}

/** As {@link repeat}, where 15 bytes more may be written. */
// @ts-ignore: decorator
@inline export function repeatWide(to: usize, offset: usize, n: usize): void {
  const last = to + n;
  if (offset >= 16) {
    let from = to - offset;
    do { v128.store(to, v128.load(from)); to += 16; from += 16; } while (to < last);
  } else patterns(to, offset, last);
}

/**
 * As {@link repeatWide}, fastest for few bytes: where nothing comes again one vector will do, however close it is. Whether it
 * is close cannot be foreseen, whether something comes again mostly can.
 */
// @ts-ignore: decorator
@inline export function repeatShort(to: usize, offset: usize, n: usize): void {
  if (offset < n) { repeatWide(to, offset, n); return; }
  v128.store(to, v128.load(to - offset));
  if (n > 16) repeatWide(to + 16, offset, n - 16);
}

/** Writes the `offset` bytes before `to`, 15 at most, again and again until `wide`; gives where they are right up to. */
// @ts-ignore: decorator
@inline function patterns(to: usize, offset: usize, wide: usize): usize {
  const from = to - offset;
  let step = offset; // bytes of `pattern` that are right: the next one writes over the others
  let pattern: v128;
  if (offset > 8) pattern = v128.load(from);
  else {
    let eight = load<u64>(from);
    const bits = offset << 3;
    if (offset < 8) { // once, twice, four times, eight times as often
      eight &= (<u64>1 << bits) - 1;
      eight |= eight << bits;
      if (offset < 4) eight |= eight << (bits << 1);
      if (offset < 2) eight |= eight << (bits << 2);
    }
    if ((offset & (offset - 1)) == 0) step = 16;
    pattern = i64x2.splat(eight);
  }
  for (; to < wide; to += step) v128.store(to, pattern);
  return to;
}
