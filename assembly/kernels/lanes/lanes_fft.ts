// lanes_fft: the two-dimensional Fourier transform of eight small images at once, in place, one image a lane.
//
// An element is 32 bytes: the sample of images 0-3 as one vector, that of images 4-7 as another. The transform takes them
// as real and imaginary part of four complex images: a product with the spectrum of a real kernel keeps the two apart, so
// that correlating needs no more. Every operation is one on whole vectors: there is no shuffle and no rest.
//
//   forward, along each axis (decimation in frequency): for every stage of radix p, blocks of L = n, n / p1, ...:
//     for k < m = L / p: the p elements k + j m become A_q = w_L^(kq) sum_j a_j w_p^(jq),  w_n = exp(-2 pi i / n)
//   backward: the stages in reverse, each element times w_L^(kq) first, with real and imaginary part exchanged, which
//     turns the sign of the exponent around; no division by n^2
//
// Forward leaves frequencies in the order of their digits, and backward takes them in that order: none has to be moved.
// Twiddles, as pairs (cos, sin) of f32: stage by stage, for radices above 5 first w_p^0 ... w_p^(p-1), then for every k
// w_L^(kq), q = 1 ... p-1. `spare` has room for p elements where a p is above 5; it is 0 in the end.

// @ts-ignore: decorator
@inline export function lanesFft<T>(data: usize, n: i32, radices: usize, stages: i32, twiddles: usize, spare: usize, backward: i32): void {
  const row = <usize>n << 5;
  if (backward) {
    backwardLines(data, n, row, n, 32, radices, stages, twiddles, spare); // columns: a twiddle serves a whole row
    for (let y = 0; y < n; y++) backwardLines(data + <usize>y * row, n, 32, 1, 0, radices, stages, twiddles, spare);
  } else {
    for (let y = 0; y < n; y++) forwardLines(data + <usize>y * row, n, 32, 1, 0, radices, stages, twiddles, spare);
    forwardLines(data, n, row, n, 32, radices, stages, twiddles, spare);
  }
  for (let s = 0; s < stages; s++) {
    const p = load<i32>(radices + (<usize>s << 2));
    if (p > 5) memory.fill(spare, 0, <usize>p << 5);
  }
}

/** `count` transforms of length `n`: their elements `step` bytes apart, the transforms `next` bytes. */
function forwardLines(data: usize, n: i32, step: usize, count: i32, next: usize, radices: usize, stages: i32, twiddles: usize, spare: usize): void {
  let length = n;
  for (let s = 0; s < stages; s++) {
    const p = load<i32>(radices + (<usize>s << 2));
    twiddles = stage(data, n, step, count, next, p, length, twiddles, spare, false);
    length /= p;
  }
}

function backwardLines(data: usize, n: i32, step: usize, count: i32, next: usize, radices: usize, stages: i32, twiddles: usize, spare: usize): void {
  let length = 1;
  for (let s = 0, rest = n; s < stages; s++) { // the end of the twiddles
    const p = load<i32>(radices + (<usize>s << 2));
    twiddles += twiddleBytes(p, rest);
    rest /= p;
  }
  for (let s = stages - 1; s >= 0; s--) {
    const p = load<i32>(radices + (<usize>s << 2));
    length *= p;
    twiddles -= twiddleBytes(p, length);
    stage(data, n, step, count, next, p, length, twiddles, spare, true);
  }
}

function twiddleBytes(p: i32, length: i32): usize {
  return <usize>((p > 5 ? p : 0) + length / p * (p - 1)) << 3;
}

