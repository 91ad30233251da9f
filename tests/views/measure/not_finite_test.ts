/** Statistics of whole arrays leave out what is not finite, and say how much that is: one rule for all of them. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { findReduction, makesLabels, REDUCTIONS } from "../../../src/cli/reductions/table.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { limitsOf } from "../../../src/pictures/scale.ts";
import { createContext } from "../../../src/runner/context.ts";
import { reduceViews } from "../../../src/views/map/reduce.ts";
import { histogramOf, otsu, otsuThreshold, percentiles } from "../../../src/views/measure/histogram.ts";
import { sampleRange } from "../../../src/views/operations/sample_range.ts";
import { REDUCTION_ROWS } from "../operations/table.ts";
import { memoryArray } from "../data.ts";

const FINITE = Array.from({ length: 90 }, (_, i) => i * 7919 % 23 + (i % 3 === 0 ? 60.5 : 0.25));
const ODD = [NaN, Infinity, -Infinity];
/** The finite samples with others between them. */
const MIXED = FINITE.flatMap((value, i) => i % 9 === 4 ? [ODD[i % 3]!, value] : [value]);

for (const dtype of ["float32", "float64"] as const) {
  Deno.test(`statistics of ${dtype} are those of the finite samples`, async () => {
    await using context = createContext({ workers: 0 });
    const arrays = [FINITE, MIXED].map((samples) =>
      memoryArray([samples.length / 10, 10], dtype, (i) => samples[i]!)
    );
    const found = [];
    for (const array of arrays) {
      const auto = await histogramOf(array, { context });
      const few = await histogramOf(array, { bins: 7, context });
      found.push({
        range: await reduceViews(array, sampleRange(), { context, tile: [2, 10] }),
        counts: [...auto.counts],
        edges: [...auto.edges],
        few: [...few.counts],
        percentiles: percentiles(auto, [1, 50, 99]),
        otsu: [otsuThreshold(auto), await otsu(array, { context })],
      });
      assertEquals(auto.others, array.shape[0]! * 10 - FINITE.length);
    }
    assertEquals(found[1], found[0]);
    assert(found[0]!.otsu.every(Number.isFinite));
  });

  Deno.test(`arrays of ${dtype} without finite samples have no statistics`, async () => {
    await using context = createContext({ workers: 0 });
    const array = memoryArray([2, 3], dtype, (i) => ODD[i % 3]!);
    const { counts, others } = await histogramOf(array, { context });
    assertEquals([counts.reduce((a, b) => a + b), others], [0, 6]);
    assertEquals(await otsu(array, { context }), NaN);
    assertEquals(await reduceViews(array, sampleRange(), { context }), { min: Infinity, max: -Infinity });
  });
}

/** Reductions of the command line whose numbers are those of the whole image; `measure` has one row per label. */
const WHOLE = REDUCTIONS.filter((reduction) => !makesLabels(reduction) && reduction.name !== "measure");

Deno.test("tables of the command line are those of the finite samples, and say how many others there are", async () => {
  await using context = createContext({ workers: 0 });
  assertEquals(Object.keys(REDUCTION_ROWS).sort(), ["sampleRange", "viewUdf"]); // a new one belongs into the test above
  assertEquals(WHOLE.length, 2);
  for (const reduction of WHOLE) {
    const tables = [];
    for (const samples of [FINITE, MIXED]) {
      const filtered = await open({
        data: Float64Array.from(samples),
        shape: [samples.length],
      }) as StoredDataset;
      const input = {
        source: filtered,
        filtered,
        values: {},
        settings: { context },
        scratch: () => Promise.resolve(""),
      };
      assert("table" in reduction);
      tables.push(await reduction.table(input));
    }
    const { others, ...facts } = tables[1]!.facts;
    assertEquals(
      [others, facts, tables[1]!.columns],
      [10, tables[0]!.facts, tables[0]!.columns],
      reduction.name,
    );
  }
});

Deno.test("colours of pictures are scaled by the finite samples", () => {
  for (const percentile of [[0, 100], [1, 99]] as const) {
    const [finite, mixed] = [FINITE, MIXED].map((samples) =>
      limitsOf(Float64Array.from(samples), { percentile })
    );
    assertEquals(mixed, finite);
  }
});

Deno.test("labels above Otsu's threshold are refused where there is none", async () => {
  await using context = createContext({ workers: 0 });
  const label = findReduction("label")!;
  const filtered = await open({ data: Float32Array.of(NaN, Infinity), shape: [2] }) as StoredDataset;
  const values = { threshold: "otsu" };
  const input = {
    source: filtered,
    filtered,
    values,
    settings: { context },
    scratch: () => Promise.resolve(""),
  };
  assert(makesLabels(label));
  await assertRejects(
    () => label.labels(input, (() => {}) as never),
    TilewiseError,
    "none of the samples is finite",
  );
});

Deno.test("bins over more than float64 can tell apart are refused", async () => {
  await using context = createContext({ workers: 0 });
  const wide = memoryArray([2], "float64", (i) => i === 0 ? -1.7e308 : 1.7e308);
  await assertRejects(() => histogramOf(wide, { context }), TilewiseError, "too far apart");
});
