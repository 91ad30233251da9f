// Sample by sample, what windows have given: magnitudes, variances, comparisons, and other types.
//
//   root_of_squares:  out[i] = √(data[i]² + data[i + step]² + … )
//   square_f64:       out[i] = f64(data[i])²
//   variance:         out[i] = max(0, n squares[i] − sums[i]²) / n², or its root
//   subtract:         out[i] = from[i] − data[i], modulo the range of integers
//   above:            out[i] = data[i] > level[i] / n − offset
//   below:            out[y][x] = data[y][x] < limit
//   round_f32, round_f64: out[i] = data[i] rounded to nearest, half to even, limited to the range of the type; NaN: 0

import { f64x2At } from "../widen";
import { lanes, splat } from "./weigh";

// @ts-ignore: decorator
@inline export function rootOfSquares<T>(out: usize, data: usize, n: i32, step: usize, count: i32): void {
  let x = 0;
  for (; x < n && n >= lanes<T>(); x += lanes<T>()) {
    const start = <usize>min(x, n - lanes<T>()) * sizeof<T>();
    let sum = splat<T>(0), p = data + start;
    for (let k = 0; k < count; k++, p += step) {
      const v = v128.load(p);
      sum = v128.add<T>(sum, v128.mul<T>(v, v));
    }
    v128.store(out + start, v128.sqrt<T>(sum));
  }
  for (; x < n; x++) {
    let sum: T = 0, p = data + <usize>x * sizeof<T>();
    for (let k = 0; k < count; k++, p += step) sum += load<T>(p) * load<T>(p);
    store<T>(out + <usize>x * sizeof<T>(), sqrt<T>(sum));
  }
}

// @ts-ignore: decorator
@inline export function squareF64<T>(out: usize, data: usize, n: i32): void {
  const body = n & ~1;
  for (let x = 0; x < body; x += 2) {
    const v = f64x2At<T>(data + <usize>x * sizeof<T>(), false);
    v128.store(out + (<usize>x << 3), f64x2.mul(v, v));
  }
  if (body == n) return;
  const v = <f64>load<T>(data + <usize>body * sizeof<T>());
  store<f64>(out + (<usize>body << 3), v * v);
}

// @ts-ignore: decorator
@inline export function variance<T>(out: usize, sums: usize, squares: usize, n: i32, count: f64, root: i32): void {
  const body = n & ~1, all = f64x2.splat(count), square = f64x2.splat(count * count), zero = f64x2.splat(0);
  for (let x = 0; x < body; x += 2) {
    const at = <usize>x << 3, sum = v128.load(sums + at);
    let v = f64x2.sub(f64x2.mul(all, v128.load(squares + at)), f64x2.mul(sum, sum));
    v = f64x2.div(f64x2.max(v, zero), square);
    v128.store(out + at, root ? f64x2.sqrt(v) : v);
  }
  if (body == n) return;
  const at = <usize>body << 3, sum = load<f64>(sums + at);
  const v = max(count * load<f64>(squares + at) - sum * sum, 0) / (count * count);
  store<f64>(out + at, root ? sqrt(v) : v);
}

// @ts-ignore: decorator
@inline export function subtract<T>(out: usize, from: usize, data: usize, n: i32): void {
  const end = out + <usize>n * sizeof<T>();
  for (; out + 16 <= end; out += 16, from += 16, data += 16) v128.store(out, v128.sub<T>(v128.load(from), v128.load(data)));
  for (; out < end; out += sizeof<T>(), from += sizeof<T>(), data += sizeof<T>()) {
    store<T>(out, <T>(load<T>(from) - load<T>(data)));
  }
}

// @ts-ignore: decorator
@inline export function above<T>(out: usize, data: usize, level: usize, n: i32, count: f64, offset: f64): void {
  const all = f64x2.splat(count), less = f64x2.splat(offset), next = <usize>2 * sizeof<T>();
  let x = 0;
  for (; x < n && n >= 8; x += 8) {
    const from = <usize>min(x, n - 8), p = data + from * sizeof<T>(), q = level + (from << 3);
    storeBools(
      out + from,
      isAbove<T>(p, q, all, less),
      isAbove<T>(p + next, q + 16, all, less),
      isAbove<T>(p + 2 * next, q + 32, all, less),
      isAbove<T>(p + 3 * next, q + 48, all, less),
    );
  }
  for (; x < n; x++) {
    const value = <f64>load<T>(data + <usize>x * sizeof<T>());
    store<u8>(out + <usize>x, <u8>(value > load<f64>(level + (<usize>x << 3)) / count - offset));
  }
}

