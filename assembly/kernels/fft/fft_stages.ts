// The Fourier transform of several rows at once, one a lane: 4 of f32 or 2 of f64. An element is 32 bytes, the real
// parts of all lanes and then the imaginary parts, so that nothing is ever shuffled, and lanes know nothing of each
// other. Tables are those of src/kernels/families/fft_tables.ts.
//
// Stockham's algorithm: one stage a factor p, from one buffer to the other, no reordering. With s the product of the
// factors before, m of those to come:
//
//   for q < m, r < s, k < p:
//     out[r + s (p q + k)] = exp(-2 pi i q k / (p m)) * sum over j < p of in[r + s (q + m j)] exp(-2 pi i j k / p)

/** Bytes of an element. */
export const ELEMENT: usize = 32;

/** Numbers at the head of a table. */
const HEADER: usize = 32;

/** The number `i` of a table. */
// @ts-ignore: decorator
@inline function entry<T>(table: usize, i: i32): i32 {
  return <i32>load<T>(table + <usize>i * sizeof<T>());
}

/** How many numbers the table has: the next one starts behind them. */
// @ts-ignore: decorator
@inline export function tableBytes<T>(table: usize): usize {
  return <usize>entry<T>(table, 3) * sizeof<T>();
}

/** Transforms the elements at `data`. The result is there or at `spare`: its address. */
export function transform<T>(table: usize, data: usize, spare: usize): usize {
  if (entry<T>(table, 1) > 0) return bluestein<T>(table, data, spare);
  const factors = entry<T>(table, 2);
  let rest = entry<T>(table, 0), stride = 1, stage = table + HEADER * sizeof<T>();
  for (let f = 0; f < factors; f++) {
    const p = entry<T>(table, 4 + f), roots = stage;
    if (p & 1) stage += 2 * <usize>p * sizeof<T>();
    rest /= p;
    if (p == 4) pass4<T>(spare, data, stride, rest, stage);
    else if (p == 2) pass2<T>(spare, data, stride, rest, stage);
    else if (p == 3) pass3<T>(spare, data, stride, rest, stage, roots);
    else if (p == 5) pass5<T>(spare, data, stride, rest, stage, roots);
    else passOdd<T>(spare, data, stride, rest, stage, p, roots);
    stage += 2 * <usize>(rest * (p - 1)) * sizeof<T>();
    stride *= p;
    const swap = data;
    data = spare;
    spare = swap;
  }
  return data;
}

/** Stores `(re, im) * w`, or as it is in the last stage, whose twiddles are all 1. */
// @ts-ignore: decorator
@inline function put<T>(p: usize, re: v128, im: v128, wr: v128, wi: v128, last: bool): void {
  v128.store(p, last ? re : v128.sub<T>(v128.mul<T>(re, wr), v128.mul<T>(im, wi)));
  v128.store(p, last ? im : v128.add<T>(v128.mul<T>(re, wi), v128.mul<T>(im, wr)), 16);
}

// @ts-ignore: decorator
@inline function twiddle<T>(w: usize, i: usize): v128 {
  return v128.load_splat<T>(w + i * sizeof<T>());
}

function pass4<T>(dst: usize, src: usize, stride: i32, m: i32, w: usize): void {
  if (m == 1) return stage4<T>(dst, src, stride, m, w, true);
  stage4<T>(dst, src, stride, m, w, false);
}

