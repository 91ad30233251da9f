/**
 * Exponential, logarithm and power, computed only with rounded operations.
 *
 * ```
 * exp x        n = round(x / ln 2), r = x − n ln 2 (in two parts), 2^n · Σ r^k / k!
 * log x        x = m · 2^k with m in [√½, √2), f = m − 1, s = f / (2 + f),
 *              log m = f − (f²/2 − s (f²/2 + R)), R = s² (2/3 + 2/5 s² + …)
 * log1p x      u = 1 + x, log u · x / (u − 1): the errors of u cancel (Kahan)
 * x ** y       2^(y log2 |x|), the product of y and k exact in two parts; the sign by y's parity
 * ```
 *
 * @module
 */

import type { Algebra, Term } from "./angles.ts";
import type { Value } from "./graph.ts";
import { bitsOf } from "./precision.ts";

/** ln 2 in parts: `high` times an exponent is exact. `low` has the digits that do not fit into a float64. */
function ln2({ facts }: Algebra): { high: number; low: number } {
  const unit = 2 ** (facts.name === "float32" ? 15 : 32);
  const high = Math.floor(Math.LN2 * unit) / unit;
  return { high, low: Math.LN2 - high + 2.3190468138462996e-17 };
}

/** Powers of two beyond which results are infinite or zero, with some margin. */
function range({ facts }: Algebra): { most: number; least: number } {
  return { most: facts.bias + 3, least: -facts.bias - facts.mantissa - 2 };
}

/** Σ r^k / k!, for |r| up to slightly more than ½ ln 2. */
function series(a: Algebra, r: Value): Value {
  const terms = a.facts.name === "float32" ? 8 : 14;
  let factorial = 1;
  return a.polynomial(r, Array.from({ length: terms }, (_, k) => 1 / (factorial *= Math.max(1, k))));
}

/** `e^x`. */
export function exponential(a: Algebra, x: Value): Value {
  const { high, low } = ln2(a);
  const { most, least } = range(a);
  const clipped = a.op("min", a.op("max", x, least * Math.LN2), most * Math.LN2);
  const n = a.op("nearest", a.mul(clipped, Math.LOG2E));
  const r = a.sub(a.sub(clipped, a.mul(n, high)), a.mul(n, low));
  return a.scale(series(a, r), n);
}

/** `x = m 2^k` for positive finite x, and the terms from which the logarithm of m is computed. */
function split(a: Algebra, x: Value): { k: Value; f: Value; square: Value; rest: Value } {
  const { mantissa, bias, tiny, name } = a.facts;
  const lift = mantissa + 2;
  const small = a.op("lt", x, tiny);
  const normal = a.select(small, a.mul(x, 2 ** lift), x);
  const offset = bitsOf(1, name) - bitsOf(Math.SQRT1_2, name);
  const moved = a.op("iadd", a.op("bits", normal), a.graph.mask(offset));
  const exponent = a.op("unbits", a.op("ior", a.graph.shift("shr", moved, mantissa), a.bits(2 ** mantissa)));
  const k = a.sub(a.sub(exponent, 2 ** mantissa + bias), a.select(small, lift, 0));
  const fraction = a.op("iand", moved, a.graph.mask((1n << BigInt(mantissa)) - 1n));
  const m = a.op("unbits", a.op("iadd", fraction, a.bits(Math.SQRT1_2)));
  const f = a.sub(m, 1);
  const s = a.div(f, a.add(f, 2));
  const z = a.mul(s, s);
  const terms = name === "float32" ? 5 : 11;
  const tail = a.mul(z, a.polynomial(z, Array.from({ length: terms }, (_, i) => 2 / (2 * i + 3))));
  const square = a.mul(f, f, 0.5);
  return { k, f, square, rest: a.mul(s, a.add(square, tail)) };
}

/** Adds the cases outside of the formula: zero, infinity, negative numbers, NaN. */
function outside(a: Algebra, x: Value, inside: Value): Value {
  const proper = a.op("both", a.op("gt", x, 0), a.op("lt", x, Infinity));
  const negative = a.select(a.op("lt", x, 0), NaN, x);
  return a.select(proper, inside, a.select(a.op("eq", x, 0), -Infinity, negative));
}

