import { assertEquals } from "@std/assert";
import { readDType } from "../../src/dataset/read_dtype.ts";
import type { DType } from "../../src/space/dtype.ts";

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
