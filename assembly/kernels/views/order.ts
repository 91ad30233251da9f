// The lower and the upper of integers, lane by lane, and comparisons of them. There are no vector instructions for the extremes of
// integers of 64 bits.

// @ts-ignore: decorator
@inline export function lower<T>(a: v128, b: v128): v128 {
  return sizeof<T>() == 8 ? v128.bitselect(a, b, i64x2.lt_s(a, b)) : v128.min<T>(a, b);
}

// @ts-ignore: decorator
@inline export function upper<T>(a: v128, b: v128): v128 {
  return sizeof<T>() == 8 ? v128.bitselect(b, a, i64x2.lt_s(a, b)) : v128.max<T>(a, b);
}

// order_keys: floats as integers of the same order; NaN is greater than all numbers, and −0 is less than 0. Floats that are
// negative have all bits but the sign turned around. order_floats: back again.

// @ts-ignore: decorator
@inline export function orderKeys<T>(out: usize, data: usize, n: i32): void {
  const end = data + <usize>n * sizeof<T>();
  for (; data + 16 <= end; data += 16, out += 16) {
    const v = v128.load(data);
    // The sign of NaN is dropped.
    const sign = v128.and(v128.ne<T>(v, v), v128.splat<T>(<T>-0.0));
    v128.store(out, turned<T>(v128.andnot(v, sign)));
  }
  for (; data < end; data += sizeof<T>(), out += sizeof<T>()) {
    const v = load<T>(data);
    if (sizeof<T>() == 4) {
      const bits = reinterpret<i32>(<f32>v), all = v == v ? bits : bits & 0x7fffffff;
      store<i32>(out, all ^ ((all >> 31) & 0x7fffffff));
    } else {
      const bits = reinterpret<i64>(<f64>v), all = v == v ? bits : bits & i64.MAX_VALUE;
      store<i64>(out, all ^ ((all >> 63) & i64.MAX_VALUE));
    }
  }
}

// @ts-ignore: decorator
@inline export function orderFloats<T>(out: usize, data: usize, n: i32): void {
  const end = data + <usize>n * sizeof<T>();
  for (; data + 16 <= end; data += 16, out += 16) v128.store(out, turned<T>(v128.load(data)));
  for (; data < end; data += sizeof<T>(), out += sizeof<T>()) {
    if (sizeof<T>() == 4) {
      const key = load<i32>(data);
      store<i32>(out, key ^ ((key >> 31) & 0x7fffffff));
    } else {
      const key = load<i64>(data);
      store<i64>(out, key ^ ((key >> 63) & i64.MAX_VALUE));
    }
  }
}

/** Negative integers with all bits but the sign turned around. */
// @ts-ignore: decorator
@inline function turned<T>(v: v128): v128 {
  if (sizeof<T>() == 4) return v128.xor(v, i32x4.shr_u(i32x4.shr_s(v, 31), 1));
  return v128.xor(v, i64x2.shr_u(i64x2.shr_s(v, 63), 1));
}
