/** The language: precedence, constants, names, shapes; and errors that say where and what. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { isTilewiseError } from "../../src/errors.ts";
import { analyse } from "../../src/expr/language/analysis.ts";
import { compileExpression } from "./compiled_expression.ts";
import { Graph } from "../../src/expr/program/graph.ts";
import { lower } from "../../src/expr/program/program.ts";
import { compile } from "./run_both.ts";

function valueOf(text: string): number {
  return compileExpression(text, { dtype: "float64" }).run({ samples: Float64Array.of(6) }).value![0]!;
}

Deno.test("precedence and associativity", () => {
  const cases: Record<string, number> = {
    "1 + 2 * 3": 7,
    "(1 + 2) * 3": 9,
    "2 - 3 - 4": -5,
    "16 / 4 / 2": 2,
    "2 ** 3 ** 2": 512,
    "-2 ** 2": -4,
    "(-2) ** 2": 4,
    "2 ** -1": 0.5,
    "1 < 2 && 3 > 4 || 5 != 5": 0,
    "!0 + 1": 2,
    "1 ? 2 : 0 ? 3 : 4": 2,
    "0 ? 2 : 0 ? 3 : 4": 4,
    "+x - -x": 12,
    "1e2 + .5 + 2.": 102.5,
    "max(1, x, 3)": 6,
    "pi * e": Math.PI * Math.E,
    "\n x\t*2 ": 12,
  };
  for (const [text, expected] of Object.entries(cases)) assertEquals(valueOf(text), expected, text);
});

const MISTAKES: readonly [text: string, column: number, expected: RegExp][] = [
  ["", 1, /a number, a name/],
  ["x +", 4, /a number, a name/],
  ["sqrt(x", 7, /"," or "\)"/],
  ["(x", 3, /the "\)" of column 1/],
  ["x ? 1", 6, /":" of the choice that began at column 3/],
  ["x x", 3, /an operator or the end/],
  ["1 < x < 3", 7, /a < b && b < c/],
  ["x ^ 2", 3, /"\*\*" for a power/],
  ["x = 2", 3, /"==" for a comparison/],
  ["x & 2", 3, /"&&"/],
  ["x # 2", 3, /numbers, names/],
  ["sqr(x)", 1, /^"sqrt"\?/],
  ["frames.summ(x)", 1, /^"frames\.sum"\?/],
  ["x * gian", 5, /^"gain"\? There are .*gain, dark, t/],
  ["zebra", 1, /^one of x, row/],
  ["sqrt(x, 2)", 1, /^1 argument$/],
  ["clamp(x)", 1, /^3 arguments$/],
  ["sum()", 1, /^1 argument$/],
  ["sum(max(x))", 5, /no reduction inside another/],
  ["x - mean(x)", 1, /such as sum\(x\)/],
  ["frame + sum(x)", 1, /such as sum\(frame\)/],
  ["sum(x) + frames.sum(x)", 8, /reductions of one kind/],
  ["sum(x) * gain", 8, /reductions of one kind/],
  ["toString(x)", 1, /./],
  ["constructor", 1, /./],
];

Deno.test("mistakes are errors that say where and what", () => {
  for (const [text, column, expected] of MISTAKES) {
    const error = failure(text);
    assert(isTilewiseError(error, "invalid"), text);
    assertEquals(error.details.column, column, text);
    assert(expected.test(String(error.details.expected)), `${text}: ${error.message}`);
    assert(error.message.includes(`column ${column}`));
  }
});

function failure(text: string): unknown {
  try {
    return analyse(text, { arrays: ["gain", "dark"], params: ["t"] });
  } catch (error) {
    return error;
  }
}

Deno.test("long and deep expressions end in an error or a kernel", () => {
  for (
    const text of ["(".repeat(5000), "-".repeat(5000) + "x", "sqrt(".repeat(300) + "x", "x?".repeat(900)]
  ) {
    assert(isTilewiseError(failure(text), "invalid"), text.slice(0, 20));
  }
  const long = Array.from({ length: 900 }, () => "x").join(" + ");
  assertEquals(valueOf(long), 5400);
  assertThrows(
    () => compile(Array.from({ length: 240 }, (_, i) => `sin(x*${i})`).join("+"), { dtype: "uint8" }),
    Error,
    "6000 operations",
  );
});

const WORDS = [
  "x",
  "gain",
  "sum",
  "frames",
  ".",
  "(",
  ")",
  ",",
  "+",
  "-",
  "**",
  "?",
  ":",
  "<",
  "&&",
  "!",
  "2",
  "1e3",
  "sqrt",
  "max",
  "é",
  "\0",
];

Deno.test("any text ends in a typed error or a kernel", () => {
  const compiles = (text: string) => {
    try {
      compile(text, { dtype: "uint16", arrays: ["gain"] }).bind(new WebAssembly.Memory({ initial: 1 }));
    } catch (error) {
      assert(isTilewiseError(error, "invalid"), `${JSON.stringify(text)}: ${error}`);
    }
  };
  fc.assert(fc.property(fc.string({ maxLength: 40 }), compiles), { seed: 1, numRuns: 2000 });
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((list) => list.join(" "));
  fc.assert(fc.property(words, compiles), { seed: 2, numRuns: 4000 });
});

Deno.test("constants are folded, equal parts computed once", () => {
  const program = (text: string) => lower(analyse(text, { params: ["t"] }), "float32");
  assertEquals(program("x * 1 - 0").maps[0]!.name, "sample");
  assertEquals(program("sqrt(4) + 3 * 2").maps[0]!.constant, 8);
  assertEquals(program("1 / 3").maps[0]!.constant, Math.fround(1 / 3));
  assertEquals(program("1 > 0 ? x : log(x)").maps[0]!.name, "sample");
  const twice = program("(x - t) * (x - t)").maps[0]!;
  assertEquals(twice.operands[0], twice.operands[1]);
  assertEquals(program("x / 8").maps[0]!.name, "mul");
  assertEquals(program("x / 3").maps[0]!.name, "div");
  const { reductions } = lower(
    analyse({ a: "sum(x * x)", b: "mean(x ** 2)", c: "count(x > 1) + sum(x > 1)" }),
    "float32",
  );
  assertEquals(reductions.map(({ how }) => how), ["sum", "count"]);
});

Deno.test("signed zeros survive the simplifier", () => {
  const graph = new Graph("float64");
  const x = graph.leaf("sample");
  assertEquals(graph.op("add", x, graph.constant(0)).name, "add"); // -0 + 0 is 0
  assertEquals(graph.op("add", x, graph.constant(-0)), x);
  assertEquals(graph.op("sub", x, graph.constant(0)), x);
  assertEquals(graph.op("sub", x, graph.constant(-0)).name, "sub");
});

Deno.test("functions check what they are given", () => {
  const sum = compileExpression("sum(x * gain) + t", { dtype: "uint8", arrays: ["gain"], params: ["t"] });
  const samples = Uint8Array.of(1, 2, 3, 4);
  const good = { samples, shape: [2], arrays: { gain: [10, 1] }, params: { t: 0.5 } };
  assertEquals([...sum.run(good).value!], [12.5, 34.5]);
  assertEquals(sum.runPlain(good), sum.run(good));
  assertThrows(() => sum.run({ ...good, shape: [3] }), Error, "not a whole number of frames");
  assertThrows(() => sum.run({ ...good, arrays: {} }), Error, 'array "gain" has no numbers');
  assertThrows(() => sum.run({ ...good, params: {} }), Error, 'parameter "t" is not a number');
  assertThrows(() => sum.run({ ...good, samples: Uint16Array.of(1, 2) }), Error, "compiled for uint8");
  assertThrows(() => compileExpression("x", { dtype: "complex64" }), Error, "must be real");
  assertThrows(
    () => compileExpression("x", { dtype: "uint8", arrays: ["x"] }),
    Error,
    "means something else",
  );
  const { a, b } = compileExpression({ a: "frames.mean(x)", b: "max(frame * x)" }, { dtype: "uint8" })
    .run({ samples, shape: [2] });
  assertEquals([[...a!], [...b!]], [[2, 3], [0, 4]]);
});
