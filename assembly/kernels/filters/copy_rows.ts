// Copies a box of bytes between two arrays of rows: too short for a call per row, too scattered for one call.

// @ts-ignore: decorator
@inline export function copyRows<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, rows: i32, bytes: i32): void {
  if (bytes > 512) {
    for (; rows > 0; rows--, dst += dstStride, src += srcStride) memory.copy(dst, src, bytes);
    return;
  }
  const whole = <usize>(bytes & ~15), n = <usize>bytes;
  for (; rows > 0; rows--, dst += dstStride, src += srcStride) {
    let i: usize = 0;
    for (; i < whole; i += 16) v128.store(dst + i, v128.load(src + i));
    if (i == n) continue;
    if (n >= 16) v128.store(dst + n - 16, v128.load(src + n - 16)); // some bytes twice
    else for (; i < n; i++) store<u8>(dst + i, load<u8>(src + i));
  }
}
