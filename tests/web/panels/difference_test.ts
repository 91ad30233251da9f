/** Comparisons against sums that are written out. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { NDArray } from "../../../mod.ts";
import { comparisonOf, differenceOf, mismatch, unitsOf } from "../../../web/panels/compare/difference.ts";
import { short, statisticsOf } from "../../../web/panels/analysis/statistics.ts";
import { congruential } from "../../udf/blobfinder/frames.ts";

const AXES = [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }] as const;

function array(data: NDArray["data"], shape: readonly number[], dtype: string, valid?: Uint8Array): NDArray {
  return { data, shape, stride: [shape[1]!, 1], dtype, ...(valid ? { valid } : {}) } as NDArray;
}

const image = (one: NDArray, unit?: string) => ({
  array: one,
  title: "a",
  axes: AXES,
  ...(unit ? { unit } : {}),
});

const random = congruential(9);
const noise = (length: number) => Array.from({ length }, () => 20 * random.next().value! - 10);

Deno.test("differences and figures are those of plain sums, also with holes, NaN and large offsets", () => {
  for (const offset of [0, 1e9]) {
    const [a, b] = [noise(30), noise(30)].map((list) => list.map((value) => value + offset)) as [
      number[],
      number[],
    ];
    a[3] = NaN;
    b[7] = Infinity;
    const valid = Uint8Array.from(a, (_, i) => i === 11 ? 0 : 1);
    const [first, second] = [
      image(array(Float64Array.from(a), [5, 6], "float64", valid), "px"),
      image(array(Float64Array.from(b), [5, 6], "float64"), "px"),
    ];
    const difference = differenceOf(first, second)!;
    assert("array" in difference);
    assertEquals([...difference.array.data], a.map((value, i) => value - b[i]!));
    assertEquals([difference.unit, [...difference.array.valid!]], ["px", [...valid]]);
    const used = a.flatMap((value, i) => [3, 7, 11].includes(i) ? [] : [[value, b[i]!] as const]);
    const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
    const d = used.map(([x, y]) => x - y);
    const [ma, mb] = [mean(used.map(([x]) => x)), mean(used.map(([, y]) => y))];
    const product = (f: (x: number, y: number) => number) => mean(used.map(([x, y]) => f(x - ma, y - mb)));
    const found = comparisonOf(first, second);
    assertEquals([found.count, found.unequal, found.most], [27, 27, Math.max(...d.map(Math.abs))]);
    assertAlmostEquals(found.mean, mean(d), 1e-9);
    assertAlmostEquals(found.rms, Math.sqrt(mean(d.map((value) => value ** 2))), 1e-9);
    const correlation = product((x, y) => x * y) /
      Math.sqrt(product((x) => x * x) * product((_, y) => y * y));
    assertAlmostEquals(found.correlation, correlation, 1e-6);
  }
});

Deno.test("integers of 64 bits, complex numbers and vectors are compared, others refused with a reason", () => {
  const whole = image(array(BigInt64Array.of(1n, 2n), [1, 2], "int64"));
  const complex = image(array(Float32Array.of(3, 4, 0, 0), [1, 2], "complex64"));
  const one = differenceOf(complex, whole)!;
  assert("array" in one);
  assertEquals([one.array.dtype, [...one.array.data]], ["complex128", [2, 4, -2, 0]]);
  assertEquals(comparisonOf(complex, whole).most, 4);
  const vectors = { y: whole.array, x: whole.array, title: "v", axes: AXES };
  assertEquals([...(differenceOf(vectors, vectors) as typeof vectors).x.data].map(Number), [0, 0]);
  assertEquals(comparisonOf(vectors, vectors).unequal, 0);
  assertEquals(mismatch(vectors, whole), "One is a field of vectors, the other has one number per pixel.");
  const other = image(array(Uint8Array.of(1, 2), [2, 1], "uint8"));
  assertEquals([mismatch(whole, other), differenceOf(whole, other)], [
    "They differ in size: 1 × 2 and 2 × 1 pixels.",
    undefined,
  ]);
});

Deno.test("statistics are those of the valid and finite values", () => {
  const values = Float32Array.of(1, NaN, 5, 100, 3, Infinity);
  const found = statisticsOf(array(values, [2, 3], "float32", Uint8Array.of(1, 1, 1, 0, 1, 1)));
  assertEquals(found, { count: 3, others: 3, min: 1, max: 5, mean: 3, deviation: Math.sqrt(8 / 3) });
  assert(Number.isNaN(statisticsOf(array(new Float32Array(0), [0, 0], "float32")).min));
  const byRow = statisticsOf(array(Uint8Array.of(1, 2, 3, 4), [2, 2], "uint8", Uint8Array.of(0, 1)));
  assertEquals([byRow.count, byRow.min], [2, 3]);
  assertEquals([0, -12, 1 / 3, 1e-9, 1.5e12, NaN].map(short), [
    "0",
    "-12",
    "0.33333",
    "1.000e-9",
    "1.500e+12",
    "–",
  ]);
});

Deno.test("different units are told, unknown ones are not", () => {
  assertEquals(unitsOf({ unit: "px" }, { unit: "px" }), undefined);
  assertEquals(unitsOf({ unit: "px" }, {}), undefined);
  assertEquals(unitsOf({ unit: "rad" }, { unit: "px" })?.startsWith("Their units differ: rad and px."), true);
});
