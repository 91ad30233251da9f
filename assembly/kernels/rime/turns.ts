// Cosine and sine of turns, in vectors of f64 or f32.
//
// - Whole turns are dropped first, exactly and in f64 (`nearest`), so that millions of turns cost no accuracy beyond that of
//   the turns themselves. What is left is r in [-1/2, 1/2], a = |r|.
// - One polynomial, S(x) = sin(2 pi x) for x in [-1/4, 1/4], gives both: cos(2 pi a) = S(1/4 - a), and
//   sin(2 pi a) = S(min(a, 1/2 - a)), whose sign is that of r. Both subtractions are harmless: the first is exact
//   from a = 1/8 on, and below that the cosine is flat.
// - S is odd, interpolated at Chebyshev nodes of x^2: of degree 17 in f64 (relative error 4e-17, about one ulp as computed), of
//   degree 9 in f32 (relative error 7e-9).

const S0: f64 = 6.283185307179586, S1: f64 = -41.341702240399755, S2: f64 = 81.60524927607362;
const S3: f64 = -76.70585975282492, S4: f64 = 42.058693925428685, S5: f64 = -15.0946416761179;
const S6: f64 = 3.8199280942271643, S7: f64 = -0.7177337921413454, S8: f64 = 0.10089695501646812;

const T0: f32 = 6.2831854820251465, T1: f32 = -41.34168243408203, T2: f32 = 81.60247802734375;
const T3: f32 = -76.58116912841797, T4: f32 = 39.75982666015625;

/** sin(2 pi x), for x in [-1/4, 1/4]. */
// @ts-ignore: decorator
@inline function sine<T>(x: v128): v128 {
  const y = v128.mul<T>(x, x);
  if (sizeof<T>() == 4) {
    let p = f32x4.splat(T4);
    p = f32x4.add(f32x4.mul(p, y), f32x4.splat(T3));
    p = f32x4.add(f32x4.mul(p, y), f32x4.splat(T2));
    p = f32x4.add(f32x4.mul(p, y), f32x4.splat(T1));
    p = f32x4.add(f32x4.mul(p, y), f32x4.splat(T0));
    return f32x4.mul(p, x);
  }
  let p = f64x2.splat(S8);
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S7));
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S6));
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S5));
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S4));
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S3));
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S2));
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S1));
  p = f64x2.add(f64x2.mul(p, y), f64x2.splat(S0));
  return f64x2.mul(p, x);
}

/** Turns without their whole part, in [-1/2, 1/2]. */
// @ts-ignore: decorator
@inline export function rest(turns: v128): v128 {
  return f64x2.sub(turns, f64x2.nearest(turns));
}

/** Four rests, of two vectors of f64 turns, as f32. */
// @ts-ignore: decorator
@inline export function rests(low: v128, high: v128): v128 {
  const a = f32x4.demote_f64x2_zero(rest(low)), b = f32x4.demote_f64x2_zero(rest(high));
  return i64x2.shuffle(a, b, 0, 2);
}

/** The cosine of a rest in [-1/2, 1/2]. */
// @ts-ignore: decorator
@inline export function cosOfRest<T>(r: v128): v128 {
  return sine<T>(v128.sub<T>(v128.splat<T>(<T>0.25), v128.abs<T>(r)));
}

/** The sine of a rest in [-1/2, 1/2]. */
// @ts-ignore: decorator
@inline export function sinOfRest<T>(r: v128): v128 {
  const a = v128.abs<T>(r);
  const sin = sine<T>(v128.pmin<T>(a, v128.sub<T>(v128.splat<T>(<T>0.5), a)));
  return v128.xor(sin, v128.and(r, v128.splat<T>(<T>-0.0)));
}
