/**
 * Sine, cosine, angle, logarithm and exponential that give the same bits everywhere. Those of `Math` depend on how a runtime was
 * built: of 20,000 arguments 8 (`log`) to 34 (`cos`) give another last bit in Chromium than in Deno, although both are V8.
 *
 * Errors are at most about one unit in the last place. Tables are in two parts, the second is what the first lacks.
 *
 * @module
 */

import {
  ANGLES,
  ANGLES_REST,
  type Coefficients,
  COSINE,
  LOGARITHMS,
  LOGARITHMS_REST,
  POWERS,
  POWERS_REST,
  SINE,
  TWO_OVER_PI,
} from "./tables.ts";

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer); // little-endian, as WebAssembly is

/** Up to here, multiples of the parts of π/2 are exact. */
const LARGE = 2 ** 20;

/** π/2 in four parts, so that a multiple of the first ones is exact. */
const QUARTER = [
  1.5707963267341256,
  6.077100506303966e-11,
  2.0222662487111665e-21,
  8.4784276603689e-32,
] as const;

/**
 * The sine of an angle in radians.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([sine(0), sine(Math.PI / 2)], [0, 1]);
 * ```
 */
export function sine(x: number): number {
  return Math.abs(x) < LARGE ? quarterWave(x, 0) : largeWave(x, 0);
}

/**
 * The cosine of an angle in radians.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([cosine(0), cosine(Math.PI)], [1, -1]);
 * ```
 */
export function cosine(x: number): number {
  return Math.abs(x) < LARGE ? quarterWave(x, 1) : largeWave(x, 1);
}

/** The sine of an angle and some more quarters of a turn. */
function quarterWave(x: number, quarters: number): number {
  const [p1, p2, p3, p4] = QUARTER;
  const n = Math.round(x * (2 / Math.PI));
  const r0 = x - n * p1;
  const w1 = n * p2, r1 = r0 - w1, e1 = r0 - r1 - w1;
  const w2 = n * p3, r2 = r1 - w2, e2 = r1 - r2 - w2;
  const r = n === 0 ? x : r2 + (e1 + e2 - n * p4);
  const q = (n + quarters) & 3;
  const value = (q & 1) === 0 ? smallSine(r) : smallCosine(r);
  return (q & 2) === 0 ? value : -value;
}

/** The same for large angles. */
function largeWave(x: number, quarters: number): number {
  if (!Number.isFinite(x)) return NaN;
  const [n, r, more] = quarterOf(Math.abs(x));
  const q = (x < 0 ? quarters - n : quarters + n) & 3;
  const sine = smallSine(r) + more * (1 - r * r / 2);
  const value = (q & 1) !== 0 ? smallCosine(r) - more * r : x < 0 ? -sine : sine;
  return (q & 2) === 0 ? value : -value;
}

/** 24 bits. */
const DIGIT = 2 ** 24;

/** Digits of a fraction of a quarter of a turn: enough where most of them are zero. */
const DIGITS = 8;

const digits = new Float64Array(4), product = new Float64Array(DIGITS + 1);

/**
 * The number of quarters of a turn in `x`, modulo 4, and the rest in two parts (Payne and Hanek 1983): x has four digits of 24 bits,
 * and of the product with 2/π only those digits are computed that do not mean whole turns.
 */
function quarterOf(x: number): [quarters: number, rest: number, more: number] {
  float[0] = x;
  const first = Math.floor(((words[1]! >>> 20) - 1023) / 24);
  let left = x * 2 ** (-24 * first);
  for (let j = 0; j < 4; j++) {
    digits[j] = Math.floor(left);
    left = (left - digits[j]!) * DIGIT;
  }
  for (let i = 0; i <= DIGITS; i++) {
    product[i] = 0;
    for (let j = 0, k = first - 1 + i; j < 4 && k >= 0; j++, k--) {
      product[i]! += digits[j]! * TWO_OVER_PI[k]!;
    }
  }
  for (let i = DIGITS; i > 0; i--) {
    const carry = Math.floor(product[i]! / DIGIT);
    product[i]! -= carry * DIGIT;
    product[i - 1]! += carry;
  }
  const above = product[1]! >= DIGIT / 2; // then the rest is negative
  if (above) { for (let i = 1; i <= DIGITS; i++) product[i] = DIGIT - 1 - product[i]!; }
  const [r, more] = quarterTimesProduct();
  return [(product[0]! % 4 + (above ? 1 : 0)) % 4, above ? -r : r, above ? -more : more];
}