// @ts-ignore: decorator
@inline function isAbove<T>(data: usize, level: usize, count: v128, offset: v128): v128 {
  return f64x2.gt(f64x2At<T>(data, false), f64x2.sub(f64x2.div(v128.load(level), count), offset));
}

// @ts-ignore: decorator
@inline export function below<T>(out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, limit: f64): void {
  const all = f64x2.splat(limit);
  for (; rows > 0; rows--, out += outStride, data += rowStride) {
    let x = 0;
    for (; x < n && n >= 8; x += 8) {
      const from = <usize>min(x, n - 8), p = data + (from << 3);
      const a = f64x2.lt(v128.load(p), all), b = f64x2.lt(v128.load(p, 16), all);
      storeBools(out + from, a, b, f64x2.lt(v128.load(p, 32), all), f64x2.lt(v128.load(p, 48), all));
    }
    for (; x < n; x++) store<u8>(out + <usize>x, <u8>(load<f64>(data + (<usize>x << 3)) < limit));
  }
}

/** Stores eight comparisons of doubles as bytes. */
// @ts-ignore: decorator
@inline function storeBools(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  const words = i16x8.narrow_i32x4_s(i32x4.shuffle(a, b, 0, 2, 4, 6), i32x4.shuffle(c, d, 0, 2, 4, 6));
  v128.store64_lane(out, v128.and(i8x16.narrow_i16x8_s(words, words), i8x16.splat(1)), 0);
}

// @ts-ignore: decorator
@inline export function roundF32<T>(out: usize, data: usize, n: i32): void {
  round<T, f32>(out, data, n);
}

// @ts-ignore: decorator
@inline export function roundF64<T>(out: usize, data: usize, n: i32): void {
  round<T, f64>(out, data, n);
}

// @ts-ignore: decorator
@inline function round<T, A>(out: usize, data: usize, n: i32): void {
  const values = <f64>((<u64>1) << (8 * sizeof<T>())), least = isSigned<T>() ? -0.5 * values : 0, most = least + values - 1;
  let x = 0;
  for (; x < n && n >= 8; x += 8) {
    const start = <usize>min(x, n - 8), p = data + start * sizeof<A>(), to = out + start * sizeof<T>();
    const a = four<T, A>(p), b = four<T, A>(p + 4 * sizeof<A>());
    if (sizeof<T>() == 4) {
      v128.store(to, a);
      v128.store(to, b, 16);
    } else if (sizeof<T>() == 2) {
      v128.store(to, isSigned<T>() ? i16x8.narrow_i32x4_s(a, b) : i16x8.narrow_i32x4_u(a, b));
    } else {
      const words = i16x8.narrow_i32x4_s(a, b);
      v128.store64_lane(to, isSigned<T>() ? i8x16.narrow_i16x8_s(words, words) : i8x16.narrow_i16x8_u(words, words), 0);
    }
  }
  for (; x < n; x++) {
    const value = <f64>load<A>(data + <usize>x * sizeof<A>());
    const whole = min(max(nearest(value), least), most);
    store<T>(out + <usize>x * sizeof<T>(), value == value ? (isSigned<T>() ? <T><i32>whole : <T><u32>whole) : <T>0);
  }
}

/** Four floats at `p` as whole numbers of 32 bits; NaN: 0. */
// @ts-ignore: decorator
@inline function four<T, A>(p: usize): v128 {
  const unsigned = sizeof<T>() == 4 && !isSigned<T>();
  if (sizeof<A>() == 4) {
    const v = f32x4.nearest(v128.load(p));
    return unsigned ? i32x4.trunc_sat_f32x4_u(v) : i32x4.trunc_sat_f32x4_s(v);
  }
  const a = f64x2.nearest(v128.load(p)), b = f64x2.nearest(v128.load(p, 16));
  const low = unsigned ? i32x4.trunc_sat_f64x2_u_zero(a) : i32x4.trunc_sat_f64x2_s_zero(a);
  const high = unsigned ? i32x4.trunc_sat_f64x2_u_zero(b) : i32x4.trunc_sat_f64x2_s_zero(b);
  return i64x2.shuffle(low, high, 0, 2);
}