/** One stage; gives the address of the twiddles of the next. */
// @ts-ignore: decorator
@inline function stage(data: usize, n: i32, step: usize, count: i32, next: usize, p: i32, length: i32, twiddles: usize, spare: usize, back: bool): usize {
  const m = length / p, part = <usize>m * step, roots = twiddles, factors = twiddles + (p > 5 ? <usize>p << 3 : 0);
  const bytes = <usize>(p - 1) << 3, end = data + <usize>n * step, block = <usize>length * step;
  for (let from = data; from < end; from += block) {
    for (let k = 0; k < m; k++) {
      const w = factors + <usize>k * bytes, to = from + <usize>k * step;
      if (p == 4) four(to, part, count, next, w, k > 0, back);
      else if (p == 2) two(to, part, count, next, w, back);
      else if (p == 3) three(to, part, count, next, w, back);
      else if (p == 5) five(to, part, count, next, w, back);
      else many(to, part, count, next, w, roots, p, spare, back);
    }
  }
  return factors + <usize>m * bytes;
}

// Real and imaginary part of an element; exchanged on the way back.

// @ts-ignore: decorator
@inline function re(at: usize, back: bool): v128 {
  return back ? v128.load(at, 16) : v128.load(at);
}

// @ts-ignore: decorator
@inline function im(at: usize, back: bool): v128 {
  return back ? v128.load(at) : v128.load(at, 16);
}

// @ts-ignore: decorator
@inline function put(at: usize, r: v128, i: v128, back: bool): void {
  if (back) {
    v128.store(at, i);
    v128.store(at, r, 16);
  } else {
    v128.store(at, r);
    v128.store(at, i, 16);
  }
}

// The product of (r, i) with a twiddle (c, s).

// @ts-ignore: decorator
@inline function timesRe(r: v128, i: v128, c: v128, s: v128): v128 {
  return f32x4.sub(f32x4.mul(r, c), f32x4.mul(i, s));
}

// @ts-ignore: decorator
@inline function timesIm(r: v128, i: v128, c: v128, s: v128): v128 {
  return f32x4.add(f32x4.mul(r, s), f32x4.mul(i, c));
}

// Element `at`, times its twiddle on the way back.

// @ts-ignore: decorator
@inline function inRe(at: usize, c: v128, s: v128, back: bool): v128 {
  return back ? timesRe(re(at, back), im(at, back), c, s) : re(at, back);
}

// @ts-ignore: decorator
@inline function inIm(at: usize, c: v128, s: v128, back: bool): v128 {
  return back ? timesIm(re(at, back), im(at, back), c, s) : im(at, back);
}

/** Stores (r, i), times its twiddle on the way forward. */
// @ts-ignore: decorator
@inline function out(at: usize, r: v128, i: v128, c: v128, s: v128, back: bool): void {
  if (back) put(at, r, i, back);
  else put(at, timesRe(r, i, c, s), timesIm(r, i, c, s), back);
}

// @ts-ignore: decorator
@inline function two(at: usize, part: usize, count: i32, next: usize, w: usize, back: bool): void {
  const c = v128.load32_splat(w), s = v128.load32_splat(w, 4);
  for (let l = 0; l < count; l++, at += next) {
    const ar = re(at, back), ai = im(at, back), br = inRe(at + part, c, s, back), bi = inIm(at + part, c, s, back);
    put(at, f32x4.add(ar, br), f32x4.add(ai, bi), back);
    out(at + part, f32x4.sub(ar, br), f32x4.sub(ai, bi), c, s, back);
  }
}

const HALF_ROOT_3: f32 = 0.8660254037844386;

// @ts-ignore: decorator
@inline function three(at: usize, part: usize, count: i32, next: usize, w: usize, back: bool): void {
  const c1 = v128.load32_splat(w), s1 = v128.load32_splat(w, 4), c2 = v128.load32_splat(w, 8), s2 = v128.load32_splat(w, 12);
  const half = f32x4.splat(0.5), root = f32x4.splat(HALF_ROOT_3);
  for (let l = 0; l < count; l++, at += next) {
    const b = at + part, c = b + part;
    const ar = re(at, back), ai = im(at, back);
    const br = inRe(b, c1, s1, back), bi = inIm(b, c1, s1, back), cr = inRe(c, c2, s2, back), ci = inIm(c, c2, s2, back);
    const tr = f32x4.add(br, cr), ti = f32x4.add(bi, ci);
    const mr = f32x4.sub(ar, f32x4.mul(tr, half)), mi = f32x4.sub(ai, f32x4.mul(ti, half));
    const dr = f32x4.mul(f32x4.sub(br, cr), root), di = f32x4.mul(f32x4.sub(bi, ci), root);
    put(at, f32x4.add(ar, tr), f32x4.add(ai, ti), back);
    out(b, f32x4.add(mr, di), f32x4.sub(mi, dr), c1, s1, back);
    out(c, f32x4.sub(mr, di), f32x4.add(mi, dr), c2, s2, back);
  }
}