/** The fraction of `product` times π/2, in two parts. */
function quarterTimesProduct(): [number, number] {
  let f = 0;
  for (let i = DIGITS; i > 0; i--) f = (f + product[i]!) / DIGIT;
  let lost = -f;
  for (let i = 1, unit = 1 / DIGIT; i <= DIGITS; i++, unit /= DIGIT) lost += product[i]! * unit;
  const p = f * (Math.PI / 2);
  const [a, b] = halves(f), [c, d] = halves(Math.PI / 2);
  const more = a * c - p + a * d + b * c + b * d + (f * (PI_REST / 2) + lost * (Math.PI / 2));
  const r = p + more;
  return [r, p - r + more];
}

/** A number as a sum of two with half as many bits (Dekker 1971). */
function halves(x: number): [number, number] {
  const large = x * (2 ** 27 + 1), high = large - (large - x);
  return [high, x - high];
}

function smallSine(r: number): number {
  const z = r * r;
  return r + r * z * polynomial(SINE, z);
}

function smallCosine(r: number): number {
  const z = r * r, half = z * 0.5, w = 1 - half;
  return w + (1 - w - half + z * z * polynomial(COSINE, z));
}

function polynomial([a, b, c, d, e, f]: Coefficients, z: number): number {
  return a + z * (b + z * (c + z * (d + z * (e + z * f))));
}

const PI_REST = 1.2246467991473532e-16;

/**
 * The angle of the point (x, y) in radians, from −π to π: the arc tangent of y/x in the right quadrant.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([angleOf(0, 1), angleOf(2, 0), angleOf(-3, -3)], [0, Math.PI / 2, -3 * Math.PI / 4]);
 * ```
 */
export function angleOf(y: number, x: number): number {
  const [ay, ax] = [Math.abs(y), Math.abs(x)];
  const large = Math.max(ay, ax);
  if (!(ay > 0 && ax > 0 && large < Infinity)) return Math.atan2(y, x); // multiples of π/2, or no number
  const scale = large > 2 ** 1000 ? 2 ** -100 : large < 2 ** -900 ? 2 ** 100 : 1;
  const angle = firstQuadrant(ay * scale, ax * scale, x < 0);
  return y < 0 ? -angle : angle;
}

/** The angle of (x, y), both positive; of (−x, y) if `mirrored`. */
function firstQuadrant(y: number, x: number, mirrored: boolean): number {
  const swapped = y > x;
  const [small, large] = swapped ? [x, y] : [y, x];
  const k = Math.round(8 * small / large), t = k / 8;
  const u = (small - t * large) / (large + t * small), z = u * u;
  const tail = u * z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z / 13)))));
  let high = ANGLES[k]!, low = u + (tail + ANGLES_REST[k]!);
  if (swapped) [high, low] = [Math.PI / 2 - high, PI_REST / 2 - low];
  if (mirrored) [high, low] = [Math.PI - high, PI_REST - low];
  return high + low;
}

/** Logarithm of 2: a multiple of the first part is exact. */
const LN2 = 0.6931471803691238, LN2_REST = 1.9082149292705877e-10;

/** The first entry of the tables of logarithms is that of {@link FIRST}/32. */
const FIRST = 22;

/**
 * The natural logarithm.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([logarithm(1), logarithm(2), logarithm(0)], [0, Math.LN2, -Infinity]);
 * ```
 */
export function logarithm(x: number): number {
  if (!(x > 0 && x < Infinity)) return Math.log(x); // no number, or an infinite one
  float[0] = x < 2 ** -1000 ? x * 2 ** 60 : x;
  let exponent = (words[1]! >>> 20) - 1023 - (x < 2 ** -1000 ? 60 : 0);
  words[1] = words[1]! & 0xfffff | 0x3ff00000;
  let m = float[0]!;
  if (m > Math.SQRT2) [m, exponent] = [m / 2, exponent + 1];
  const k = Math.round(32 * m), c = k / 32;
  const f = (m - c) / (m + c), z = f * f;
  const tail = 2 * f * z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z / 9)));
  const low = 2 * f + (tail + (LOGARITHMS_REST[k - FIRST]! + exponent * LN2_REST));
  return exponent * LN2 + LOGARITHMS[k - FIRST]! + low;
}

/** Logarithm of 2 divided by 32: a multiple of the first part is exact. */
const STEP = 0.02166084938653512, STEP_REST = 5.9631716539705866e-12;

/**
 * e to the power of `x`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([exponential(0), exponential(-Infinity)], [1, 0]);
 * ```
 */
export function exponential(x: number): number {
  if (!(x > -708 && x < 709)) return Math.exp(x); // NaN, overflow or underflow
  const n = Math.round(x / (STEP + STEP_REST));
  const r = x - n * STEP - n * STEP_REST;
  const p = r + r * r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r / 720))));
  const high = POWERS[n & 31]!;
  words[0] = 0;
  words[1] = ((n >> 5) + 1023) << 20;
  return (high + (POWERS_REST[n & 31]! + high * p)) * float[0]!;
}
