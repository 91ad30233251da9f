// cos and sin of many numbers, of turns or of radians, as accurate as the type allows over its whole range.
//
// - Both are reduced to a quarter q and a rest r in [-pi/4, pi/4], in f64, also where the results are f32.
// - Turns: 2 pi (t - n / 4) with n = nearest(4 t): exact up to the product. Radians below 2^20: x - n pi/2 with pi/2 in four
//   parts (33 bits each, products with n are exact), the rounding errors of the steps carried along.
// - Larger radians, one at a time: x = m 2^e, m whole; of m 2^e / (2 pi), whole turns do not matter, so the first e bits of
//   1 / (2 pi) are left out; m times the next 192 bits has more than enough (Payne and Hanek 1983).
// - sin r = r + r^3 P(r^2) and cos r = 1 - r^2 / 2 + r^4 Q(r^2), interpolated at Chebyshev nodes of r^2 (relative errors below
//   1e-17, in f32 1e-9); q says which is which, and the signs.

const P1: f64 = 1.5707963267341256, P2: f64 = 6.077100506303966e-11, P3: f64 = 2.0222662487111665e-21;
const P4: f64 = 8.4784276603689e-32;
const TWO_PI: f64 = 6.283185307179586, TWO_OVER_PI: f64 = 0.6366197723675814;
/** n + MAGIC has n as the low bits of its fraction. */
const MAGIC: f64 = 6755399441055744;
/** Below this, n has at most 20 bits. */
const LARGE: f64 = 1048576;

/** Bits of 1 / (2 pi), 64 at a time, behind the point. */
function word(i: i32): u64 {
  switch (i) {
    case 0: return 0x28be60db9391054a;
    case 1: return 0x7f09d5f47d4d3770;
    case 2: return 0x36d8a5664f10e410;
    case 3: return 0x7f9458eaf7aef158;
    case 4: return 0x6dc91b8e909374b8;
    case 5: return 0x01924bba82746487;
    case 6: return 0x3f877ac72c4a69cf;
    case 7: return 0xba208d7d4baed121;
    case 8: return 0x3a671c09ad17df90;
    case 9: return 0x4e64758e60d4ce7d;
    case 10: return 0x272117e2ef7e4a0e;
    case 11: return 0xc7fe25fff7816603;
    case 12: return 0xfbcbc462d6829b47;
    case 13: return 0xdb4d9fb3c9f2c26d;
    case 14: return 0xd3d18fd9a797fa8b;
    case 15: return 0x5d49eeb1faf97c5e;
    case 16: return 0xcf41ce7de294a4ba;
    case 17: return 0x9afed7ec47e35742;
    case 18: return 0x1580cc11bf1edaea;
    case 19: return 0xfc33ef0826bd0d87;
    default: return 0;
  }
}

/** 64 bits of 1 / (2 pi) from bit `at` on. */
// @ts-ignore: decorator
@inline function bitsFrom(at: i32): u64 {
  const i = at >> 6, shift = <u64>(at & 63);
  return shift == 0 ? word(i) : (word(i) << shift) | (word(i + 1) >> (64 - shift));
}

/** The upper half of a product. */
// @ts-ignore: decorator
@inline function high(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const low = a0 * b0, m = a1 * b0 + (low >> 32), n = a0 * b1 + (m & 0xffffffff);
  return a1 * b1 + (m >> 32) + (n >> 32);
}

/** The rest of a large number; its quarter becomes the lowest two bits of `quarterAt`. */
function restOfLarge(x: f64, quarterAt: usize): f64 {
  const bits = reinterpret<u64>(x);
  const e = <i32>((bits >> 52) & 0x7ff) - 1075;
  if (e == 972) return NaN;
  const m = (bits & 0xfffffffffffff) | 0x10000000000000;
  // x = m 2^e with e > -53; for e < 0, the window begins before the point, with zeros
  let f0: u64, f1: u64, f2: u64;
  if (e >= 0) {
    f0 = bitsFrom(e);
    f1 = bitsFrom(e + 64);
    f2 = bitsFrom(e + 128);
  } else {
    f0 = word(0) >> <u64>(-e);
    f1 = (word(0) << <u64>(64 + e)) | (word(1) >> <u64>(-e));
    f2 = (word(1) << <u64>(64 + e)) | (word(2) >> <u64>(-e));
  }
  const r2 = m * f2, a = m * f1, c = high(m, f2);
  let r1 = a + c, r0 = m * f0 + high(m, f1) + <u64>(r1 < a);
  const q = (r0 + 0x2000000000000000) >> 62;
  r0 -= q << 62;
  let y = <f64><i64>r0 * 5.421010862427522e-20 + <f64>r1 * 2.938735877055719e-39;
  if (r0 == 0xffffffffffffffff) y = -(<f64>(~r1) * 2.938735877055719e-39 + <f64>(~r2) * 1.5930919111324523e-58);
  else if (r0 == 0) y = <f64>r1 * 2.938735877055719e-39 + <f64>r2 * 1.5930919111324523e-58;
  y *= TWO_PI;
  const negative = bits >> 63 != 0;
  store<u64>(quarterAt, negative ? 0 - q : q);
  return negative ? -y : y;
}

