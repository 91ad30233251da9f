// multiply_pairs: n complex numbers of f32 times n others, (r, i) (c, s) = (r c - i s, r s + i c), in place.

// @ts-ignore: decorator
@inline export function multiplyPairs<T>(data: usize, factors: usize, n: i32): void {
  for (; n >= 2; n -= 2, data += 16, factors += 16) v128.store(data, product(v128.load(data), v128.load(factors)));
  if (n > 0) v128.store64_lane(data, product(v128.load64_zero(data), v128.load64_zero(factors)), 0);
}

// @ts-ignore: decorator
@inline function product(a: v128, b: v128): v128 {
  const r = i32x4.shuffle(a, a, 0, 0, 2, 2), i = i32x4.shuffle(a, a, 1, 1, 3, 3), turned = i32x4.shuffle(b, b, 1, 0, 3, 2);
  return f32x4.add(f32x4.mul(r, b), v128.xor(f32x4.mul(i, turned), i32x4(0x80000000, 0, 0x80000000, 0)));
}
