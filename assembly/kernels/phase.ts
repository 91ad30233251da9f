// complex_phase: out[s][r][c] = exp(2 pi i turns), turns = path(s, r) / speed * frequency[c], as pairs of f64.
//
//   for every source s with n1 = sqrt(1 - l^2 - m^2) - 1:
//     for every row r of uvw: path = u l + v m + w n1
//       for every channel c: turns = path / speed * frequency[c]; out = cos, sin of turns
//
// - n1 is -(l^2 + m^2) / (1 + sqrt(1 - l^2 - m^2)): the difference would cancel near the phase centre.
// - Whole turns are dropped first, exactly (`nearest`), so that millions of turns cost no accuracy beyond that of
//   the product itself. What is left is r in [-1/2, 1/2], a = |r|.
// - One polynomial, S(x) = sin(2 pi x) for x in [-1/4, 1/4], gives both: cos(2 pi a) = S(1/4 - a), and
//   sin(2 pi a) = S(min(a, 1/2 - a)), whose sign is that of r. Both subtractions are harmless: the first is exact
//   from a = 1/8 on, and below that the cosine is flat.
// - S is odd, of degree 17: interpolated at Chebyshev nodes of x^2, relative error 4e-17, about one ulp as computed.

const S0: f64 = 6.283185307179586, S1: f64 = -41.341702240399755, S2: f64 = 81.60524927607362;
const S3: f64 = -76.70585975282492, S4: f64 = 42.058693925428685, S5: f64 = -15.0946416761179;
const S6: f64 = 3.8199280942271643, S7: f64 = -0.7177337921413454, S8: f64 = 0.10089695501646812;

/** sin(2 pi x), for x in [-1/4, 1/4]. */
// @ts-ignore: decorator
@inline function sine(x: v128): v128 {
  const y = f64x2.mul(x, x);
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

// @ts-ignore: decorator
@inline function cosOfTurns(a: v128): v128 {
  return sine(f64x2.sub(f64x2.splat(0.25), a));
}

// @ts-ignore: decorator
@inline function sinOfTurns(a: v128, r: v128): v128 {
  const sin = sine(f64x2.pmin(a, f64x2.sub(f64x2.splat(0.5), a)));
  return v128.xor(sin, v128.and(r, f64x2.splat(-0.0)));
}

/** `T` is f64. Rows are (u, v, w), sources (l, m); a negative speed turns the sign of the phase around. */
// @ts-ignore: decorator
@inline export function complexPhase<T>(
  out: usize, lm: usize, uvw: usize, frequency: usize, sources: i32, rows: i32, channels: i32, speed: f64,
): void {
  for (let s = 0; s < sources; s++, lm += 16) {
    const l = load<f64>(lm), m = load<f64>(lm, 8);
    const square = l * l + m * m;
    const n1 = -square / (1.0 + sqrt<f64>(1.0 - square));
    for (let r = 0, at = uvw; r < rows; r++, at += 24) {
      const path = load<f64>(at) * l + load<f64>(at, 8) * m + load<f64>(at, 16) * n1;
      out = phases(out, path / speed, frequency, channels);
    }
  }
}

/** The phases of one delay at every frequency; the address behind the last. */
// @ts-ignore: decorator
@inline function phases(out: usize, delay: f64, frequency: usize, channels: i32): usize {
  const delays = f64x2.splat(delay);
  const end = frequency + (<usize>channels << 3);
  for (; frequency + 16 <= end; frequency += 16, out += 32) {
    const turns = f64x2.mul(delays, v128.load(frequency));
    const r = f64x2.sub(turns, f64x2.nearest(turns)), a = f64x2.abs(r);
    const re = cosOfTurns(a), im = sinOfTurns(a, r);
    v128.store(out, i64x2.shuffle(re, im, 0, 2));
    v128.store(out, i64x2.shuffle(re, im, 1, 3), 16);
  }
  if (frequency < end) {
    const turns = f64x2.mul(delays, v128.load64_splat(frequency));
    const r = f64x2.sub(turns, f64x2.nearest(turns)), a = f64x2.abs(r);
    v128.store(out, i64x2.shuffle(cosOfTurns(a), sinOfTurns(a, r), 0, 2));
    out += 16;
  }
  return out;
}
