// Undoes the two sortings that make samples pack better.
//
//   unshuffle    first bytes of all elements, then their second bytes, …      → elements
//   bit_planes   row (byte b, bit i) of n/8 bytes; bit j of byte k is bit i of byte b of element 8k+j
//                                                                            → what unshuffle takes
//
// Bits: eight rows of 16 bytes are eight vectors. Bits are exchanged between vectors in three rounds (4, 2, 1 apart), after
// which vector j has byte k of element 8k+j; then bytes are woven together. One u64 holds the same 8 × 8 bits of what is left.

// @ts-ignore: decorator
@inline export function unshuffle<T>(dst: usize, src: usize, n: i32, size: i32): void {
  woven<T>(dst, src, n, size, n);
}

/** `n` elements whose bytes lie `step` bytes apart, from the lowest on; `step` may be negative. */
// @ts-ignore: decorator
@inline export function woven<T>(dst: usize, src: usize, n: i32, size: i32, step: usize): void {
  if (sizeof<T>() == 2) pairs(dst, src, n, step);
  else if (sizeof<T>() == 4) quads(dst, src, n, step);
  else if (sizeof<T>() == 8) octets(dst, src, n, step);
  else plain(dst, src, 0, n, size, step);
}

/** Any size; elements `from` to `n − 1`. */
function plain(dst: usize, src: usize, from: i32, n: i32, size: i32, step: usize): void {
  for (let b = 0; b < size; b++) {
    let p = src + <usize>b * step + from, to = dst + <usize>from * size + b;
    for (let i = from; i < n; i++, p++, to += size) store<u8>(to, load<u8>(p));
  }
}

function pairs(dst: usize, src: usize, n: i32, step: usize): void {
  let i = 0;
  for (; i + 16 <= n; i += 16) {
    const a = v128.load(src + i), b = v128.load(src + step + i), to = dst + 2 * <usize>i;
    v128.store(to, weaveLow(a, b)); v128.store(to, weaveHigh(a, b), 16);
  }
  plain(dst, src, i, n, 2, step);
}

function quads(dst: usize, src: usize, n: i32, step: usize): void {
  let i = 0;
  const p1 = src + step, p2 = p1 + step, p3 = p2 + step;
  for (; i + 16 <= n; i += 16) {
    const a = v128.load(src + i), b = v128.load(p1 + i), c = v128.load(p2 + i), d = v128.load(p3 + i);
    fourWoven(dst + 4 * <usize>i, weaveLow(a, b), weaveHigh(a, b), weaveLow(c, d), weaveHigh(c, d));
  }
  plain(dst, src, i, n, 4, step);
}

/** 16 elements of four bytes from pairs of their low and of their high bytes. */
// @ts-ignore: decorator
@inline function fourWoven(to: usize, low0: v128, low1: v128, high0: v128, high1: v128): void {
  v128.store(to, weaveLow2(low0, high0)); v128.store(to, weaveHigh2(low0, high0), 16);
  v128.store(to, weaveLow2(low1, high1), 32); v128.store(to, weaveHigh2(low1, high1), 48);
}

function octets(dst: usize, src: usize, n: i32, m: usize): void {
  let i = 0;
  for (; i + 16 <= n; i += 16) {
    const p = src + i;
    eightWoven(
      dst + 8 * <usize>i, v128.load(p), v128.load(p + m), v128.load(p + 2 * m), v128.load(p + 3 * m),
      v128.load(p + 4 * m), v128.load(p + 5 * m), v128.load(p + 6 * m), v128.load(p + 7 * m),
    );
  }
  plain(dst, src, i, n, 8, m);
}

/** Bytes a0 b0 … h0 a1 b1 … h15 of eight vectors. */
// @ts-ignore: decorator
@inline function eightWoven(to: usize, a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128): void {
  eightHalf(to, weaveLow(a, b), weaveLow(c, d), weaveLow(e, f), weaveLow(g, h));
  eightHalf(to + 64, weaveHigh(a, b), weaveHigh(c, d), weaveHigh(e, f), weaveHigh(g, h));
}

// @ts-ignore: decorator
@inline function eightHalf(to: usize, ab: v128, cd: v128, ef: v128, gh: v128): void {
  const low0 = weaveLow2(ab, cd), low1 = weaveHigh2(ab, cd), high0 = weaveLow2(ef, gh), high1 = weaveHigh2(ef, gh);
  v128.store(to, i32x4.shuffle(low0, high0, 0, 4, 1, 5)); v128.store(to, i32x4.shuffle(low0, high0, 2, 6, 3, 7), 16);
  v128.store(to, i32x4.shuffle(low1, high1, 0, 4, 1, 5), 32); v128.store(to, i32x4.shuffle(low1, high1, 2, 6, 3, 7), 48);
}