/** For k = 0 all twiddles are 1: a third of the products of a small transform. */
// @ts-ignore: decorator
@inline function four(at: usize, part: usize, count: i32, next: usize, w: usize, twiddled: bool, back: bool): void {
  if (!twiddled) {
    for (let l = 0; l < count; l++, at += next) {
      const b = at + part, c = b + part, d = c + part;
      const ar = re(at, back), ai = im(at, back), br = re(b, back), bi = im(b, back);
      const cr = re(c, back), ci = im(c, back), dr = re(d, back), di = im(d, back);
      const sr = f32x4.add(ar, cr), si = f32x4.add(ai, ci), tr = f32x4.sub(ar, cr), ti = f32x4.sub(ai, ci);
      const ur = f32x4.add(br, dr), ui = f32x4.add(bi, di), vr = f32x4.sub(br, dr), vi = f32x4.sub(bi, di);
      put(at, f32x4.add(sr, ur), f32x4.add(si, ui), back);
      put(b, f32x4.add(tr, vi), f32x4.sub(ti, vr), back);
      put(c, f32x4.sub(sr, ur), f32x4.sub(si, ui), back);
      put(d, f32x4.sub(tr, vi), f32x4.add(ti, vr), back);
    }
    return;
  }
  const c1 = v128.load32_splat(w), s1 = v128.load32_splat(w, 4), c2 = v128.load32_splat(w, 8), s2 = v128.load32_splat(w, 12);
  const c3 = v128.load32_splat(w, 16), s3 = v128.load32_splat(w, 20);
  for (let l = 0; l < count; l++, at += next) {
    const b = at + part, c = b + part, d = c + part;
    const ar = re(at, back), ai = im(at, back), br = inRe(b, c1, s1, back), bi = inIm(b, c1, s1, back);
    const cr = inRe(c, c2, s2, back), ci = inIm(c, c2, s2, back), dr = inRe(d, c3, s3, back), di = inIm(d, c3, s3, back);
    const sr = f32x4.add(ar, cr), si = f32x4.add(ai, ci), tr = f32x4.sub(ar, cr), ti = f32x4.sub(ai, ci);
    const ur = f32x4.add(br, dr), ui = f32x4.add(bi, di), vr = f32x4.sub(br, dr), vi = f32x4.sub(bi, di);
    put(at, f32x4.add(sr, ur), f32x4.add(si, ui), back);
    out(b, f32x4.add(tr, vi), f32x4.sub(ti, vr), c1, s1, back);
    out(c, f32x4.sub(sr, ur), f32x4.sub(si, ui), c2, s2, back);
    out(d, f32x4.sub(tr, vi), f32x4.add(ti, vr), c3, s3, back);
  }
}

const COS_72: f32 = 0.30901699437494745;
const SIN_72: f32 = 0.9510565162951535;
const COS_144: f32 = -0.8090169943749475;
const SIN_144: f32 = 0.5877852522924731;

