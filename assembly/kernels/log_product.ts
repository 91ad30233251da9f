// log_product: for a sum of logarithms, the product of their arguments: product[p] *= x[p] - m + 1, m being the smallest
// sample of the frame. One logarithm per pixel at the very end takes the place of one per sample, and is the more accurate.
//
//   y = x - m + 1;  if y >= 2^512:       y /= 2^512, powers += 1
//   product *= y;   if product >= 2^512: product /= 2^512, powers += 1
//
// Arguments are 1 or more, so a product never gets smaller; one that reads 0 has not been begun and counts as 1.
// Infinity and NaN stay what they are. Divisions are exact and rare: the loop only looks whether there is one to do.

import { lowest } from "./extremes";
import { kept, orderOf, sample, vecIn, wideHigh, wideLow } from "./vectors";
import { f64x2In, i32x4In } from "./widen";

const LIMIT: f64 = reinterpret<f64>(<u64>0x5ff0000000000000); // 2^512
const SCALE: f64 = reinterpret<f64>(<u64>0x1ff0000000000000); // 2^-512

// @ts-ignore: decorator
@inline export function logProduct<T>(product: usize, powers: usize, data: usize, pixels: i32, be: bool): void {
  if (pixels <= 0) return;
  const least = smallest<T>(data, pixels, be), m = f64x2.splat(isInteger<T>() ? 1 - least : least), order = orderOf<T>(pixels);
  const one = kept(f64x2.splat(1), pixels), limit = kept(f64x2.splat(LIMIT), pixels);
  const body = <usize>(pixels & ~3) << 3, end = <usize>pixels << 3;
  let at: usize = 0;
  for (; at < body; at += 32, data += 4 * sizeof<T>()) {
    let x0: v128, x1: v128;
    if (sizeof<T>() <= 2) {
      const v = i32x4In<T>(data, be, order);
      x0 = wideLow<i32>(v), x1 = wideHigh<i32>(v);
    } else if (sizeof<T>() == 4) {
      const v = vecIn<T>(data, be, order);
      x0 = wideLow<T>(v), x1 = wideHigh<T>(v);
    } else x0 = vecIn<T>(data, be, order), x1 = vecIn<T>(data + 16, be, order);
    const y0 = argument<T>(x0, m, one), y1 = argument<T>(x1, m, one);
    const old0 = f64x2.pmax(v128.load(product + at), one), old1 = f64x2.pmax(v128.load(product + at, 16), one);
    const new0 = f64x2.mul(old0, y0), new1 = f64x2.mul(old1, y1);
    v128.store(product + at, new0); v128.store(product + at, new1, 16);
    if (v128.any_true(v128.or(f64x2.ge(new0, limit), f64x2.ge(new1, limit)))) {
      divide<T>(product + at, powers + at, old0, y0, new0);
      divide<T>(product + at + 16, powers + at + 16, old1, y1, new1);
    }
  }
  for (; at < end; at += 8, data += sizeof<T>()) {
    const y = argument<T>(f64x2.splat(<f64>sample<T>(data, be)), m, one);
    multiplyOne(product + at, powers + at, y, f64x2.splat(0));
  }
}

/** Divides the two products, where they are large, and counts. Only f64 has arguments that are large themselves. */
// @ts-ignore: decorator
@inline function divide<T>(product: usize, powers: usize, old: v128, y: v128, now: v128): void {
  if (isFloat<T>() && sizeof<T>() == 8) {
    v128.store(product, multiplied(old, y));
    v128.store(powers, f64x2.add(v128.load(powers), timesDivided(old, y)));
    return;
  }
  const which = large(now);
  v128.store(product, v128.bitselect(f64x2.mul(now, f64x2.splat(SCALE)), now, which));
  v128.store(powers, f64x2.add(v128.load(powers), v128.and(which, f64x2.splat(1))));
}

/** A becomes A times B. */
// @ts-ignore: decorator
@inline export function logProductMerge<T>(productA: usize, powersA: usize, productB: usize, powersB: usize, pixels: i32): void {
  for (; pixels > 0; pixels--, productA += 8, powersA += 8, productB += 8, powersB += 8) {
    multiplyOne(productA, powersA, f64x2.pmax(v128.load64_splat(productB), f64x2.splat(1)), v128.load64_splat(powersB));
  }
}

/** Multiplies one product by y and 2^(512 power). */
// @ts-ignore: decorator
@inline function multiplyOne(product: usize, powers: usize, y: v128, power: v128): void {
  const old = f64x2.pmax(v128.load64_splat(product), f64x2.splat(1)), before = f64x2.add(v128.load64_splat(powers), power);
  v128.store64_lane(product, multiplied(old, y), 0);
  v128.store64_lane(powers, f64x2.add(before, timesDivided(old, y)), 0);
}

// @ts-ignore: decorator
@inline function smallest<T>(data: usize, pixels: i32, be: bool): f64 {
  if (isInteger<T>()) return <f64>lowest<T>(data, pixels, be);
  const body = pixels & ~1, order = orderOf<T>(pixels);
  let least = f64x2.splat(Infinity);
  for (let p = 0; p < body; p += 2) least = f64x2.pmin(least, f64x2In<T>(data + <usize>p * sizeof<T>(), be, order));
  if (body < pixels) least = f64x2.pmin(least, f64x2.splat(<f64>sample<T>(data + <usize>body * sizeof<T>(), be)));
  least = f64x2.pmin(least, i64x2.shuffle(least, least, 1, 0));
  return f64x2.extract_lane(least, 0);
}

/** x - least + 1; for integers `m` is 1 - least, as their sums are exact in any order. */
// @ts-ignore: decorator
@inline function argument<T>(x: v128, m: v128, one: v128): v128 {
  return isInteger<T>() ? f64x2.add(x, m) : f64x2.add(f64x2.sub(x, m), one);
}

/** Lanes that a division by 2^512 makes sense for. */
// @ts-ignore: decorator
@inline function large(v: v128): v128 {
  return v128.and(f64x2.ge(v, f64x2.splat(LIMIT)), f64x2.lt(v, f64x2.splat(Infinity)));
}

// @ts-ignore: decorator
@inline function divided(v: v128): v128 {
  return v128.bitselect(f64x2.mul(v, f64x2.splat(SCALE)), v, large(v));
}

/** old times y, divided where it must be. */
// @ts-ignore: decorator
@inline function multiplied(old: v128, y: v128): v128 {
  return divided(f64x2.mul(old, divided(y)));
}

/** How often `multiplied` divides; not at all where a product is NaN. */
// @ts-ignore: decorator
@inline function timesDivided(old: v128, y: v128): v128 {
  const one = f64x2.splat(1);
  const times = f64x2.add(v128.and(large(y), one), v128.and(large(f64x2.mul(old, divided(y))), one));
  return v128.and(times, f64x2.ge(f64x2.mul(old, y), f64x2.splat(LIMIT)));
}