/** The quarter of turns, and their rest in `rests`. */
// @ts-ignore: decorator
@inline function quarterOfTurns(t: v128, work: usize): v128 {
  const r = f64x2.sub(t, f64x2.nearest(t));
  const n = f64x2.nearest(f64x2.mul(r, f64x2.splat(4)));
  const y = f64x2.sub(r, f64x2.mul(n, f64x2.splat(0.25)));
  const kept = v128.bitselect(t, y, f64x2.eq(t, f64x2.splat(0))); // of -0
  v128.store(work, f64x2.mul(kept, f64x2.splat(TWO_PI)));
  return f64x2.add(n, f64x2.splat(MAGIC));
}

// @ts-ignore: decorator
@inline function quarterOfRadians(x: v128, work: usize): v128 {
  const n = f64x2.nearest(f64x2.mul(x, f64x2.splat(TWO_OVER_PI)));
  const r0 = f64x2.sub(x, f64x2.mul(n, f64x2.splat(P1)));
  const w1 = f64x2.mul(n, f64x2.splat(P2)), r1 = f64x2.sub(r0, w1), e1 = f64x2.sub(f64x2.sub(r0, r1), w1);
  const w2 = f64x2.mul(n, f64x2.splat(P3)), r2 = f64x2.sub(r1, w2), e2 = f64x2.sub(f64x2.sub(r1, r2), w2);
  const r = f64x2.add(r2, f64x2.sub(f64x2.add(e1, e2), f64x2.mul(n, f64x2.splat(P4))));
  v128.store(work, v128.bitselect(x, r, f64x2.eq(n, f64x2.splat(0)))); // keeps -0
  let q = f64x2.add(n, f64x2.splat(MAGIC));
  const small = f64x2.lt(f64x2.abs(x), f64x2.splat(LARGE));
  if (!i64x2.all_true(small)) {
    v128.store(work, q, 16);
    if (!(Math.abs(f64x2.extract_lane(x, 0)) < LARGE)) store<f64>(work, restOfLarge(f64x2.extract_lane(x, 0), work + 16));
    if (!(Math.abs(f64x2.extract_lane(x, 1)) < LARGE)) store<f64>(work, restOfLarge(f64x2.extract_lane(x, 1), work + 24), 8);
    q = v128.load(work, 16);
  }
  return q;
}

/** sin r, for r in [-pi/4, pi/4]; with the sign of r, also of -0. */
// @ts-ignore: decorator
@inline function sinOf<T>(r: v128, z: v128): v128 {
  let p: v128;
  if (sizeof<T>() == 8) {
    p = f64x2.splat(1.5917988979397435e-10);
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(-2.5051129896450185e-08));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.7557316093198404e-06));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(-0.00019841269836740532));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(0.008333333333330936));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(-0.16666666666666666));
  } else {
    p = f32x4.splat(-0.00019587638962548226);
    p = f32x4.add(f32x4.mul(p, z), f32x4.splat(0.008332747034728527));
    p = f32x4.add(f32x4.mul(p, z), f32x4.splat(-0.166666641831398));
  }
  return v128.bitselect(r, v128.add<T>(r, v128.mul<T>(v128.mul<T>(r, z), p)), v128.splat<T>(<T>-0.0));
}