// @ts-ignore: decorator
@inline function stage4<T>(dst: usize, src: usize, stride: i32, m: i32, w: usize, last: bool): void {
  const step = <usize>stride * ELEMENT, part = <usize>m * step, one = f32x4.splat(1);
  for (let q = 0; q < m; q++, w += 6 * sizeof<T>(), dst += 3 * step) {
    const w1r = last ? one : twiddle<T>(w, 0), w1i = last ? one : twiddle<T>(w, 1);
    const w2r = last ? one : twiddle<T>(w, 2), w2i = last ? one : twiddle<T>(w, 3);
    const w3r = last ? one : twiddle<T>(w, 4), w3i = last ? one : twiddle<T>(w, 5);
    for (const end = dst + step; dst < end; dst += ELEMENT, src += ELEMENT) {
      const p1 = src + part, p2 = p1 + part, p3 = p2 + part;
      const r0 = v128.load(src), r2 = v128.load(p2), i0 = v128.load(src, 16), i2 = v128.load(p2, 16);
      const er = v128.add<T>(r0, r2), dr = v128.sub<T>(r0, r2), ei = v128.add<T>(i0, i2), di = v128.sub<T>(i0, i2);
      const r1 = v128.load(p1), r3 = v128.load(p3), i1 = v128.load(p1, 16), i3 = v128.load(p3, 16);
      const or = v128.add<T>(r1, r3), gr = v128.sub<T>(r1, r3), oi = v128.add<T>(i1, i3), gi = v128.sub<T>(i1, i3);
      put<T>(dst, v128.add<T>(er, or), v128.add<T>(ei, oi), one, one, true);
      put<T>(dst + step, v128.add<T>(dr, gi), v128.sub<T>(di, gr), w1r, w1i, last);
      put<T>(dst + 2 * step, v128.sub<T>(er, or), v128.sub<T>(ei, oi), w2r, w2i, last);
      put<T>(dst + 3 * step, v128.sub<T>(dr, gi), v128.add<T>(di, gr), w3r, w3i, last);
    }
  }
}

function pass2<T>(dst: usize, src: usize, stride: i32, m: i32, w: usize): void {
  const step = <usize>stride * ELEMENT, part = <usize>m * step;
  for (let q = 0; q < m; q++, w += 2 * sizeof<T>(), dst += step) {
    const wr = twiddle<T>(w, 0), wi = twiddle<T>(w, 1);
    for (const end = dst + step; dst < end; dst += ELEMENT, src += ELEMENT) {
      const r0 = v128.load(src), i0 = v128.load(src, 16), r1 = v128.load(src + part), i1 = v128.load(src + part, 16);
      put<T>(dst, v128.add<T>(r0, r1), v128.add<T>(i0, i1), wr, wi, true);
      if (m == 1) put<T>(dst + step, v128.sub<T>(r0, r1), v128.sub<T>(i0, i1), wr, wi, true);
      else put<T>(dst + step, v128.sub<T>(r0, r1), v128.sub<T>(i0, i1), wr, wi, false);
    }
  }
}

/** `passOdd` for 3, written out. */
function pass3<T>(dst: usize, src: usize, stride: i32, m: i32, w: usize, roots: usize): void {
  const step = <usize>stride * ELEMENT, part = <usize>m * step, c = twiddle<T>(roots, 2), s = twiddle<T>(roots, 3);
  for (let q = 0; q < m; q++, w += 4 * sizeof<T>(), dst += 2 * step) {
    for (const end = dst + step; dst < end; dst += ELEMENT, src += ELEMENT) {
      const p1 = src + part, p2 = p1 + part, r0 = v128.load(src), i0 = v128.load(src, 16);
      const r1 = v128.load(p1), r2 = v128.load(p2), i1 = v128.load(p1, 16), i2 = v128.load(p2, 16);
      const tr = v128.add<T>(r1, r2), ti = v128.add<T>(i1, i2);
      const sr = v128.mul<T>(v128.sub<T>(r1, r2), s), si = v128.mul<T>(v128.sub<T>(i1, i2), s);
      const cr = v128.add<T>(r0, v128.mul<T>(tr, c)), ci = v128.add<T>(i0, v128.mul<T>(ti, c));
      put<T>(dst, v128.add<T>(r0, tr), v128.add<T>(i0, ti), c, c, true);
      turnedPair<T>(dst + step, dst + 2 * step, cr, ci, sr, si, w, w + 2 * sizeof<T>(), m == 1);
    }
  }
}

