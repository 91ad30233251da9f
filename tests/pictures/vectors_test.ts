import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { lightnessOf } from "./lightness.ts";
import { vectorPicture } from "../../src/pictures/vectors.ts";
import { ndarray } from "../../src/space/ndarray.ts";

const row = (...values: number[]) => ndarray(Float64Array.from(values), [1, values.length], "float64");

Deno.test("longer vectors are lighter, and opposite directions differ in colour", () => {
  const { data } = vectorPicture(row(0, 0, 0, 0), row(0, 1, 2, -2));
  const light = [0, 1, 2].map((i) => lightnessOf(data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!));
  assert(light[0]! < light[1]! && light[1]! < light[2]!);
  const [right, left] = [data.subarray(8, 11), data.subarray(12, 15)];
  assert(right[0]! > right[2]! && left[2]! > left[0]!, `${right} and ${left}`);
});

Deno.test("vectors longer than the longest look like it; nothing is shown where a part is missing", () => {
  const { data } = vectorPicture(row(3, 9, NaN), row(0, 0, 1), 3);
  assertEquals(data.subarray(0, 4), data.subarray(4, 8));
  assertEquals(data[11], 0);
});

Deno.test("components of different shape are refused", () => {
  assertThrows(() => vectorPicture(row(1), row(1, 2)), TilewiseError, "1 × 1 and 1 × 2");
});
