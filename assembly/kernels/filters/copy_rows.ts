// Copies a box of bytes between two arrays of rows: too short for a call per row, too scattered for one call.
//
//   long rows: one instruction each, which costs as much as copying 128 bytes by vectors, and is faster from memory
//   single samples: one load and one store each
//   others: whole vectors, then the last vector once more, some of its bytes twice

// @ts-ignore: decorator
@inline function samples<S>(dst: usize, dstStride: usize, src: usize, srcStride: usize, rows: i32): void {
  for (; rows > 0; rows--, dst += dstStride, src += srcStride) store<S>(dst, load<S>(src));
}

// @ts-ignore: decorator
@inline export function copyRows<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, rows: i32, bytes: i32): void {
  if (bytes > 128) {
    for (; rows > 0; rows--, dst += dstStride, src += srcStride) memory.copy(dst, src, bytes);
    return;
  }
  if (bytes == 1) return samples<u8>(dst, dstStride, src, srcStride, rows);
  if (bytes == 2) return samples<u16>(dst, dstStride, src, srcStride, rows);
  if (bytes == 4) return samples<u32>(dst, dstStride, src, srcStride, rows);
  if (bytes == 8) return samples<u64>(dst, dstStride, src, srcStride, rows);
  const whole = <usize>(bytes & ~15), n = <usize>bytes;
  for (; rows > 0; rows--, dst += dstStride, src += srcStride) {
    let i: usize = 0;
    for (; i < whole; i += 16) v128.store(dst + i, v128.load(src + i));
    if (i == n) continue;
    if (n >= 16) v128.store(dst + n - 16, v128.load(src + n - 16));
    else for (; i < n; i++) store<u8>(dst + i, load<u8>(src + i));
  }
}
