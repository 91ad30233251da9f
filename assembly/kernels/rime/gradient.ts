// misfit_gradient: what the visibilities of one source have in common with a misfit X, summed over rows, for each channel.
//
//   M = J_p^H X[row][c] J_q (or X), h = conj(M) phases[row][c], B = [[b0, b1 + i b2], [b1 - i b2, b3]] = brightness[c]
//   f = h00 B00 + h01 B01 + h10 B10 + h11 B11,   S = tapers[row][c] (or 1)
//   out[c][0..3] += S Re h00, S Re(h01 + h10), -S Im(h01 - h10), S Re h11       changes of b0, b1, b2, b3
//   out[c][4..6] += S Im f (u, v, w)                                            of the direction
//   out[c][7..9] += Re f slopes[row][c] (u^2, u v, v^2)                         of the shape
//
// With X = weight (model - observed), these are the parts of half the derivative of chi squared.

// @ts-ignore: decorator
@inline export function misfitGradient<T>(
  out: usize, phases: usize, misfit: usize, brightness: usize, tapers: usize, slopes: usize, uvw: usize,
  jones: usize, antenna1: usize, antenna2: usize, times: usize, work: usize, rows: i32, antennas: i32, channels: i32,
): void {
  const bytes = <usize>channels << 6; // of the matrices of a row
  for (let r = 0; r < rows; r++, uvw += 24) {
    const u = load<f64>(uvw), v = load<f64>(uvw, 8), w = load<f64>(uvw, 16), at = <usize>r << 2;
    let p: usize = 0, q: usize = 0;
    if (jones) {
      const time = <usize>load<i32>(times + at) * <usize>antennas;
      p = jones + (time + <usize>load<i32>(antenna1 + at)) * bytes;
      q = jones + (time + <usize>load<i32>(antenna2 + at)) * bytes;
    }
    let to = out, b = brightness;
    for (let c = 0; c < channels; c++, to += 80, b += 32, phases += 16, misfit += 64) {
      let m = misfit;
      if (jones) {
        between(work, p, misfit, q);
        m = work;
        p += 64;
        q += 64;
      }
      const re = load<f64>(phases), im = load<f64>(phases, 8);
      const r00 = real(m, re, im), i00 = imag(m, re, im), r01 = real(m + 16, re, im), i01 = imag(m + 16, re, im);
      const r10 = real(m + 32, re, im), i10 = imag(m + 32, re, im), r11 = real(m + 48, re, im), i11 = imag(m + 48, re, im);
      const b0 = load<f64>(b), b1 = load<f64>(b, 8), b2 = load<f64>(b, 16), b3 = load<f64>(b, 24);
      const fr = b0 * r00 + b1 * (r01 + r10) - b2 * (i01 - i10) + b3 * r11;
      const fi = b0 * i00 + b1 * (i01 + i10) + b2 * (r01 - r10) + b3 * i11;
      const size = tapers ? load<f64>(tapers) : 1.0, turn = size * fi;
      add(to, size * r00);
      add(to + 8, size * (r01 + r10));
      add(to + 16, -size * (i01 - i10));
      add(to + 24, size * r11);
      add(to + 32, turn * u);
      add(to + 40, turn * v);
      add(to + 48, turn * w);
      if (slopes) {
        const slope = load<f64>(slopes) * fr;
        add(to + 56, slope * (u * u));
        add(to + 64, slope * (u * v));
        add(to + 72, slope * (v * v));
        slopes += 8;
      }
      if (tapers) tapers += 8;
    }
  }
}

// @ts-ignore: decorator
@inline function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

/** The real part of conj(m) (re + i im). */
// @ts-ignore: decorator
@inline function real(m: usize, re: f64, im: f64): f64 {
  return load<f64>(m) * re + load<f64>(m, 8) * im;
}

/** Its imaginary part. */
// @ts-ignore: decorator
@inline function imag(m: usize, re: f64, im: f64): f64 {
  return load<f64>(m) * im - load<f64>(m, 8) * re;
}

/** out = p^H x q; `out` is the place of two matrices. */
function between(out: usize, p: usize, x: usize, q: usize): void {
  const half = out + 64;
  for (let i: usize = 0; i < 2; i++) {
    for (let j: usize = 0; j < 2; j++) { // half = x q
      const a = x + 32 * i, b = a + 16, c = q + 16 * j, d = c + 32, to = half + 32 * i + 16 * j;
      store<f64>(to, load<f64>(a) * load<f64>(c) - load<f64>(a, 8) * load<f64>(c, 8) + load<f64>(b) * load<f64>(d) - load<f64>(b, 8) * load<f64>(d, 8));
      store<f64>(to, load<f64>(a) * load<f64>(c, 8) + load<f64>(a, 8) * load<f64>(c) + load<f64>(b) * load<f64>(d, 8) + load<f64>(b, 8) * load<f64>(d), 8);
    }
  }
  for (let i: usize = 0; i < 2; i++) {
    for (let j: usize = 0; j < 2; j++) { // out = p^H half
      const a = p + 16 * i, b = a + 32, c = half + 16 * j, d = c + 32, to = out + 32 * i + 16 * j;
      store<f64>(to, load<f64>(a) * load<f64>(c) + load<f64>(a, 8) * load<f64>(c, 8) + load<f64>(b) * load<f64>(d) + load<f64>(b, 8) * load<f64>(d, 8));
      store<f64>(to, load<f64>(a) * load<f64>(c, 8) - load<f64>(a, 8) * load<f64>(c) + load<f64>(b) * load<f64>(d, 8) - load<f64>(b, 8) * load<f64>(d), 8);
    }
  }
}
