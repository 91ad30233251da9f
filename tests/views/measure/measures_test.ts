/** Measurements, histograms, percentiles and Otsu's threshold are those of SciPy, NumPy and scikit-image. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { open } from "../../../src/formats/open.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { histogramOf, otsu, otsuThreshold, percentiles } from "../../../src/views/measure/histogram.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { measure } from "../../../src/views/measure/measure.ts";
import { memoryArray } from "../data.ts";
import MEASURES from "./measures.json" with { type: "json" };

const numbers = (text: string) => text === "" ? [] : text.split(" ").map(Number);

/** Numbers as the recording has them: nine digits. */
function close(found: ArrayLike<number>, expected: string, what = ""): void {
  const known = numbers(expected);
  assertEquals(found.length, known.length, what);
  for (const [i, value] of known.entries()) {
    assertAlmostEquals(found[i]!, value, 1e-8 * Math.max(1, Math.abs(value)), `${what} ${i}`);
  }
}

Deno.test("areas, centroids, boxes, means and extremes are those of SciPy, in any budget", async () => {
  for (const { shape, labels, samples, ...expected } of MEASURES.measures) {
    const [found, values] = [numbers(labels), numbers(samples)];
    for (const memory of ["1MiB", "12KiB"]) {
      await using context = new RunContext({ workers: 0, memory });
      const names = memoryArray(shape, "uint32", (i) => found[i]!);
      const others = memoryArray(shape, "int16", (i) => values[i]!, "big");
      const table = await measure(names, others, { context });
      const { centroid, origin, size, area, mean, min, max, count } = table;
      assertEquals(count, numbers(expected.area).length);
      for (const { shape: sizes } of [centroid, origin, size]) assertEquals(sizes, [count, shape.length]);
      close(area, expected.area, "area");
      close(centroid.data, expected.centroid, "centroid");
      close(origin.data, expected.origin, "origin");
      close(size.data, expected.size, "size");
      close(mean!, expected.mean, "mean");
      close(min!, expected.min, "min");
      close(max!, expected.max, "max");
      const alone = await measure(names, undefined, { context });
      assertEquals([alone.area, alone.mean], [area, undefined]);
      await context.settled();
      assertEquals(context.arena.used, 0);
    }
  }
});

Deno.test("labels are those that occur, in any type and however far apart, as numpy.unique counts them", async () => {
  await using context = new RunContext({ workers: 0, memory: "64KiB" });
  const ids = [0n, 864691135335110001n, 5n, 864691135335110000n, 864691135335110000n, 0n, 2n ** 64n - 1n, 5n];
  const labels = await open({ data: BigUint64Array.from(ids), shape: [2, 4], dtype: "uint64" });
  const found = await measure(labels, undefined, { context });
  assertEquals(found.labels, BigUint64Array.of(5n, 864691135335110000n, 864691135335110001n, 2n ** 64n - 1n));
  assertEquals([[...found.area], [...found.origin.data]], [[2, 2, 1, 1], [0, 2, 0, 0, 0, 1, 1, 2]]);
  const far = await measure(memoryArray([4], "uint32", (i) => [4e9, 1, 0, 4e9][i]!), undefined, { context });
  assertEquals([far.count, [...far.labels], [...far.area]], [2, [1, 4e9], [1, 2]]);
  const flags = await measure(memoryArray([4], "bool", (i) => i % 2), undefined, { context });
  assertEquals([[...flags.labels], [...flags.area]], [[1], [2]]);
});

Deno.test("labels that are left out have no row; what is not a label is refused", async () => {
  await using context = new RunContext({ workers: 0 });
  const labels = memoryArray([5], "uint8", (i) => [0, 3, 3, 1, 0][i]!);
  const { count, labels: met, area, mean, min, size } = await measure(labels, labels, { context });
  assertEquals([count, [...met], [...area], [...mean!], [...min!]], [2, [1, 3], [1, 2], [1, 3], [1, 3]]);
  assertEquals([...size.data], [1, 2]);
  const nothing = await measure(memoryArray([2, 0], "uint8"), undefined, { context });
  assertEquals([nothing.count, nothing.centroid.shape], [0, [0, 2]]);
  const refused = async (work: Promise<unknown>, code: string, text: string) =>
    assertEquals((await assertRejects(() => work, TilewiseError, text)).code, code);
  const negative = memoryArray([2, 2], "int16", (i) => i === 3 ? -4 : 0);
  await refused(measure(negative, undefined, { context }), "invalid", "the label -4 at (1, 1)");
  await refused(measure(memoryArray([2], "float32"), undefined, { context }), "invalid", "whole numbers");
  await refused(
    measure(labels, memoryArray([6], "uint8"), { context }),
    "invalid",
    "samples of 6 with labels of 5",
  );
  const many = memoryArray([4000], "uint32", (i) => i + 1);
  await using small = new RunContext({ workers: 0, memory: "256KiB" });
  await refused(measure(many, undefined, { context: small }), "over-budget", "Cannot measure 2048 labels");
  for (const [dtype, value] of [["float32", NaN], ["float64", 1.5], ["complex64", 1]] as const) {
    await refused(
      measure(memoryArray([2], dtype, () => value), undefined, { context }),
      "invalid",
      "whole numbers",
    );
  }
  assertEquals(context.arena.used, 0);
});