/** `passOdd` for 5, written out; real and imaginary parts of each sum after the other, so that registers suffice. */
function pass5<T>(dst: usize, src: usize, stride: i32, m: i32, w: usize, roots: usize): void {
  const step = <usize>stride * ELEMENT, part = <usize>m * step;
  const c1 = twiddle<T>(roots, 2), s1 = twiddle<T>(roots, 3), c2 = twiddle<T>(roots, 4), s2 = twiddle<T>(roots, 5);
  for (let q = 0; q < m; q++, w += 8 * sizeof<T>(), dst += 4 * step) {
    for (const end = dst + step; dst < end; dst += ELEMENT, src += ELEMENT) {
      const p1 = src + part, p2 = p1 + part, p3 = p2 + part, p4 = p3 + part;
      const r0 = v128.load(src), r1 = v128.load(p1), r2 = v128.load(p2), r3 = v128.load(p3), r4 = v128.load(p4);
      const tr1 = v128.add<T>(r1, r4), tr2 = v128.add<T>(r2, r3), dr1 = v128.sub<T>(r1, r4), dr2 = v128.sub<T>(r2, r3);
      const i0 = v128.load(src, 16), i1 = v128.load(p1, 16), i2 = v128.load(p2, 16);
      const i3 = v128.load(p3, 16), i4 = v128.load(p4, 16);
      const ti1 = v128.add<T>(i1, i4), ti2 = v128.add<T>(i2, i3), di1 = v128.sub<T>(i1, i4), di2 = v128.sub<T>(i2, i3);
      put<T>(dst, v128.add<T>(v128.add<T>(r0, tr1), tr2), v128.add<T>(v128.add<T>(i0, ti1), ti2), c1, c1, true);
      const ar = v128.add<T>(v128.add<T>(r0, v128.mul<T>(tr1, c1)), v128.mul<T>(tr2, c2));
      const ai = v128.add<T>(v128.add<T>(i0, v128.mul<T>(ti1, c1)), v128.mul<T>(ti2, c2));
      const er = v128.add<T>(v128.mul<T>(dr1, s1), v128.mul<T>(dr2, s2));
      const ei = v128.add<T>(v128.mul<T>(di1, s1), v128.mul<T>(di2, s2));
      turnedPair<T>(dst + step, dst + 4 * step, ar, ai, er, ei, w, w + 6 * sizeof<T>(), m == 1);
      const br = v128.add<T>(v128.add<T>(r0, v128.mul<T>(tr1, c2)), v128.mul<T>(tr2, c1));
      const bi = v128.add<T>(v128.add<T>(i0, v128.mul<T>(ti1, c2)), v128.mul<T>(ti2, c1));
      const fr = v128.sub<T>(v128.mul<T>(dr1, s2), v128.mul<T>(dr2, s1));
      const fi = v128.sub<T>(v128.mul<T>(di1, s2), v128.mul<T>(di2, s1));
      turnedPair<T>(dst + 2 * step, dst + 3 * step, br, bi, fr, fi, w + 2 * sizeof<T>(), w + 4 * sizeof<T>(), m == 1);
    }
  }
}

/** Stores `c - i s` and `c + i s` (complex c and s), times their twiddles. */
// @ts-ignore: decorator
@inline function turnedPair<T>(
  low: usize, high: usize, cr: v128, ci: v128, sr: v128, si: v128, wLow: usize, wHigh: usize, last: bool,
): void {
  const ar = v128.add<T>(cr, si), ai = v128.sub<T>(ci, sr), br = v128.sub<T>(cr, si), bi = v128.add<T>(ci, sr);
  if (last) {
    put<T>(low, ar, ai, ar, ar, true);
    put<T>(high, br, bi, br, br, true);
  } else {
    put<T>(low, ar, ai, twiddle<T>(wLow, 0), twiddle<T>(wLow, 1), false);
    put<T>(high, br, bi, twiddle<T>(wHigh, 0), twiddle<T>(wHigh, 1), false);
  }
}