/** cos r: 1 - z / 2 is rounded, and what that loses is added. */
// @ts-ignore: decorator
@inline function cosOf<T>(z: v128): v128 {
  let p: v128;
  if (sizeof<T>() == 8) {
    p = f64x2.splat(-1.138254464534925e-11);
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.087614504941318e-09));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(-2.755731726587808e-07));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.48015872987544e-05));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(-0.0013888888888887389));
    p = f64x2.add(f64x2.mul(p, z), f64x2.splat(0.041666666666666664));
  } else {
    p = f32x4.splat(2.4547689463361166e-05);
    p = f32x4.add(f32x4.mul(p, z), f32x4.splat(-0.0013888301327824593));
    p = f32x4.add(f32x4.mul(p, z), f32x4.splat(0.0416666641831398));
  }
  const half = v128.mul<T>(z, v128.splat<T>(<T>0.5)), one = v128.splat<T>(1), w = v128.sub<T>(one, half);
  const lost = v128.sub<T>(v128.sub<T>(one, w), half);
  return v128.add<T>(w, v128.add<T>(lost, v128.mul<T>(v128.mul<T>(z, z), p)));
}

/** Cosines and sines of a vector of rests and quarters. */
// @ts-ignore: decorator
@inline function settle<T>(cos: usize, sin: usize, r: v128, q: v128): void {
  const z = v128.mul<T>(r, r), a = sinOf<T>(r, z), b = cosOf<T>(z);
  if (sizeof<T>() == 8) {
    const odd = i64x2.neg(v128.and(q, i64x2.splat(1)));
    const up = i64x2.add(q, i64x2.splat(1));
    v128.store(sin, v128.xor(v128.bitselect(b, a, odd), i64x2.shl(v128.and(q, i64x2.splat(2)), 62)));
    v128.store(cos, v128.xor(v128.bitselect(a, b, odd), i64x2.shl(v128.and(up, i64x2.splat(2)), 62)));
  } else {
    const odd = i32x4.neg(v128.and(q, i32x4.splat(1)));
    const up = i32x4.add(q, i32x4.splat(1));
    v128.store(sin, v128.xor(v128.bitselect(b, a, odd), i32x4.shl(v128.and(q, i32x4.splat(2)), 30)));
    v128.store(cos, v128.xor(v128.bitselect(a, b, odd), i32x4.shl(v128.and(up, i32x4.splat(2)), 30)));
  }
}

// @ts-ignore: decorator
@inline function pair<T>(cos: usize, sin: usize, low: v128, high: v128, turns: bool, work: usize): void {
  const q = turns ? quarterOfTurns(low, work) : quarterOfRadians(low, work);
  const y = v128.load(work);
  if (sizeof<T>() == 8) return settle<T>(cos, sin, y, q);
  const p = turns ? quarterOfTurns(high, work) : quarterOfRadians(high, work);
  const z = i64x2.shuffle(f32x4.demote_f64x2_zero(y), f32x4.demote_f64x2_zero(v128.load(work)), 0, 2);
  settle<T>(cos, sin, z, i32x4.shuffle(q, p, 0, 2, 4, 6));
}

/** The f64 at `p`: of f64, or of f32 if `single`. */
// @ts-ignore: decorator
@inline function wide(p: usize, single: bool): v128 {
  return single ? f64x2.promote_low_f32x4(v128.load64_zero(p)) : v128.load(p);
}

// @ts-ignore: decorator
@inline function all<T>(cos: usize, sin: usize, from: usize, n: i32, single: bool, turns: bool, work: usize): void {
  const lanes: i32 = 16 / sizeof<T>(), step: usize = single ? 4 : 8;
  for (; n >= lanes; n -= lanes, cos += 16, sin += 16, from += <usize>lanes * step) {
    pair<T>(cos, sin, wide(from, single), sizeof<T>() == 4 ? wide(from + 2 * step, single) : f64x2.splat(0), turns, work);
  }
  if (n == 0) return;
  const at = work + 32;
  v128.store(at, f64x2.splat(0));
  v128.store(at, f64x2.splat(0), 16);
  memory.copy(at, from, <usize>n * step);
  pair<T>(at + 32, at + 48, wide(at, single), sizeof<T>() == 4 ? wide(at + 2 * step, single) : f64x2.splat(0), turns, work);
  memory.copy(cos, at + 32, <usize>n * sizeof<T>());
  memory.copy(sin, at + 48, <usize>n * sizeof<T>());
}

/** `work` takes 96 bytes. */
// @ts-ignore: decorator
@inline export function sincosTurns<T>(cos: usize, sin: usize, turns: usize, n: i32, work: usize): void {
  all<T>(cos, sin, turns, n, false, true, work);
}

// @ts-ignore: decorator
@inline export function sincos<T>(cos: usize, sin: usize, angles: usize, n: i32, work: usize): void {
  all<T>(cos, sin, angles, n, sizeof<T>() == 4, false, work);
}
