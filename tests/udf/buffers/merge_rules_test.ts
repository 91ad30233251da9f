/** Buffers that declare how partial results become one: the same as a plain fold over the frames, bit for bit. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import { type DType, dtypeInfo, DTYPES, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { identityOf, type NumberRule } from "../../../src/space/numbers.ts";
import { mergeNumbers, ruleProblem } from "../../../src/udf/interface/buffer_plan.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { run } from "../../../src/run.ts";
import type { BufferSpec, Method, Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import { both } from "../both.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";
import { fold } from "./ruled_udf.ts";

const MODULE = import.meta.resolve("./ruled_udf.ts");
const RULES: readonly NumberRule[] = ["sum", "min", "max"];
const [NAV, SIG, FRAMES, PIXELS] = [[9, 13], [3, 5], 117, 15] as const;
const SAMPLES = counts(FRAMES * PIXELS, 11, 100).map((value, i) => value + i % 23);
/** Sums of these are whole numbers that half precision holds. */
const SMALL = counts(FRAMES * PIXELS, 12, 5);

/** The fold of all selected samples, one after another. */
function folded(
  rule: NumberRule,
  dtype: DType,
  kind: "sig" | "single",
  mask: Uint8Array,
  samples: Float64Array = SAMPLES,
): TypedArray {
  const array = zeros(dtype, kind === "sig" ? PIXELS : 1);
  array.fill(identityOf(rule, dtype) as never);
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  samples.forEach((value, i) => {
    if (!mask[Math.floor(i / PIXELS)]) return;
    const entry = kind === "sig" ? i % PIXELS : 0;
    for (let u = 0; u < units; u++) fold(array, units * entry + u, rule, dtype, value * (u === 1 ? -2 : 1));
  });
  return array;
}

const variations = fc.record({
  partitions: fc.integer({ min: 1, max: 30 }),
  method: fc.constantFrom<Method>("tile", "frame", "partition"),
  every: fc.integer({ min: 1, max: 40 }),
  workers: fc.constantFrom(0, 2),
});

Deno.test("sums, least and greatest numbers of every type are those of a plain fold, however the scan is cut", async () => {
  await using inline = createContext({ memory: 2 ** 26, workers: 0 });
  await using workers = createContext({ memory: 2 ** 26, workers: 2 });
  const check = async ({ partitions, method, every, workers: count }: {
    partitions: number;
    method: Method;
    every: number;
    workers: number;
  }) => {
    const mask = Uint8Array.from({ length: FRAMES }, (_, i) => i % every === 0 ? 1 : 0);
    const params = (rule: NumberRule) => ({ rule, method, dtypes: DTYPES });
    const options = { partitions, roi: mask, context: count === 0 ? inline : workers };
    for (const [rules, samples] of [[["sum"], SMALL], [["min", "max"], SAMPLES]] as const) {
      const refs = rules.map((rule) =>
        [rule, udf(MODULE, { export: "ruled", params: params(rule) })] as const
      );
      const scan = memoryScan(samples, NAV, SIG, "uint16");
      const results = await run(await plan(scan, Object.fromEntries(refs), options));
      for (const rule of rules) {
        const arrays = Object.entries(results[rule]!);
        assertEquals(arrays.length, rule === "sum" ? 28 : 24); // complex numbers have no order
        for (const [name, array] of arrays) {
          const kind = name.startsWith("sig") ? "sig" : "single";
          assertEquals(array.data, folded(rule, array.dtype, kind, mask, samples), `${rule} ${name}`);
        }
      }
    }
  };
  await fc.assert(fc.asyncProperty(variations, check), { numRuns: 12, seed: 5 });
});

both(
  "sums that round have the same bits in any number of partitions, without a word about their order",
  async (context) => {
    const values = counts(2400 * 6, 5).map((value, i) => value / 7 + 1 / (i + 1));
    const scan = memoryScan(values, [40, 60], [2, 3], "float32");
    const total = async (partitions: number, params: { order?: "any" | "tree" }) => {
      const job = await plan(scan, { it: udf(MODULE, { export: "rounding", params }) }, {
        context,
        partitions,
      });
      return { tree: job.udfs[0]!.tree, data: numbers((await run(job)).it!.total!.data) };
    };
    const [one, many, tree] = [await total(1, {}), await total(37, {}), await total(5, { order: "tree" })];
    assertEquals([one.tree, many.tree], [true, true]);
    assertEquals(many.data, one.data);
    assertEquals(tree.data, one.data);
    const [left, right] = [await total(1, { order: "any" }), await total(37, { order: "any" })];
    assertEquals([left.tree, right.tree], [false, false]);
    assert(left.data.some((value, p) => value !== right.data[p]), "this sum would not show it");
  },
);

