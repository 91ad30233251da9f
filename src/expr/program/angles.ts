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

import type { Algebra } from "./algebra.ts";
import type { Value } from "./graph.ts";
import { LARGEST_ANGLE } from "./operations.ts";

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
