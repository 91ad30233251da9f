/** Functions of expressions against those of `Math`: error bounds, and what happens at the ends. */

import { assert, assertEquals } from "@std/assert";
import { compileExpression } from "./compiled_expression.ts";
import type { Precision } from "../../src/expr/program/precision.ts";

const EPSILON = { float32: 2 ** -23, float64: 2 ** -52 } as const;

function of(text: string, precision: Precision, samples: readonly number[]): number[] {
  const array = precision === "float32" ? Float32Array.from(samples) : Float64Array.from(samples);
  return [...compileExpression(text, { dtype: precision, precision }).run({ samples: array }).value!];
}

/** Numbers between two ends, evenly or by factors. */
function between(low: number, high: number, count: number, byFactor = false): number[] {
  const step = (i: number) => i / (count - 1);
  return Array.from(
    { length: count },
    (_, i) => byFactor ? low * (high / low) ** step(i) : low + (high - low) * step(i),
  );
}

interface Bound {
  readonly text: string;
  readonly math: (x: number) => number;
  readonly samples: readonly number[];
  /** Largest error in units of the last place of the result, or of 1 if `absolute`. */
  readonly most: number;
  readonly absolute?: boolean;
}

const BOUNDS: readonly Bound[] = [
  { text: "exp(x)", math: Math.exp, samples: between(-80, 80, 20001), most: 1.5 },
  { text: "log(x)", math: Math.log, samples: between(1e-36, 1e36, 20001, true), most: 1.5 },
  { text: "log(x)", math: Math.log, samples: between(0.5, 2, 20001), most: 1.5 },
  { text: "log1p(x)", math: Math.log1p, samples: between(-0.999, 100, 20001), most: 3 },
  { text: "log1p(x)", math: Math.log1p, samples: between(1e-30, 1e-3, 2001, true), most: 3 },
  { text: "sin(x)", math: Math.sin, samples: between(-9000, 9000, 20001), most: 1, absolute: true },
  { text: "cos(x)", math: Math.cos, samples: between(-9000, 9000, 20001), most: 1, absolute: true },
  { text: "sin(x)", math: Math.sin, samples: between(-0.8, 0.8, 20001), most: 1.5 },
  { text: "atan2(x, 3)", math: (x) => Math.atan2(x, 3), samples: between(-50, 50, 20001), most: 2 },
  { text: "atan2(x, -3)", math: (x) => Math.atan2(x, -3), samples: between(-50, 50, 20001), most: 2 },
  { text: "hypot(x, 3)", math: (x) => Math.hypot(x, 3), samples: between(-50, 50, 20001), most: 2 },
  { text: "x ** 2.25", math: (x) => x ** 2.25, samples: between(1e-8, 1e8, 20001, true), most: 4 },
  { text: "1.0625 ** x", math: (x) => 1.0625 ** x, samples: between(-300, 300, 20001), most: 16 },
  { text: "x ** 3", math: (x) => x ** 3, samples: between(-50, 50, 2001), most: 2 },
  { text: "x ** -1.5", math: (x) => x ** -1.5, samples: between(0.01, 50, 2001), most: 3 },
];

for (const precision of ["float32", "float64"] as const) {
  Deno.test(`${precision}: errors stay within their bounds`, () => {
    for (const { text, math, samples, most, absolute } of BOUNDS) {
      const exact = precision === "float32" ? samples.map(Math.fround) : samples;
      const found = of(text, precision, exact);
      found.forEach((value, i) => {
        const expected = math(exact[i]!);
        const unit = EPSILON[precision] * (absolute ? 1 : Math.abs(expected));
        const error = Math.abs(value - expected) / unit;
        assert(error <= most || value === expected, `${text} of ${exact[i]}: ${value}, ${error} units`);
      });
    }
  });

  Deno.test(`${precision}: the ends`, () => {
    const ends = [0, -0, 1, -1, Infinity, -Infinity, NaN, 4];
    const same = (text: string, math: (x: number) => number, samples = ends) =>
      assertEquals(of(text, precision, samples), samples.map(math), text);
    same("exp(x)", Math.exp, [0, -0, Infinity, -Infinity, NaN, 1000, -1000]);
    same("log(x)", Math.log, [0, -0, 1, -1, Infinity, -Infinity, NaN]);
    same("log1p(x)", Math.log1p, [0, -0, -1, -2, Infinity, NaN]);
    same("sqrt(x)", Math.sqrt);
    same("sin(x)", Math.sin, [0, -0, Infinity, -Infinity, NaN]);
    same("hypot(x, 0)", (x) => Math.abs(x));
    same("atan2(0, x)", (x) => Number.isNaN(x) ? NaN : x > 0 || Object.is(x, 0) ? 0 : pi(precision));
    same("x ** 0", () => 1);
    same("pow(x, 0 * x)", (x) => Number.isFinite(x) ? 1 : NaN);
    same("pow(abs(x), 2.5)", (x) => Math.abs(x) ** 2.5, [0, 1, 4, Infinity, NaN]);
    same("pow(abs(x), -2.5)", (x) => Math.abs(x) ** -2.5, [0, 1, 4, Infinity, NaN]);
    same("pow(-2, x)", (x) => (-2) ** x, [3, 4, 0.5, -1, 0]);
    same("pow(2, x)", (x) => 2 ** x, [0, 1, 10, -10, Infinity, -Infinity, 100000, -100000]);
    same("round(x)", (x) => x, [2, -2, 0]);
    assertEquals(of("round(x)", precision, [0.5, 1.5, 2.5, -0.5, -1.5]), [0, 2, 2, -0, -2]);
    assertEquals(of("min(x, 2)", precision, [NaN, 1, 3]), [NaN, 1, 2]);
    assertEquals(of("max(2, x)", precision, [NaN, 1, 3]), [NaN, 2, 3]);
    assertEquals(of("clamp(x, 0, 1)", precision, [NaN, -1, 0.5, 3]), [NaN, 0, 0.5, 1]);
    assertEquals(of("x / 0", precision, [1, -1, 0]), [Infinity, -Infinity, NaN]);
    assertEquals(of("!x", precision, [0, -0, 1, NaN]), [1, 1, 0, 0]);
    assertEquals(of("x > 1 && x < 3 || x == 9", precision, [1, 2, 3, 9]), [0, 1, 0, 1]);
    assertEquals(of("x ? -x : 5", precision, [0, 2]), [5, -2]);
  });
}