Deno.test("integers need no tree, nor do least and greatest numbers", async () => {
  for (
    const [rule, dtype, tree] of [
      ["sum", "int32", false],
      ["sum", "bool", false],
      ["sum", "float16", true],
      ["sum", "complex64", true],
      ["min", "float32", false],
      ["max", "float64", false],
    ] as const
  ) {
    const it = closure({ kind: "sig", dtype, merge: rule });
    const { udfs } = await plan(goldenScan(), { it }, { context: createContext({ workers: 0 }) });
    assertEquals(udfs[0]!.tree, tree, `${rule} of ${dtype}`);
  }
  const { udfs } = await plan(goldenScan(), { it: closure({ kind: "nav", merge: "sum" }) });
  assertEquals(udfs[0]!.tree, false, "rows of frames are added once");
});

Deno.test("a NaN stays NaN in least and greatest numbers, as in NumPy, and the bits of int64 are kept", () => {
  for (const dtype of ["float16", "float32", "float64"] as const) {
    for (const rule of ["min", "max"] as const) {
      const into = zeros(dtype, 4), from = zeros(dtype, 4);
      into.set([NaN, 1, NaN, -2] as never);
      from.set([1, NaN, NaN, 5] as never);
      mergeNumbers(rule, dtype, into, from);
      assertEquals(numbers(into), [NaN, NaN, NaN, rule === "min" ? -2 : 5]);
    }
  }
  const most = 2n ** 63n - 1n;
  const pairs = (a: bigint, b: bigint, rule: NumberRule) => {
    const into = BigInt64Array.of(a);
    mergeNumbers(rule, "int64", into, BigInt64Array.of(b));
    return into[0]!;
  };
  assertEquals([pairs(most, most - 1n, "min"), pairs(most - 1n, most, "max")], [most - 1n, most]);
  assertEquals(pairs(most, 1n, "sum"), -(2n ** 63n)); // wraps around, as in NumPy
});

Deno.test("truth values: the sum and the greatest say whether any is true, the least whether all are", () => {
  const merged = (rule: NumberRule) => {
    const into = Uint8Array.of(0, 0, 1, 1);
    mergeNumbers(rule, "bool", into, Uint8Array.of(0, 1, 0, 1));
    return [...into];
  };
  assertEquals(RULES.map(merged), [[0, 1, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]]);
  assertEquals(RULES.map((rule) => identityOf(rule, "bool")), [0, 1, 0]);
});

for (const tree of [false, true]) {
  both(`lists follow each other in the order of frames: ${tree ? "tree" : "any"}`, async (context) => {
    const ref = udf(MODULE, { export: "lists", params: { tree } });
    const scan = memoryScan(SAMPLES, NAV, SIG, "uint16");
    const { it } = await run(await plan(scan, { it: ref }, { context, partitions: 7 }));
    const { log, seen } = objectsOf(it!);
    assertEquals(log!.data, [Array.from({ length: FRAMES }, (_, i) => i)]);
    for (let p = 0; p < PIXELS; p++) {
      const frames = Array.from({ length: FRAMES }, (_, i) => i).filter((i) => SAMPLES[i * PIXELS + p] === 7);
      assertEquals(seen!.data[p], frames.length > 0 ? frames : null);
    }
  });
}

both("merge() sees buffers with a rule as they were, and merges the others", async (context) => {
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16");
  const ref = udf(MODULE, { export: "mixed" });
  const { it } = await run(await plan(scan, { it: ref }, { context, partitions: 9 }));
  const total = SAMPLES.reduce((a, b) => a + b);
  assertEquals(numbers(it!.count!.data), [FRAMES]);
  assert(Math.abs(Number(it!.mean!.data[0]) - total / FRAMES) < 1e-9 * total);
});

both("rows of nav buffers are combined with what the main side began with", async (context) => {
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16");
  const mask = Uint8Array.from({ length: FRAMES }, (_, i) => i % 3 === 1 ? 0 : 1);
  const ref = udf(MODULE, { export: "rows" });
  const { it } = await run(await plan(scan, { it: ref }, { context, partitions: 4, roi: mask }));
  const tiles = 1;
  mask.forEach((on, i) => {
    const frame = SAMPLES.subarray(i * PIXELS, (i + 1) * PIXELS);
    const [dose, least, count, words] = [it!.dose!, it!.least!, it!.count!, objectsOf(it!).words!];
    assertEquals(
      numbers(dose.data).slice(2 * i, 2 * i + 2),
      on ? [200 * i + tiles, 200 * i + 100] : [NaN, NaN],
    );
    assertEquals(least.data[i], on ? Math.min(...frame) : 0);
    assertEquals(count.data[i], on ? PIXELS : NaN);
    assertEquals(words.data[i], on ? ["main", "row"] : null);
  });
});

both("rows that were not merged show no start values of a rule", async (context) => {
  const scan = memoryScan([5, 6, 7, 8], [3, 2], [1, 2], "uint8", { syncOffset: -2 });
  const ref = udf(MODULE, { export: "least" });
  const job = await plan(scan, { it: ref }, { context });
  const { least, some, wide } = (await run(job)).it!;
  assertEquals([numbers(least!.data), [...least!.valid!]], [[NaN, NaN, 5, 7, NaN, NaN], [0, 0, 1, 1, 0, 0]]);
  assertEquals(numbers(wide!.data), [0, 0, 5, 7, 0, 0]);
  assertEquals(numbers(some!.data), [0, 0, 6, 8, 0, 0]);
  const dry = dryRun(job).it!;
  assertEquals([numbers(dry.least!.data), numbers(dry.some!.data)], [Array(6).fill(NaN), Array(6).fill(0)]);
});

