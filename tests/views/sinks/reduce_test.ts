/** Levels of pyramids: the fast way and the definition agree. */

import { assertEquals, assertThrows } from "@std/assert";
import type { DType } from "../../../src/space/dtype.ts";
import { levelsOf } from "../../../src/sinks/chunks/levels.ts";
import { reduced, reductionFor, REDUCTIONS } from "../../../src/sinks/chunks/reduce.ts";
import { halved, samplesOf } from "./data.ts";

const DTYPES: readonly DType[] = [
  "bool",
  "uint8",
  "int16",
  "uint32",
  "int32",
  "int64",
  "float32",
  "complex64",
];

Deno.test("halved samples are those of the definition, at odd ends and in any dimension as well", () => {
  const shapes = [[4, 6], [5, 7], [1, 9], [3, 4, 5], [2, 3, 5, 3]];
  for (const dtype of DTYPES) {
    for (const shape of shapes) {
      for (const halvedFirst of [0, 1, 2]) {
        const factors = shape.map((n, d) => n > 1 && d >= halvedFirst && d < halvedFirst + 2 ? 2 : 1);
        for (const how of REDUCTIONS) {
          if (how === "max" && dtype === "complex64") continue;
          const data = samplesOf(shape, dtype);
          const expected = halved(data, dtype, shape, factors, how).data;
          assertEquals(
            reduced(data, dtype, shape, factors, how),
            expected,
            `${dtype} ${shape} ${factors} ${how}`,
          );
        }
      }
    }
  }
});

Deno.test("means of integers go to the nearest, and to the even one of two", () => {
  const mean = (...four: number[]) => [...reduced(Int8Array.from(four), "int8", [2, 2], [2, 2], "mean")];
  assertEquals([mean(1, 1, 1, 3), mean(0, 0, 1, 1), mean(1, 1, 2, 2), mean(3, 3, 4, 4)], [[2], [0], [2], [
    4,
  ]]);
  assertEquals([mean(-1, -1, 0, 0), mean(-1, -2, -1, -2), mean(-1, 0, 0, 0)], [[0], [-2], [0]]);
  assertThrows(
    () => reductionFor("max", { kind: "amount" }, "complex64"),
    Error,
    "complex numbers have no order",
  );
  assertThrows(() => reductionFor("mean", { kind: "label" }, "uint32"), Error, "names have no mean");
});

Deno.test("levels end when one fits into a chunk; chunks that cannot be halved are refused", () => {
  const count = (shape: number[], chunk: number[]) => levelsOf(shape, chunk, [0, 1], "auto").length;
  assertEquals([count([64, 64], [64, 64]), count([65, 10], [64, 64]), count([1, 1000], [8, 8])], [1, 2, 8]);
  assertEquals(levelsOf([8, 8], [8, 8], [0, 1], 3).map(({ shape }) => shape), [[8, 8], [4, 4], [2, 2]]);
  assertEquals(levelsOf([1, 1], [8, 8], [0, 1], 3).length, 1);
  assertThrows(() => levelsOf([64, 64], [7, 8], [0, 1], 2), Error, "even sizes");
});