/** Any odd p: numbers j and p - j share their cosines, and their sines up to the sign. */
function passOdd<T>(dst: usize, src: usize, stride: i32, m: i32, w: usize, p: i32, roots: usize): void {
  const step = <usize>stride * ELEMENT, part = <usize>m * step, behind = <usize>p * part, pair = 2 * sizeof<T>();
  for (let q = 0; q < m; q++, w += <usize>(p - 1) * pair, dst += <usize>(p - 1) * step) {
    for (const end = dst + step; dst < end; dst += ELEMENT, src += ELEMENT) {
      let re = v128.load(src), im = v128.load(src, 16);
      for (let j = 1; 2 * j < p; j++) {
        const low = src + <usize>j * part, high = src + behind - <usize>j * part;
        re = v128.add<T>(re, v128.add<T>(v128.load(low), v128.load(high)));
        im = v128.add<T>(im, v128.add<T>(v128.load(low, 16), v128.load(high, 16)));
      }
      put<T>(dst, re, im, re, re, true);
      for (let k = 1; 2 * k < p; k++) {
        const root = roots + <usize>k * pair, c1 = twiddle<T>(root, 0), s1 = twiddle<T>(root, 1);
        const low1 = src + part, high1 = src + behind - part;
        const r1 = v128.load(low1), i1 = v128.load(low1, 16), r2 = v128.load(high1), i2 = v128.load(high1, 16);
        let cr = v128.add<T>(v128.load(src), v128.mul<T>(v128.add<T>(r1, r2), c1));
        let ci = v128.add<T>(v128.load(src, 16), v128.mul<T>(v128.add<T>(i1, i2), c1));
        let sr = v128.mul<T>(v128.sub<T>(r1, r2), s1), si = v128.mul<T>(v128.sub<T>(i1, i2), s1);
        for (let j = 2, at = 2 * k; 2 * j < p; j++, at += k) {
          if (at >= p) at -= p;
          const low = src + <usize>j * part, high = src + behind - <usize>j * part;
          const c = twiddle<T>(roots + <usize>at * pair, 0), s = twiddle<T>(roots + <usize>at * pair, 1);
          const a = v128.load(low), b = v128.load(low, 16), d = v128.load(high), e = v128.load(high, 16);
          cr = v128.add<T>(cr, v128.mul<T>(v128.add<T>(a, d), c));
          ci = v128.add<T>(ci, v128.mul<T>(v128.add<T>(b, e), c));
          sr = v128.add<T>(sr, v128.mul<T>(v128.sub<T>(a, d), s));
          si = v128.add<T>(si, v128.mul<T>(v128.sub<T>(b, e), s));
        }
        const wk = w + <usize>(k - 1) * pair, wp = w + <usize>(p - k - 1) * pair;
        const low = dst + <usize>k * step, high = dst + <usize>(p - k) * step;
        turnedPair<T>(low, high, cr, ci, sr, si, wk, wp, m == 1);
      }
    }
  }
}

/**
 * Any length n as a convolution with a chirp, `X = w * (x w convolved with conj w)`, `w[j] = exp(-pi i j^2 / n)`: by
 * transforms of a longer, simpler length. Exchanging real and imaginary parts before and after turns one into the way
 * back. `spare` has room for two of the longer length; the result is in `data`.
 */
function bluestein<T>(table: usize, data: usize, spare: usize): usize {
  const n = entry<T>(table, 0), padded = entry<T>(table, 1), pair = 2 * sizeof<T>();
  const chirp = table + HEADER * sizeof<T>(), spectrum = chirp + <usize>n * pair, inner = spectrum + <usize>padded * pair;
  const other = spare + <usize>padded * ELEMENT, zeros = spare + <usize>n * ELEMENT;
  multiply<T>(spare, 0, data, 0, chirp, n);
  memory.fill(zeros, 0, other - zeros);
  const y = transform<T>(inner, spare, other);
  multiply<T>(y, 16, y, 0, spectrum, padded);
  const back = transform<T>(inner, y, y == spare ? other : spare);
  multiply<T>(data, 0, back, 16, chirp, n);
  return data;
}

/** `dst[j] = src[j] * w[j]`; an offset of 16 exchanges real and imaginary parts. */
function multiply<T>(dst: usize, dstRe: usize, src: usize, srcRe: usize, w: usize, n: i32): void {
  for (let j = 0; j < n; j++, dst += ELEMENT, src += ELEMENT, w += 2 * sizeof<T>()) {
    const re = v128.load(src + srcRe), im = v128.load(src + (16 - srcRe)), wr = twiddle<T>(w, 0), wi = twiddle<T>(w, 1);
    v128.store(dst + dstRe, v128.sub<T>(v128.mul<T>(re, wr), v128.mul<T>(im, wi)));
    v128.store(dst + (16 - dstRe), v128.add<T>(v128.mul<T>(re, wi), v128.mul<T>(im, wr)));
  }
}