Deno.test("where nothing was merged, a sum is zero, a least number the greatest there is", async () => {
  const params = { method: "frame", rule: "min", dtypes: DTYPES };
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16");
  const job = await plan(scan, { it: udf(MODULE, { export: "ruled", params }) }, { roi: [] });
  const { it } = await run(job);
  assertEquals(numbers(it!.single_float32!.data), [Infinity]);
  assertEquals(numbers(it!.single_uint8!.data), [255]);
  assertEquals(it!.single_int64!.data, BigInt64Array.of(2n ** 63n - 1n));
});

both("parts show what is merged so far, and looking at them changes nothing", async (context) => {
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16");
  const params = { rule: "max", method: "frame", dtypes: ["uint16", "float32"] } as const;
  const job = await plan(scan, { it: udf(MODULE, { export: "ruled", params }) }, { context, partitions: 30 });
  const whole = (await run(job)).it!.sig_uint16!;
  let last: number[] = [];
  for await (const { results, damage } of run(job)) {
    last = numbers(results.it!.sig_uint16!.data);
    assertEquals(last, numbers(folded("max", "uint16", "sig", damage.data as Uint8Array)));
  }
  assertEquals(last, numbers(whole.data));
});

function closure(spec: BufferSpec, more: Partial<Udf> = {}) {
  return udf({ name: "it", buffers: { a: spec }, processFrame: () => {}, ...more });
}

Deno.test("rules that do not fit a buffer are refused, with what would fit", async () => {
  const refused = async (
    spec: BufferSpec,
    words: string,
    more: Partial<Udf> = {},
    options: PlanOptions = {},
  ) => {
    const error = await assertRejects(
      () => plan(goldenScan(), { it: closure(spec, more) }, options),
      TilewiseError,
    );
    assertEquals([error.code, error.details.udf], ["udf", "it"]);
    assertStringIncludes(error.message, words);
  };
  await refused({ kind: "sig", merge: "mean" as "sum" }, 'is "mean"; it must be "sum", "min", "max"');
  await refused({ kind: "sig", merge: "min", dtype: "complex64" }, "complex numbers have no order");
  await refused({ kind: "sig", merge: "sum", dtype: "object" }, "only merged by concat");
  await refused(
    { kind: "sig", merge: "concat", dtype: "uint8" },
    "is for lists in object buffers, not for uint8",
  );
  await refused({ kind: "sig", dtype: "object" }, 'declare merge: "concat", or implement merge()');
  await refused({ kind: "single" }, 'declare merge: "sum", "min" or "max", or implement merge()');
  const results = { results: () => ({}) };
  await refused({ kind: "sig", merge: "sum", use: "result" }, "there is nothing to merge", results);
  await refused({ kind: "sig", merge: "sum" }, "leave one of them out", { mergeAll: () => ({}) });
  assertEquals(ruleProblem("sum", "complex128"), undefined);
});

both("what is not a list cannot be concatenated: the error names UDF and buffer", async (context) => {
  if (context.workers > 0) return; // a closure
  const it = udf({
    name: "wordy",
    buffers: { log: { kind: "single", dtype: "object", merge: "concat" } },
    processFrame: (_frame, _, { objects }) => objects.log!.set(0, "seven"),
  });
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16");
  const error = await assertRejects(
    async () => await run(await plan(scan, { it }, { context, partitions: 4 })),
    TilewiseError,
  );
  assertEquals(error.code, "udf");
  for (const word of ["wordy", '"log"', "lists or null", "seven"]) assertStringIncludes(error.message, word);
});

both("a kernel says the rule beside its buffer, or for all of them", async (context: Context) => {
  const source = `export function frame(data: usize, rows: i32, cols: i32, least: usize): void {
    for (let i = 0; i < rows * cols; i++) {
      const at = least + 4 * i, x = load<f32>(data + 4 * i);
      if (x < load<f32>(at)) store<f32>(at, x);
    }
  }`;
  const beside = kernelUdf({ source, buffers: { least: { kind: "sig", merge: "min" } } });
  const option = kernelUdf({ source, buffers: { least: { kind: "sig" } }, merge: "min" });
  const scan = memoryScan(SAMPLES, NAV, SIG, "uint16");
  const results = await run(await plan(scan, { beside, option }, { context, partitions: 8 }));
  const all = new Uint8Array(FRAMES).fill(1);
  assertEquals(numbers(results.beside!.least!.data), numbers(folded("min", "float32", "sig", all)));
  assertEquals(results.option!.least!.data, results.beside!.least!.data);
});
