/**
 * Sine, cosine, angle and distance, computed only with rounded operations.
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

import type { Graph, Value } from "./graph.ts";
import { LARGEST_ANGLE, type OperationName } from "./operations.ts";
import { bitsOf, type FloatFacts } from "./precision.ts";

/** A value, or a number that becomes a constant. */
export type Term = Value | number;

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
