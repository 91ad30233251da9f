// BloscLZ, the codec of Blosc's own: literals and matches as in LZF, but matches may be of any length and reach further back.

import { failed, finished, INPUT_ENDS, NO_ROOM, TOO_FAR_BACK } from "./unpacking";
import { literals, repeat } from "./lz";

/** Matches with all bits of the distance set have another 16 bits of it, which count from here on. */
const FAR: usize = 8192;
/** Longer matches fit no memory. */
const MANY: usize = 1 << 30;

// @ts-ignore: decorator
@inline export function blosclz<T>(status: usize, dst: usize, room: i32, src: usize, length: i32): void {
  const end = src + length, stop = dst + room;
  let p = src, to = dst, at = src, code = 0;
  let mask: usize = 31; // the first control byte is one of literals
  while (p < end) {
    at = p;
    const control = <usize>load<u8>(p++) & mask;
    mask = 255;
    if (control < 32) {
      const n = control + 1;
      if (n > end - p) { code = INPUT_ENDS; break; }
      if (n > stop - to) { code = NO_ROOM; break; }
      literals(to, p, n, end, stop);
      p += n; to += n;
      continue;
    }
    let n: usize = 2 + (control >> 5), byte: usize = n == 9 ? 255 : 0;
    while (byte == 255 && p < end && n < MANY) { byte = load<u8>(p++); n += byte; }
    if (byte == 255 || p >= end) { code = n < MANY ? INPUT_ENDS : NO_ROOM; break; }
    const low = <usize>load<u8>(p++);
    let offset = ((control & 31) << 8 | low) + 1;
    if (offset == FAR) {
      if (p + 2 > end) { code = INPUT_ENDS; break; }
      offset += <usize>load<u8>(p) << 8 | <usize>load<u8>(p, 1);
      p += 2;
    }
    if (offset > to - dst) { code = TOO_FAR_BACK; break; }
    if (n > stop - to) { code = NO_ROOM; break; }
    repeat(to, offset, n, stop);
    to += n;
  }
  if (code < 0) failed(status, code, at - src, dst, room);
  else finished(status, to, p - src, dst, stop);
}