Deno.test("labels go from one call to the next", async () => {
  await using context = new RunContext({ workers: 0 });
  const image = memoryArray([9, 9], "uint8", (i) => i % 9 < 4 ? 10 : 200);
  const threshold = await otsu(image, { context });
  const { labels, count } = await labelImage(image, { threshold, context });
  const { area, centroid } = await measure(await open(labels), image, { context });
  assertEquals([threshold, count, [...area], [...centroid.data]], [10, 1, [45], [4, 6]]);
});

Deno.test("histograms, percentiles and thresholds are those of NumPy and scikit-image, on workers as well", async () => {
  for (const workers of [0, 2]) {
    await using executor = workerPool({ workers: Math.max(1, workers) });
    await using context = new RunContext(workers === 0 ? { workers } : { executor });
    for (const row of MEASURES.histograms) {
      const values = numbers(row.samples);
      const dtype = row.dtype as DType;
      const array = memoryArray(row.shape, dtype, (i) => values[i]!, "big");
      const { counts, edges, exact } = await histogramOf(array, { bins: 16, context });
      assertEquals(counts.join(" "), row.counts, dtype);
      close(edges, row.edges, `${dtype} edges`);
      assertEquals(exact, false);
      const inner = await histogramOf(array, { bins: 7, range: [90, 160], context });
      assertEquals(inner.counts.join(" "), row.inner);
      const all = await histogramOf(array, { context });
      assertEquals(all.counts.reduce((a, b) => a + b, 0), values.length);
      close([await otsu(array, { context })], String(row.otsu), `${dtype} Otsu`);
      assertEquals(all.exact, !dtype.startsWith("float"));
      const found = percentiles(all, [0, 1, 25, 50, 90, 99.5, 100]);
      const width = all.exact ? 1e-7 : all.edges[1]! - all.edges[0]!;
      const known = numbers(row.percentiles);
      const wrong = found.filter((value, i) => Math.abs(value - known[i]!) > width);
      assertEquals(wrong, [], `${dtype} ${found} ${known}`);
    }
  }
});

Deno.test("exact histograms have a bin per value, from the least to the greatest", async () => {
  await using context = new RunContext({ workers: 0 });
  const samples = [-5, 300, -5, 0];
  const array = memoryArray([2, 2], "int16", (i) => samples[i]!);
  const { counts, edges, exact } = await histogramOf(array, { context });
  assertEquals([counts.length, counts[0], counts[5], counts[305], edges[0], edges[306]], [
    306,
    2,
    1,
    1,
    -5,
    301,
  ]);
  assert(exact);
  const flags = await histogramOf(memoryArray([5], "bool", (i) => i % 2), { context });
  assertEquals([...flags.counts], [3, 2]);
  const none = await histogramOf(memoryArray([3], "float32", () => NaN), { context });
  assertEquals([otsuThreshold(none), ...percentiles(none, [50])], [NaN, NaN]);
  const same = await histogramOf(memoryArray([3], "float32", () => 7), { bins: 2, context });
  assertEquals([[...same.counts], [...same.edges]], [[0, 3], [6.5, 7, 7.5]]);
  for (const range of [[3, 1], [0, Infinity], [1]]) {
    await assertRejects(
      () => histogramOf(array, { range: range as never, context }),
      TilewiseError,
      "a range is two",
    );
  }
  await assertRejects(
    () => histogramOf(memoryArray([3], "complex64"), { context }),
    TilewiseError,
    "complex",
  );
  assertThrows(() => percentiles(none, [101]), TilewiseError, "no percentile 101");
});

Deno.test("integers too far apart to be counted one by one are counted in bins, as floats are", async () => {
  await using context = new RunContext({ workers: 0 });
  const { shape, samples, counts, edges, otsu: threshold } = MEASURES.wide;
  const values = numbers(samples);
  const array = memoryArray(shape, "int32", (i) => values[i]!);
  const found = await histogramOf(array, { context });
  assertEquals([found.exact, found.counts.join(" ")], [false, counts]);
  close(found.edges, edges, "edges");
  close([await otsu(array, { context })], String(threshold), "Otsu");
});

Deno.test("the least and the greatest value of short integers are counted, and any in between", async () => {
  await using context = new RunContext({ workers: 0 });
  for (
    const [dtype, least, greatest] of [["int8", -128, 127], ["int16", -32768, 32767], [
      "uint8",
      0,
      255,
    ]] as const
  ) {
    const samples = [least, least, greatest, 0, least];
    const { counts, edges, exact } = await histogramOf(memoryArray([5], dtype, (i) => samples[i]!), {
      context,
    });
    const values = [...new Set(samples)].toSorted((a, b) => a - b);
    const counted = values.map((value) => counts[edges.indexOf(value)]);
    assertEquals(counted, values.map((value) => samples.filter((one) => one === value).length), dtype);
    assertEquals([exact, edges[0], edges.at(-1), counts.length], [
      true,
      least,
      greatest + 1,
      greatest - least + 1,
    ]);
  }
});