// @ts-ignore: decorator
@inline function five(at: usize, part: usize, count: i32, next: usize, w: usize, back: bool): void {
  const c72 = f32x4.splat(COS_72), s72 = f32x4.splat(SIN_72), c144 = f32x4.splat(COS_144), s144 = f32x4.splat(SIN_144);
  for (let l = 0; l < count; l++, at += next) {
    const b = at + part, c = b + part, d = c + part, e = d + part;
    const c1 = v128.load32_splat(w), s1 = v128.load32_splat(w, 4), c2 = v128.load32_splat(w, 8), s2 = v128.load32_splat(w, 12);
    const c3 = v128.load32_splat(w, 16), s3 = v128.load32_splat(w, 20), c4 = v128.load32_splat(w, 24), s4 = v128.load32_splat(w, 28);
    const ar = re(at, back), ai = im(at, back), br = inRe(b, c1, s1, back), bi = inIm(b, c1, s1, back);
    const cr = inRe(c, c2, s2, back), ci = inIm(c, c2, s2, back), dr = inRe(d, c3, s3, back), di = inIm(d, c3, s3, back);
    const er = inRe(e, c4, s4, back), ei = inIm(e, c4, s4, back);
    const tr = f32x4.add(br, er), ti = f32x4.add(bi, ei), ur = f32x4.add(cr, dr), ui = f32x4.add(ci, di);
    const vr = f32x4.sub(br, er), vi = f32x4.sub(bi, ei), xr = f32x4.sub(cr, dr), xi = f32x4.sub(ci, di);
    const mr = f32x4.add(ar, f32x4.add(f32x4.mul(tr, c72), f32x4.mul(ur, c144)));
    const mi = f32x4.add(ai, f32x4.add(f32x4.mul(ti, c72), f32x4.mul(ui, c144)));
    const nr = f32x4.add(ar, f32x4.add(f32x4.mul(tr, c144), f32x4.mul(ur, c72)));
    const ni = f32x4.add(ai, f32x4.add(f32x4.mul(ti, c144), f32x4.mul(ui, c72)));
    const fr = f32x4.add(f32x4.mul(vr, s72), f32x4.mul(xr, s144)), fi = f32x4.add(f32x4.mul(vi, s72), f32x4.mul(xi, s144));
    const gr = f32x4.sub(f32x4.mul(vr, s144), f32x4.mul(xr, s72)), gi = f32x4.sub(f32x4.mul(vi, s144), f32x4.mul(xi, s72));
    put(at, f32x4.add(ar, f32x4.add(tr, ur)), f32x4.add(ai, f32x4.add(ti, ui)), back);
    out(b, f32x4.add(mr, fi), f32x4.sub(mi, fr), c1, s1, back);
    out(c, f32x4.add(nr, gi), f32x4.sub(ni, gr), c2, s2, back);
    out(d, f32x4.sub(nr, gi), f32x4.add(ni, gr), c3, s3, back);
    out(e, f32x4.sub(mr, fi), f32x4.add(mi, fr), c4, s4, back);
  }
}

/** Any radix: each of the p results is a sum of p products. */
// @ts-ignore: decorator
@inline function many(at: usize, part: usize, count: i32, next: usize, w: usize, roots: usize, p: i32, spare: usize, back: bool): void {
  for (let l = 0; l < count; l++, at += next) {
    put(spare, re(at, back), im(at, back), false);
    for (let j = 1; j < p; j++) {
      const from = at + <usize>j * part, to = spare + (<usize>j << 5), f = w + (<usize>(j - 1) << 3);
      const c = v128.load32_splat(f), s = v128.load32_splat(f, 4);
      put(to, inRe(from, c, s, back), inIm(from, c, s, back), false);
    }
    for (let q = 0; q < p; q++) {
      let r = v128.load(spare), i = v128.load(spare, 16);
      for (let j = 1, turn = q; j < p; j++) {
        const from = spare + (<usize>j << 5), f = roots + (<usize>turn << 3);
        const c = v128.load32_splat(f), s = v128.load32_splat(f, 4), ar = v128.load(from), ai = v128.load(from, 16);
        r = f32x4.add(r, timesRe(ar, ai, c, s));
        i = f32x4.add(i, timesIm(ar, ai, c, s));
        turn += q;
        if (turn >= p) turn -= p;
      }
      const to = at + <usize>q * part, f = w + (<usize>(q - 1) << 3);
      if (q == 0) put(to, r, i, back);
      else out(to, r, i, v128.load32_splat(f), v128.load32_splat(f, 4), back);
    }
  }
}
