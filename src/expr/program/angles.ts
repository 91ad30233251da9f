/**
 * Sine, cosine, angle, distance, exponential, logarithm and power, computed only with rounded operations.
 *
 * ```
 * sin, cos     n = round(2x / π), r = x − n π/2 (in three parts), the series of sine and cosine for |r| ≤ π/4,
 *              exchanged and negated by the quadrant n mod 4; beyond LARGEST_ANGLE the functions of numbers, one at a time
 * atan2        t = min / max of the sizes; above tan π/8: π/4 + atan((t − 1) / (t + 1)); the series of the arctangent;
 *              reflected into the octant
 * hypot        max √(1 + (min / max)²): no overflow on the way
 * ```
 *
 * @module
 */

import { type Graph, LARGEST_ANGLE, type OperationName, type Value } from "./graph.ts";
import { bitsOf, type FloatFacts } from "./precision.ts";

/** A value, or a number that becomes a constant. */
type Term = Value | number;

/** Formulas over one graph. */
export class Algebra {
  /** Facts of the type of its numbers. */
  readonly facts: FloatFacts;

  /** Formulas over `graph`. */
  constructor(readonly graph: Graph) {
    this.facts = graph.facts;
  }

  /** Any operation. */
  op(name: OperationName, ...terms: Term[]): Value {
    return this.graph.op(name, ...terms.map((term) => this.value(term)));
  }

  /** A term as a value. */
  value(term: Term): Value {
    return typeof term === "number" ? this.graph.constant(term) : term;
  }

  /** `a + b + …`, from left to right. */
  add(first: Term, ...others: Term[]): Value {
    return others.reduce<Value>((sum, term) => this.op("add", sum, term), this.value(first));
  }

  /** `a - b`. */
  sub(a: Term, b: Term): Value {
    return this.op("sub", a, b);
  }

  /** `a · b · …`, from left to right. */
  mul(first: Term, ...others: Term[]): Value {
    return others.reduce<Value>((product, term) => this.op("mul", product, term), this.value(first));
  }

  /** `a / b`. */
  div(a: Term, b: Term): Value {
    return this.op("div", a, b);
  }

  /** `a` where the condition holds, `b` elsewhere. */
  select(test: Value, a: Term, b: Term): Value {
    return this.op("select", test, a, b);
  }

  /** `c[0] + x (c[1] + x (c[2] + …))`. */
  polynomial(x: Value, coefficients: readonly number[]): Value {
    const [last, ...rest] = [...coefficients].reverse();
    return rest.reduce<Value>((sum, c) => this.add(this.mul(sum, x), c), this.value(last!));
  }

  /** The bits of a number, as a known integer. */
  bits(value: number): Value {
    return this.graph.mask(bitsOf(value, this.facts.name));
  }

  /** The magnitude of one number with the sign of another. */
  withSign(size: Value, sign: Value): Value {
    const top = this.graph.mask(1n << BigInt(this.facts.bits - 1));
    const signBit = this.op("iand", this.op("bits", sign), top);
    return this.op("unbits", this.op("ior", this.op("bits", this.op("abs", size)), signBit));
  }

  /**
   * `x · 2^n` for integers n between −3/2 and 3/2 of the range of exponents, in two steps, so that overflow and
   * subnormal results are rounded only once.
   */
  scale(x: Value, n: Value): Value {
    const half = this.op("floor", this.mul(n, 0.5));
    return this.mul(x, this.#powerOfTwo(half), this.#powerOfTwo(this.sub(n, half)));
  }

  /**
   * `2^n` for exponents of normal numbers: n + bias is put into the low bits of the mantissa, and then shifted to the
   * exponent.
   */
  #powerOfTwo(n: Value): Value {
    const { mantissa, bias } = this.facts;
    const placed = this.op("bits", this.add(n, 1.5 * 2 ** mantissa + bias));
    return this.op("unbits", this.graph.shift("shl", placed, mantissa));
  }
}

/** π/2 in three parts; products of the first two with a quadrant number are exact. */
function parts({ facts }: Algebra): [number, number, number] {
  const unit = facts.name === "float32" ? 2 ** 10 : 2 ** 32;
  const first = Math.floor(Math.PI / 2 * unit) / unit;
  const rest = Math.PI / 2 - first;
  const second = Math.floor(rest * unit ** 2) / unit ** 2;
  return [first, second, rest - second + 6.123233995736766e-17];
}

