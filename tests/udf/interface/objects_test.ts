/** Object buffers: JSON values per frame, per pixel, or one; set, merged, returned, refused. */

import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { ObjectRows } from "../../../src/udf/interface/objects.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { both } from "../both.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const DATA = import.meta.resolve("./data_udf.ts");
const [NAV, SIG, FRAMES, PIXELS] = [[6, 10], [2, 64, 128], 60, 16384] as const;
const SAMPLES = counts(FRAMES * PIXELS, 3, 3000);
const scan = () => memoryScan(SAMPLES, NAV, SIG, "uint16");

for (const method of ["tile", "frame", "partition"] as const) {
  for (const tree of [false, true]) {
    both(`lists of every kind: ${method}, ${tree ? "tree" : "any order"}`, async (context) => {
      const mask = Uint8Array.from({ length: FRAMES }, (_, i) => i % 5 === 2 ? 0 : 1);
      const ref = udf(DATA, { export: "listing", params: { method, tree } });
      const partitions = context.workers === 0 ? 1 : 2; // of one or of two leaves
      const job = await plan(scan(), { it: ref }, { context, partitions, roi: mask });
      assertEquals(job.partitions.length, partitions);
      const { it } = await run(job);
      const { bright, seen, log, pairs, sums } = objectsOf(it!);
      assertEquals([bright!.shape, seen!.shape, log!.shape, pairs!.shape], [NAV, SIG, [], [...NAV, 2]]);
      const frames: number[][] = Array.from({ length: PIXELS }, () => []);
      for (let i = 0; i < FRAMES; i++) {
        const pixels = [];
        for (let p = 0; p < PIXELS; p++) if (SAMPLES[i * PIXELS + p] === 7) pixels.push(p);
        if (mask[i]) { for (const p of pixels) frames[p]!.push(i); }
        const found = bright!.data[i] as number[] | null;
        assertEquals(found && found.toSorted((a, b) => a - b), mask[i] ? pixels : null);
        assertEquals(sums!.data[i], mask[i] ? pixels.length : null);
        assertEquals(pairs!.data.slice(2 * i, 2 * i + 2), [
          null,
          mask[i] ? { at: [Math.floor(i / 10), i % 10] } : null,
        ]);
      }
      assertEquals(seen!.data, frames.map((list) => list.length > 0 ? list : null));
      const steps = log!.data[0] as number[];
      const slices = method === "tile" ? 2 : 1;
      assertEquals(steps.reduce((a, b) => a + b, 0), 48 * slices);
      assertEquals([...bright!.valid!], [...mask]);
      assertEquals([seen!.valid, Object.keys(it!)], [undefined, []]);
    });
  }
}

both("parts show lists as they grow, and looking at them changes nothing", async (context) => {
  const ref = udf(DATA, { export: "listing", params: { method: "frame", tree: true } });
  const many = memoryScan(counts(2400, 3, 30), [20, 30], [2, 2], "uint16");
  const job = await plan(many, { it: ref }, { context, partitions: 19 });
  const expected = objectsOf((await run(job)).it!).seen!.data;
  const steps: number[] = [];
  for await (const { results, damage } of run(job)) {
    const merged = numbers(damage.data).reduce((n, on) => n + on, 0);
    const { log, bright, seen } = objectsOf(results.it!);
    steps.push((log!.data[0] as number[]).length);
    assertEquals(bright!.data.filter((list) => list !== null).length, merged);
    if (merged === 600) assertEquals(seen!.data, expected);
  }
  assert(steps.length > 1);
  assertEquals(steps, steps.toSorted((a, b) => a - b));
  assertEquals(steps.at(-1), 600);
});

both("values that are not JSON are refused, with name and place", async (context) => {
  const kinds = ["nan", "undefined", "function", "bigint", "date", "array", "inside", "loop"];
  const words = ["NaN", "undefined", "function", "bigint", "Date", "Float32Array", "Infinity", "itself"];
  for (const [i, what] of kinds.entries()) {
    const ref = udf(DATA, { export: "unspeakable", params: { what } });
    const job = await plan(goldenScan(), { it: ref }, { context });
    const error = await assertRejects(async () => await run(job), TilewiseError);
    assertEquals(error.code, "udf");
    for (const word of ["unspeakable", '"it"', words[i]!]) assertStringIncludes(error.message, word);
  }
});

Deno.test("a dry run and an empty region have lists without values, or with start values", async () => {
  await using context = createContext({ workers: 0 });
  const ref = udf(DATA, { export: "listing", params: { method: "frame", tree: false } });
  const job = await plan(goldenScan(), { it: ref }, { context, roi: [] });
  for (const results of [dryRun(job), await run(job)]) {
    const { bright, log } = objectsOf(results.it!);
    assertEquals([bright!.data, log!.data], [Array(12).fill(null), [[]]]);
  }
});

Deno.test("results() must give lists for object buffers, of the right length", async () => {
  await using context = createContext({ workers: 0 });
  const refused = async (value: unknown, word: string) => {
    const own = udf({
      name: "own",
      buffers: { it: { kind: "nav", dtype: "object", use: "result" } },
      processFrame() {},
      results: () => ({ it: value as never }),
    });
    const job = await plan(goldenScan(), { own }, { context });
    const error = await assertRejects(async () => await run(job), TilewiseError, word);
    assertEquals(error.code, "udf");
  };
  await refused(new Float32Array(12), "must be a list");
  await refused([1, 2], "needs 12 values");
  await refused(Array(12).fill(() => 1), "not JSON");
});

Deno.test("rows of an object buffer know their bounds", () => {
  const rows = new ObjectRows(Array(12).fill(null), 1, 2, 3);
  rows.set(1, "x", 2);
  rows.fill(["y"]);
  rows.set(0, 1);
  assertEquals([...rows], [1, ["y"], ["y"], ["y"], ["y"], ["y"]]);
  assertEquals(rows.values.slice(0, 4), [null, null, null, 1]);
  assertEquals(rows.view(1, 1).get(0, 1), ["y"]);
  for (const [row, i] of [[2, 0], [-1, 0], [0, 3], [0, -1]] as const) {
    assertThrows(() => rows.get(row, i), TilewiseError, "2 entries of 3 values");
    assertThrows(() => rows.set(row, 1, i), TilewiseError);
  }
});
