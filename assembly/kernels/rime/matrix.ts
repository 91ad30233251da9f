// 2x2 complex matrices, row-major, as pairs (re, im) of T: four vectors of f64, or two of f32.
//
// A product of complex numbers is re(a) b + im(a) turned(b), where turned(b) = i b = (-im b, re b); its four products are
// rounded to T, then its sums. With conj(b) for b it is re(a) conj(b) + im(a) turned(conj(b)), turned(conj(b)) = (im b, re b).

/** Bytes of a matrix. */
// @ts-ignore: decorator
@inline export function matrixBytes<T>(): usize {
  return 8 * sizeof<T>();
}

// @ts-ignore: decorator
@inline function turned64(b: v128): v128 {
  return v128.xor(i64x2.shuffle(b, b, 1, 0), i64x2(0x8000000000000000, 0));
}

// @ts-ignore: decorator
@inline function turned32(b: v128): v128 {
  return v128.xor(i32x4.shuffle(b, b, 1, 0, 3, 2), i32x4(0x80000000, 0, 0x80000000, 0));
}

/** a b, and of f32 both products of the row: a is a pair of T at `a`. */
// @ts-ignore: decorator
@inline function times<T>(a: usize, b: v128): v128 {
  if (sizeof<T>() == 8) return f64x2.add(f64x2.mul(v128.load64_splat(a), b), f64x2.mul(v128.load64_splat(a, 8), turned64(b)));
  return f32x4.add(f32x4.mul(v128.load32_splat(a), b), f32x4.mul(v128.load32_splat(a, 4), turned32(b)));
}

// @ts-ignore: decorator
@inline function conj<T>(b: v128): v128 {
  if (sizeof<T>() == 8) return v128.xor(b, i64x2(0, 0x8000000000000000));
  return v128.xor(b, i32x4(0, 0x80000000, 0, 0x80000000));
}

/** out = a b. `out` may be `a`. */
// @ts-ignore: decorator
@inline export function product<T>(out: usize, a: usize, b: usize): void {
  if (sizeof<T>() == 8) {
    const b00 = v128.load(b), b01 = v128.load(b, 16), b10 = v128.load(b, 32), b11 = v128.load(b, 48);
    const c00 = f64x2.add(times<T>(a, b00), times<T>(a + 16, b10)), c01 = f64x2.add(times<T>(a, b01), times<T>(a + 16, b11));
    const c10 = f64x2.add(times<T>(a + 32, b00), times<T>(a + 48, b10));
    const c11 = f64x2.add(times<T>(a + 32, b01), times<T>(a + 48, b11));
    v128.store(out, c00);
    v128.store(out, c01, 16);
    v128.store(out, c10, 32);
    v128.store(out, c11, 48);
  } else {
    const b0 = v128.load(b), b1 = v128.load(b, 16);
    const c0 = f32x4.add(times<T>(a, b0), times<T>(a + 8, b1)), c1 = f32x4.add(times<T>(a + 16, b0), times<T>(a + 24, b1));
    v128.store(out, c0);
    v128.store(out, c1, 16);
  }
}

/** out = a b^H. `out` may be `a`. */
// @ts-ignore: decorator
@inline export function productAdjoint<T>(out: usize, a: usize, b: usize): void {
  if (sizeof<T>() == 8) {
    const b00 = conj<T>(v128.load(b)), b01 = conj<T>(v128.load(b, 16));
    const b10 = conj<T>(v128.load(b, 32)), b11 = conj<T>(v128.load(b, 48));
    const c00 = f64x2.add(times<T>(a, b00), times<T>(a + 16, b01)), c01 = f64x2.add(times<T>(a, b10), times<T>(a + 16, b11));
    const c10 = f64x2.add(times<T>(a + 32, b00), times<T>(a + 48, b01));
    const c11 = f64x2.add(times<T>(a + 32, b10), times<T>(a + 48, b11));
    v128.store(out, c00);
    v128.store(out, c01, 16);
    v128.store(out, c10, 32);
    v128.store(out, c11, 48);
  } else {
    const r0 = conj<T>(v128.load(b)), r1 = conj<T>(v128.load(b, 16));
    const b0 = i32x4.shuffle(r0, r1, 0, 1, 4, 5), b1 = i32x4.shuffle(r0, r1, 2, 3, 6, 7); // the columns
    const c0 = f32x4.add(times<T>(a, b0), times<T>(a + 8, b1)), c1 = f32x4.add(times<T>(a + 16, b0), times<T>(a + 24, b1));
    v128.store(out, c0);
    v128.store(out, c1, 16);
  }
}

/** out = a b c^H, for `out` that is `b`. */
// @ts-ignore: decorator
@inline export function around<T>(a: usize, b: usize, c: usize): void {
  product<T>(b, a, b);
  productAdjoint<T>(b, b, c);
}

/** The pair at `a` times that at `b`, times the conjugate of that at `c`; back to `b`. */
// @ts-ignore: decorator
@inline export function scalarAround<T>(a: usize, b: usize, c: usize): void {
  if (sizeof<T>() == 8) {
    v128.store(b, times<T>(a, v128.load(b)));
    v128.store(b, times<T>(b, conj<T>(v128.load(c))));
  } else {
    v128.store64_lane(b, times<T>(a, v128.load64_zero(b)), 0);
    v128.store64_lane(b, times<T>(b, conj<T>(v128.load64_zero(c))), 0);
  }
}
