// PackBits: a byte n, then n + 1 bytes as they are (n < 128), or one byte 257 − n times (n > 128); 128 is skipped.
//
// Where there is room, vectors write up to 15 bytes too many. What does not fit the output is left out.

import { failed, finished, INPUT_ENDS } from "./unpacking";

// @ts-ignore: decorator
@inline export function packbits<T>(status: usize, dst: usize, room: i32, src: usize, length: i32): void {
  const end = src + length, stop = dst + room;
  let p = src, to = dst;
  while (p < end && to < stop) {
    const at = p, control = <usize>load<u8>(p++);
    if (control == 128) continue;
    const isRun = control > 128, n = isRun ? 257 - control : control + 1;
    if (p + (isRun ? 1 : n) > end) { failed(status, INPUT_ENDS, at - src, dst, room); return; }
    if (to + n + 16 > stop || (!isRun && p + n + 16 > end)) {
      const most = min(n, stop - to);
      if (isRun) memory.fill(to, load<u8>(p), most);
      else memory.copy(to, p, most);
      to += most;
    } else {
      const last = to + n;
      if (isRun) {
        const bytes = i8x16.splat(load<i8>(p));
        for (; to < last; to += 16) v128.store(to, bytes);
      } else for (let q = p; to < last; to += 16, q += 16) v128.store(to, v128.load(q));
      to = last;
    }
    p += isRun ? 1 : n;
  }
  finished(status, to, p - src, dst, stop);
}