/** Numbers of a fixture. */
type Numbers = readonly (number | string)[];

interface Extremes {
  readonly x: Numbers;
  readonly unary: Readonly<Record<string, Numbers>>;
  readonly a: Numbers;
  readonly b: Numbers;
  readonly binary: Readonly<Record<string, Numbers>>;
}

const numbersOf = (all: Numbers) =>
  all.map((one) =>
    typeof one === "number" ? one : one === "nan" ? NaN : one === "inf" ? Infinity : -Infinity
  );

Deno.test("where numbers are large, small, or none, functions are those of NumPy", async () => {
  const text = await Deno.readTextFile(new URL("./extremes.json", import.meta.url)); // by make_extremes.py
  const fixture = JSON.parse(text) as Record<Precision, Extremes>;
  for (const precision of ["float32", "float64"] as const) {
    const { x, unary, a, b, binary } = fixture[precision];
    const array = (all: Numbers) =>
      (precision === "float32" ? Float32Array : Float64Array).from(numbersOf(all));
    const least = precision === "float32" ? 2 ** -149 : 2 ** -1074;
    const compare = (text: string, found: ArrayLike<number>, wanted: Numbers, args: readonly Numbers[]) =>
      numbersOf(wanted).forEach((want, i) => {
        const unit = Math.max(Math.abs(want) * EPSILON[precision], least);
        const isNear = want !== 0 && Math.abs(found[i]! - want) <= 8 * unit;
        const at = args.map((all) => all[i]).join(", ");
        assert(
          Object.is(found[i], want) || isNear,
          `${precision} ${text} of ${at}: ${found[i]}, NumPy ${want}`,
        );
      });
    for (const [text, wanted] of Object.entries(unary)) {
      compare(text, of(text, precision, numbersOf(x)), wanted, [x]);
    }
    for (const [text, wanted] of Object.entries(binary)) {
      const options = { dtype: precision, precision, arrays: ["y"] } as const;
      const given = { samples: array(a), shape: [1, a.length], arrays: { y: array(b) } } as const;
      compare(text, [...compileExpression(text, options).run(given).value!], wanted, [a, b]);
    }
  }
});

Deno.test("sine and cosine of angles of all sizes are right in every lane, beside small ones", () => {
  for (const precision of ["float32", "float64"] as const) {
    const most = precision === "float32" ? 1e38 : 1e307;
    const large = between(1e4, most, 4001, true).map((x, i) => i % 3 === 0 ? x % 7 : i % 2 ? -x : x);
    const exact = precision === "float32" ? large.map(Math.fround) : large;
    const [sines, cosines] = [of("sin(x)", precision, exact), of("cos(x)", precision, exact)];
    exact.forEach((x, i) => {
      assert(Math.abs(sines[i]! - Math.sin(x)) <= EPSILON[precision], `sin ${x}`);
      assert(Math.abs(cosines[i]! - Math.cos(x)) <= EPSILON[precision], `cos ${x}`);
    });
  }
});

function pi(precision: Precision): number {
  return precision === "float32" ? Math.fround(Math.PI) : Math.PI;
}

Deno.test("integer and half powers are products and roots", () => {
  const samples = Array.from({ length: 50 }, (_, i) => i - 20.5);
  assertEquals(of("x ** 2", "float64", samples), samples.map((x) => x * x));
  assertEquals(of("x ** 3", "float64", samples), samples.map((x) => x * (x * x)));
  assertEquals(of("x ** -1", "float64", samples), samples.map((x) => 1 / x));
  assertEquals(of("x ** 0.5", "float64", samples), samples.map(Math.sqrt));
});
