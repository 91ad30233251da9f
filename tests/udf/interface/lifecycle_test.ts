/** The life of a UDF: which of its functions is called when, with which buffers, and what its errors say. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { both } from "../both.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const DATA = import.meta.resolve("./data_udf.ts");
const [SIG, PIXELS] = [[2, 64, 128], 16384] as const;
const SAMPLES = counts(100 * PIXELS, 3);
/** Frames that are cut into parts with holes between their pixels. */
const holes = () => memoryScan(SAMPLES, [10, 10], SIG, "uint16");
/** Many small frames, so that there are many partitions. */
const many = () => memoryScan(counts(4800, 3), [40, 30], [2, 2], "uint16");
const ROI = Uint8Array.from({ length: 1200 }, (_, i) => i % 20 === 3 ? 1 : 0);

both("the functions of a UDF are called in order, once a partition", async (context) => {
  const ref = udf(DATA, { export: "calls" });
  const job = await plan(many(), { it: ref }, { context, partitions: 12 });
  assert(job.partitions.length >= 12);
  const { calls } = objectsOf((await run(job)).it!);
  for (const [i, list] of calls!.data.entries()) {
    const { selected } = job.partitions.find(({ start, stop }) => start <= i && i < stop)!;
    const frames = Array(selected).fill("processFrame");
    assertEquals(list, ["taskData", "preprocess", ...frames, "postprocess", "cleanup"]);
  }
});

for (const method of ["tile", "frame", "partition"] as const) {
  for (const tree of [false, true]) {
    both(`start values and merges: ${method}, ${tree ? "tree" : "any order"}`, async (context) => {
      const ref = udf(DATA, { export: "starts", params: { tree, method } });
      for (const partitions of [1, 4]) {
        const job = await plan(holes(), { it: ref }, { context, partitions });
        assertEquals(job.partitions.length, partitions);
        assert(method !== "tile" || job.memory.readWhole === false, "parts have holes");
        const { nav, sig, single, half } = (await run(job)).it!;
        assertEquals(numbers(nav!.data), Array(100).fill(PIXELS - 5));
        assertEquals(numbers(single!.data), [200]);
        assertEquals(numbers(sig!.data), Array.from({ length: PIXELS }, (_, p) => p + 100 * PIXELS));
        const parts = method === "tile" ? job.scheme.slices.length : 1;
        assertEquals(numbers(half!.data), Array(100).fill([parts + 0.5, 0.5]).flat());
      }
    });
  }
}

both("leaves of a tree and nav buffers go together, over many partitions", async (context) => {
  const ref = udf(DATA, { export: "starts", params: { tree: true, method: "frame" } });
  const whole = await run(await plan(many(), { it: ref }, { context, partitions: 12 }));
  assertEquals(numbers(whole.it!.nav!.data), Array(1200).fill(-1));
  assertEquals(numbers(whole.it!.sig!.data), [0, 1, 2, 3].map((p) => p + 4800));
  const { it } = await run(await plan(many(), { it: ref }, { context, partitions: 12, roi: ROI }));
  assertEquals(numbers(it!.nav!.data), Array.from(ROI, (on) => on ? -1 : 0));
  assertEquals(numbers(it!.single!.data), [160]);
});

both("start values show where nothing was merged; fill values where nothing is selected", async (context) => {
  const ref = udf(DATA, { export: "starts", params: { tree: false, method: "frame" } });
  const blank = memoryScan(SAMPLES.subarray(0, 20 * PIXELS), [4, 5], SIG, "uint16", {
    syncOffset: 18,
    images: 20,
  });
  const job = await plan(blank, { it: ref }, { context, partitions: 2, roi: [[0, 1], [3, 4]] });
  const { nav, half, single } = (await run(job)).it!;
  const at = (positions: Record<number, number>) => Array.from({ length: 20 }, (_, i) => positions[i] ?? 0);
  assertEquals(numbers(nav!.data), at({ 1: PIXELS - 5, 19: -5 }));
  assertEquals([...nav!.valid!], at({ 1: 1 }));
  const halves = numbers(half!.data);
  assertEquals([halves[0], halves[2], halves[3], halves[38]], [NaN, 1.5, 0.5, 0.5]);
  assertEquals(numbers(single!.data), [101]);
  for (const results of [dryRun(job), await run(await plan(blank, { it: ref }, { context, roi: [] }))]) {
    assertEquals(numbers(results.it!.single!.data), [100]);
    assertEquals(numbers(results.it!.sig!.data).slice(0, 3), [0, 1, 2]);
  }
});

/** A UDF of whose functions one fails. */
function failing(
  where: "results" | "merge" | "mergeAll" | "preprocess" | "kernels",
): Udf<Record<"x" | "s", DType>> {
  const fail = () => {
    throw new Error("no good");
  };
  const base: Udf<Record<"x" | "s", DType>> = {
    name: "failing",
    buffers: { x: { kind: "nav" }, s: { kind: "sig" } },
    processFrame() {},
    ...(where === "mergeAll" ? { mergeAll: fail } : { merge() {} }),
  };
  if (where === "mergeAll") return base;
  if (where === "kernels") return { ...base, preprocess: (_, { kernels }) => void kernels.exports };
  if (where === "preprocess") {
    return {
      ...base,
      preprocess: (_, { side }) => side === "main" ? fail() : undefined,
    };
  }
  return { ...base, [where]: fail };
}

Deno.test("errors on the collecting side name the UDF and its function", async () => {
  await using context = new RunContext({ workers: 0 });
  const words = {
    results: ["results()", "no good"],
    merge: ["merge()", "no good"],
    mergeAll: ["mergeAll()", "no good"],
    preprocess: ["preprocess()", "no good"],
    kernels: ["not in the memory of the kernels"],
  };
  for (const [where, expected] of Object.entries(words)) {
    const own = udf(failing(where as keyof typeof words));
    const job = await plan(many(), { own }, { context, partitions: 12 });
    const error = await assertRejects(async () => await run(job), TilewiseError);
    assertEquals(error.code, "udf", where);
    for (const word of ["failing", ...expected]) assertStringIncludes(error.message, word);
  }
  assertEquals(context.arena.used, 0);
});

Deno.test("a merge knows which frames have been merged before, unless it happens in a tree on a worker", async () => {
  await using context = new RunContext({ workers: 0 });
  const seen: number[][] = [];
  const full: number[] = [];
  const own = (tree: boolean) =>
    udf({
      name: "own",
      buffers: { n: { kind: "single" } },
      order: () => tree ? "tree" : "any",
      processFrame() {},
      merge: (_into, _from, { validNav }) => void seen.push([...validNav()]),
      results: (_buffers, _meta, { validNav }) => {
        full.splice(0, Infinity, ...validNav(true));
        return {};
      },
    });
  const job = await plan(many(), { own: own(false) }, { context, partitions: 6, roi: ROI });
  await run(job);
  const sizes = job.partitions.map(({ selected }) => selected).filter((n) => n > 0);
  const after = sizes.slice(0, -1).map((_, k) => sizes.slice(0, k + 1).reduce((a, b) => a + b, 0));
  assert(seen.length > 4);
  assertEquals(seen, after.map((n) => Array.from({ length: 60 }, (_, i) => i < n ? 1 : 0)));
  assertEquals(full, [...ROI]);
  const error = await assertRejects(async () => {
    await run(await plan(many(), { own: own(true) }, { context, partitions: 1 }));
  }, TilewiseError);
  assertStringIncludes(error.message, "not known on a worker");
});