/** The sine (turn 0) or the cosine (turn 1). */
export function sine(a: Algebra, x: Value, turn: 0 | 1): Value {
  const n = a.op("nearest", a.mul(x, 2 / Math.PI));
  const [first, second, third] = parts(a);
  const r = a.sub(a.sub(a.sub(x, a.mul(n, first)), a.mul(n, second)), a.mul(n, third));
  const z = a.mul(r, r);
  const single = a.facts.name === "float32";
  const sin = a.add(r, a.mul(r, z, a.polynomial(z, alternating(single ? 4 : 8, 3))));
  const cos = a.add(1, a.mul(z, a.polynomial(z, alternating(single ? 5 : 8, 2))));
  const quadrant = a.add(n, turn);
  const half = a.mul(quadrant, 0.5), quarter = a.mul(quadrant, 0.25);
  const odd = a.op("ne", half, a.op("floor", half));
  const behind = a.op("ge", a.sub(quarter, a.op("floor", quarter)), 0.5);
  const value = a.select(odd, cos, sin);
  const far = a.op(turn ? "cosine" : "sine", x);
  const inRange = a.op("le", a.op("abs", x), LARGEST_ANGLE[a.facts.name]);
  const near = a.select(behind, a.op("neg", value), value);
  const all = a.select(inRange, near, far);
  return turn ? all : a.select(a.op("eq", x, 0), x, all); // keeps -0
}

/** `−1/k!, 1/(k+2)!, …`: the series of sine or cosine from the term of order `first`. */
function alternating(terms: number, first: number): number[] {
  const factorial = (k: number): number => k < 2 ? 1 : k * factorial(k - 1);
  return Array.from({ length: terms }, (_, i) => (i % 2 ? 1 : -1) / factorial(first + 2 * i));
}

/** The angle of the point (x, y), between −π and π. */
export function angle(a: Algebra, y: Value, x: Value): Value {
  const [tall, wide] = [a.op("abs", y), a.op("abs", x)];
  const [large, small] = [a.op("max", tall, wide), a.op("min", tall, wide)];
  const ratio = a.select(a.op("eq", small, Infinity), 1, a.div(small, large));
  const t = a.select(a.op("eq", large, 0), 0, ratio);
  const steep = a.op("gt", t, Math.SQRT2 - 1);
  const reduced = a.select(steep, a.div(a.sub(t, 1), a.add(t, 1)), t);
  const z = a.mul(reduced, reduced);
  const terms = a.facts.name === "float32" ? 8 : 21;
  const series = a.polynomial(z, Array.from({ length: terms }, (_, i) => (i % 2 ? 1 : -1) / (2 * i + 3)));
  const low = a.add(reduced, a.mul(reduced, z, series));
  const octant = a.select(steep, a.add(low, Math.PI / 4), low);
  const quadrant = a.select(a.op("gt", tall, wide), a.sub(Math.PI / 2, octant), octant);
  const left = a.op("lt", a.withSign(a.value(1), x), 0);
  const size = a.select(left, a.sub(Math.PI, quadrant), quadrant);
  return a.select(a.op("eq", t, t), a.withSign(size, y), NaN);
}

/** The distance of the point (x, y) from the origin. */
export function distance(a: Algebra, x: Value, y: Value): Value {
  const [tall, wide] = [a.op("abs", y), a.op("abs", x)];
  const [large, small] = [a.op("max", tall, wide), a.op("min", tall, wide)];
  const ratio = a.div(small, large);
  const length = a.mul(large, a.op("sqrt", a.add(a.mul(ratio, ratio), 1)));
  const plain = a.select(a.op("eq", large, 0), 0, length);
  const infinite = a.op("either", a.op("eq", tall, Infinity), a.op("eq", wide, Infinity));
  return a.select(infinite, Infinity, plain); // also beside NaN
}

// Exponential, logarithm and power, computed only with rounded operations.
//
// ```
// exp x        n = round(x / ln 2), r = x − n ln 2 (in two parts), 2^n · Σ r^k / k!
// log x        x = m · 2^k with m in [√½, √2), f = m − 1, s = f / (2 + f),
//              log m = f − (f²/2 − s (f²/2 + R)), R = s² (2/3 + 2/5 s² + …)
// log1p x      u = 1 + x, log u · x / (u − 1): the errors of u cancel (Kahan)
// x ** y       2^(y log2 |x|), the product of y and k exact in two parts; the sign by y's parity
// ```

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
