// Samples at even and at odd places of two vectors, and back again.

// @ts-ignore: decorator
@inline export function evens<T>(a: v128, b: v128): v128 {
  if (sizeof<T>() == 1) return i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  if (sizeof<T>() == 2) return i16x8.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  if (sizeof<T>() == 4) return i32x4.shuffle(a, b, 0, 2, 4, 6);
  return i64x2.shuffle(a, b, 0, 2);
}

// @ts-ignore: decorator
@inline export function odds<T>(a: v128, b: v128): v128 {
  if (sizeof<T>() == 1) return i8x16.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  if (sizeof<T>() == 2) return i16x8.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  if (sizeof<T>() == 4) return i32x4.shuffle(a, b, 1, 3, 5, 7);
  return i64x2.shuffle(a, b, 1, 3);
}

/** Stores samples of both in turns: two vectors. */
// @ts-ignore: decorator
@inline export function interleaved<T>(to: usize, even: v128, odd: v128): void {
  if (sizeof<T>() == 1) {
    v128.store(to, i8x16.shuffle(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    v128.store(to, i8x16.shuffle(even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
  } else if (sizeof<T>() == 2) {
    v128.store(to, i16x8.shuffle(even, odd, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(to, i16x8.shuffle(even, odd, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  } else if (sizeof<T>() == 4) {
    v128.store(to, i32x4.shuffle(even, odd, 0, 4, 1, 5));
    v128.store(to, i32x4.shuffle(even, odd, 2, 6, 3, 7), 16);
  } else {
    v128.store(to, i64x2.shuffle(even, odd, 0, 2));
    v128.store(to, i64x2.shuffle(even, odd, 1, 3), 16);
  }
}
