// The bits of each byte in reverse: two tables of 16 halves.

import { kept } from "../vectors";

// @ts-ignore: decorator
@inline export function reverseBits<T>(dst: usize, src: usize, n: i32): void {
  const mask = kept(i8x16.splat(15), n);
  const low = kept(i8x16(0, -128, 64, -64, 32, -96, 96, -32, 16, -112, 80, -48, 48, -80, 112, -16), n);
  const high = kept(i8x16(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15), n);
  let i = 0;
  for (; i + 16 <= n; i += 16) {
    const v = v128.load(src + i);
    v128.store(dst + i, v128.or(i8x16.swizzle(low, v128.and(v, mask)), i8x16.swizzle(high, i8x16.shr_u(v, 4))));
  }
  for (; i < n; i++) {
    let b = <u32>load<u8>(src + i);
    b = (b & 0x55) << 1 | (b >> 1 & 0x55);
    b = (b & 0x33) << 2 | (b >> 2 & 0x33);
    store<u8>(dst + i, <u8>(b << 4 | b >> 4));
  }
}