/** The natural logarithm. */
export function logarithm(a: Algebra, x: Value): Value {
  const { high, low } = ln2(a);
  const { k, f, square, rest } = split(a, x);
  const small = a.sub(a.sub(square, a.add(rest, a.mul(k, low))), f);
  return outside(a, x, a.sub(a.mul(k, high), small));
}

/** `log(1 + x)`, also for small x. */
export function logarithm1p(a: Algebra, x: Value): Value {
  const u = a.add(x, 1);
  const corrected = a.mul(logarithm(a, u), a.div(x, a.sub(u, 1)));
  const finite = a.select(a.op("eq", u, Infinity), Infinity, corrected);
  return a.select(a.op("eq", u, 1), x, finite);
}

/** `x ** y`: integer and half-integer exponents as products and roots, other exponents by the logarithm. */
export function power(a: Algebra, x: Value, y: Value): Value {
  const exponent = y.constant;
  if (typeof exponent !== "number" || !Number.isInteger(2 * exponent) || Math.abs(exponent) > 64) {
    return anyPower(a, x, y);
  }
  if (!Number.isInteger(exponent) && exponent !== 0.5) {
    x = a.add(a.select(a.op("eq", x, -Infinity), Infinity, x), 0); // no sign of zero
  }
  const found = products(a, x, Math.abs(exponent));
  if (exponent >= 0) return a.value(found);
  const plain = a.div(1, found);
  if (exponent === -1 || exponent === -0.5) return plain;
  const tooLarge = a.op("eq", a.op("abs", a.value(found)), Infinity);
  return a.select(tooLarge, a.value(products(a, a.div(1, x), -exponent)), plain); // subnormal numbers
}

/** x to the power of `size`, a multiple of ½. */
function products(a: Algebra, x: Value, size: number): Term {
  let result: Value | undefined;
  if (!Number.isInteger(size)) result = a.op("sqrt", x);
  let square = x;
  for (let rest = Math.floor(size); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? a.mul(result, square) : square;
    if (rest > 1) square = a.mul(square, square);
  }
  return result ?? 1;
}

function anyPower(a: Algebra, x: Value, y: Value): Value {
  const { most, least } = range(a);
  const size = a.op("abs", x);
  const { k, f, square, rest } = split(a, size);
  const mantissaPart = a.mul(a.sub(f, a.sub(square, rest)), Math.LOG2E);
  const about = a.mul(y, outside(a, size, a.add(k, mantissaPart)));
  const n = a.op("nearest", a.op("min", a.op("max", about, least), most));
  const low = a.graph.mask(-1n << (a.facts.name === "float32" ? 12n : 27n));
  const yHigh = a.op("unbits", a.op("iand", a.op("bits", y), low));
  const yLow = a.sub(y, yHigh);
  const fraction = a.add(a.sub(a.mul(yHigh, k), n), a.add(a.mul(yLow, k), a.mul(y, mantissaPart)));
  const inside = a.scale(series(a, a.mul(fraction, Math.LN2)), n);
  const low2 = a.select(a.op("lt", about, least), 0, a.select(a.op("eq", about, about), inside, NaN));
  const positive = a.select(a.op("gt", about, most), Infinity, low2);
  const one = a.op("eq", y, 0);
  if (Number.isFinite(y.constant)) return a.select(one, 1, signed(a, x, y, positive));
  const unit = a.select(a.op("eq", size, 1), 1, positive); // also for infinite exponents
  return a.select(a.op("either", one, a.op("eq", x, 1)), 1, signed(a, x, y, unit));
}

/** The power of a negative number: real for integer exponents, negative for odd ones, which also zero and infinity have. */
function signed(a: Algebra, x: Value, y: Value, size: Value): Value {
  const whole = a.op("eq", a.op("trunc", y), y);
  const half = a.mul(y, 0.5);
  const odd = a.op("both", whole, a.op("ne", a.op("trunc", half), half));
  const minus = a.op("lt", a.withSign(a.value(1), x), 0);
  const real = a.select(a.op("both", odd, minus), a.op("neg", size), size);
  const finite = a.op("both", a.op("lt", x, 0), a.op("gt", x, -Infinity));
  return a.select(a.op("both", a.op("not", whole), finite), NaN, real);
}
