// A chunk of the filter bitshuffle with LZ4, block by block while it is in the first cache:
//
//   total₆₄  bytes of a block₃₂  (packed bytes₃₂  LZ4 block) …  rest       big endian; the rest: fewer than 8 elements

import { lz4 } from "./lz";
import { failed, finished, INPUT_ENDS, NO_ROOM, WRONG_SIZE } from "./unpacking";
import { bitPlanes, unshuffle } from "./unshuffle";

// @ts-ignore: decorator
@inline export function bitshuffleLz4<T>(
  status: usize, dst: usize, room: i32, src: usize, length: i32, size: i32, spare: usize, spareBytes: i32,
): void {
  if (length < 12) { failed(status, INPUT_ENDS, 0, dst, room); return; }
  const total = bswap<u64>(load<u64>(src)), blockBytes = bswap<u32>(load<u32>(src, 8));
  if (total > <u64>room) { failed(status, NO_ROOM, 0, dst, room); return; }
  const all = <u32>total / size, block = blockBytes / size;
  if (all * size != <u32>total || block * size != blockBytes || block < 8 || block & 7) {
    failed(status, WRONG_SIZE, 8, dst, room);
    return;
  }
  const end = src + length;
  let p = src + 12, to = dst;
  for (let left = all; left >= 8;) {
    const n = left >= block ? block : left - (left & 7), bytes = n * size;
    if (p + 4 > end) { failed(status, INPUT_ENDS, p - src, dst, room); return; }
    const packed = bswap<u32>(load<u32>(p));
    if (packed > <u32>(end - p - 4)) { failed(status, INPUT_ENDS, p - src, dst, room); return; }
    if (bytes > <u32>spareBytes) { failed(status, NO_ROOM, p - src, dst, room); return; }
    lz4Block(status, to, bytes, p + 4, packed);
    if (load<i32>(status) != bytes) {
      const code = load<i32>(status);
      const at = p + 4 - src + (code < 0 ? load<u32>(status, 4) : 0);
      failed(status, code < 0 ? code : WRONG_SIZE, at, dst, room);
      return;
    }
    bitPlanes<u8>(spare, to, n, size);
    if (size == 2) unshuffle<u16>(to, spare, n, size);
    else if (size == 4) unshuffle<u32>(to, spare, n, size);
    else if (size == 8) unshuffle<u64>(to, spare, n, size);
    else unshuffle<u8>(to, spare, n, size);
    p += 4 + packed;
    to += bytes;
    left -= n;
  }
  const rest = <u32>total - (to - dst);
  if (<u32>(end - p) != rest) { failed(status, WRONG_SIZE, p - src, dst, room); return; }
  memory.copy(to, p, rest);
  finished(status, to + rest, length, dst, dst + room);
}

function lz4Block(status: usize, dst: usize, room: i32, src: usize, length: i32): void {
  lz4<u8>(status, dst, room, src, length);
}