// @ts-ignore: decorator
@inline function weaveLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

// @ts-ignore: decorator
@inline function weaveHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// @ts-ignore: decorator
@inline function weaveLow2(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline function weaveHigh2(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// @ts-ignore: decorator
@inline export function bitPlanes<T>(dst: usize, src: usize, n: i32, size: i32): void {
  const row = <usize>(n >> 3);
  for (let b = 0; b < size; b++) bitPlane(dst + <usize>b * n, src + <usize>b * 8 * row, row);
}

// @ts-ignore: decorator
@inline function eightTimes(to: usize, v: v128): void {
  v128.store(to, v); v128.store(to, v, 16); v128.store(to, v, 32); v128.store(to, v, 48);
  v128.store(to, v, 64); v128.store(to, v, 80); v128.store(to, v, 96); v128.store(to, v, 112);
}

/** One byte of each element: eight rows of bits to one row of bytes. */
function bitPlane(dst: usize, src: usize, row: usize): void {
  let k: usize = 0;
  const m4 = i8x16.splat(0x0f), m2 = i8x16.splat(0x33), m1 = i8x16.splat(0x55);
  for (; k + 16 <= row; k += 16) {
    const p = src + k;
    let a = v128.load(p), b = v128.load(p + row), c = v128.load(p + 2 * row), d = v128.load(p + 3 * row);
    let e = v128.load(p + 4 * row), f = v128.load(p + 5 * row), g = v128.load(p + 6 * row), h = v128.load(p + 7 * row);
    const any = v128.or(v128.or(v128.or(a, b), v128.or(c, d)), v128.or(v128.or(e, f), v128.or(g, h)));
    if (!v128.any_true(any)) { // as the high bytes of small counts are
      eightTimes(dst + 8 * k, any);
      continue;
    }
    let t = v128.and(v128.xor(i16x8.shr_u(a, 4), e), m4);
    e = v128.xor(e, t); a = v128.xor(a, i16x8.shl(t, 4));
    t = v128.and(v128.xor(i16x8.shr_u(b, 4), f), m4);
    f = v128.xor(f, t); b = v128.xor(b, i16x8.shl(t, 4));
    t = v128.and(v128.xor(i16x8.shr_u(c, 4), g), m4);
    g = v128.xor(g, t); c = v128.xor(c, i16x8.shl(t, 4));
    t = v128.and(v128.xor(i16x8.shr_u(d, 4), h), m4);
    h = v128.xor(h, t); d = v128.xor(d, i16x8.shl(t, 4));
    t = v128.and(v128.xor(i16x8.shr_u(a, 2), c), m2);
    c = v128.xor(c, t); a = v128.xor(a, i16x8.shl(t, 2));
    t = v128.and(v128.xor(i16x8.shr_u(b, 2), d), m2);
    d = v128.xor(d, t); b = v128.xor(b, i16x8.shl(t, 2));
    t = v128.and(v128.xor(i16x8.shr_u(e, 2), g), m2);
    g = v128.xor(g, t); e = v128.xor(e, i16x8.shl(t, 2));
    t = v128.and(v128.xor(i16x8.shr_u(f, 2), h), m2);
    h = v128.xor(h, t); f = v128.xor(f, i16x8.shl(t, 2));
    t = v128.and(v128.xor(i16x8.shr_u(a, 1), b), m1);
    b = v128.xor(b, t); a = v128.xor(a, i16x8.shl(t, 1));
    t = v128.and(v128.xor(i16x8.shr_u(c, 1), d), m1);
    d = v128.xor(d, t); c = v128.xor(c, i16x8.shl(t, 1));
    t = v128.and(v128.xor(i16x8.shr_u(e, 1), f), m1);
    f = v128.xor(f, t); e = v128.xor(e, i16x8.shl(t, 1));
    t = v128.and(v128.xor(i16x8.shr_u(g, 1), h), m1);
    h = v128.xor(h, t); g = v128.xor(g, i16x8.shl(t, 1));
    eightWoven(dst + 8 * k, a, b, c, d, e, f, g, h);
  }
  for (; k < row; k++) {
    let x: u64 = 0, p = src + k;
    for (let i: u64 = 0; i < 64; i += 8, p += row) x |= <u64>load<u8>(p) << i;
    let t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aa;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000cccc0000cccc;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0;
    x ^= t ^ (t << 28);
    store<u64>(dst + 8 * k, x);
  }
}
