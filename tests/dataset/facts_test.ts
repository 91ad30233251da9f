import { assertEquals } from "@std/assert";
import { axesOf, known } from "../../src/dataset/facts.ts";
import { readDType } from "../../src/dataset/read_dtype.ts";
import type { DType } from "../../src/space/dtype.ts";

Deno.test("axes have names and sizes whatever is known of them", () => {
  assertEquals(axesOf([2, 3], [4, 5], []).map(({ name, size }) => [name, size]), [
    ["y", 2],
    ["x", 3],
    ["ky", 4],
    ["kx", 5],
  ]);
  assertEquals(axesOf([], [9], []).map(({ name }) => name), ["k"]);
  assertEquals(axesOf([1, 2, 3, 4, 5], [6], []).map(({ name }) => name), [
    "nav0",
    "nav1",
    "z",
    "y",
    "x",
    "k",
  ]);
});

Deno.test("facts are taken where there are as many as dimensions, units in one spelling", () => {
  const facts = [{ name: "row", scale: 2, offset: -1, unit: "um" }, undefined, { scale: 0, unit: "nm" }];
  assertEquals(axesOf([2], [3, 4], facts), [
    { name: "row", size: 2, scale: 2, offset: -1, unit: "\u00b5m" },
    { name: "ky", size: 3 },
    { name: "kx", size: 4 },
  ]);
  assertEquals(axesOf([6], [4], facts).map(({ scale }) => scale), [undefined, undefined]);
});

Deno.test("facts that are zero, not a number or empty are not known", () => {
  assertEquals(
    known({ voltage: 0, exposure: NaN, detector: "", magnification: 5, binning: [1, 1], pixelSize: [0, 0] }),
    {
      magnification: 5,
      binning: [1, 1],
    },
  );
});

const ROWS: readonly [DType, (DType | "native")[], boolean, DType][] = [
  ["uint8", ["float32"], false, "float32"],
  ["int8", ["float32"], false, "float32"],
  ["uint16", ["float32"], false, "float32"],
  ["uint32", ["float32"], false, "float64"],
  ["int64", ["float32"], false, "float64"],
  ["complex64", ["float32"], false, "complex64"],
  ["float32", ["int32"], false, "float64"],
  ["uint32", ["native"], true, "float64"],
  ["uint16", ["native"], true, "float32"],
  ["uint16", ["native", "native"], false, "uint16"],
  ["uint8", ["native", "int16", "float32"], false, "float32"],
];

for (const [stored, preferred, corrected, expected] of ROWS) {
  Deno.test(`${stored} for ${preferred}${corrected ? ", corrected," : ""} is read as ${expected}`, () => {
    assertEquals(readDType(stored, preferred, corrected), expected);
  });
}
