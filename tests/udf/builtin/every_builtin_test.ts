/** Every UDF that comes with Tilewise gives the same bits, however a scan is cut and wherever it is computed. */

import { assert, assertEquals } from "@std/assert";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { BUILTINS } from "../../../src/udf/worker/builtins.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { chunked } from "../chunked.ts";
import type { ScanOptions } from "../data.ts";
import { ALL, countsAs, digests, NAV, SAMPLES, type Scan, scanOf } from "./every_builtin.ts";

const SCANS = ["uint16", "float32", "special"] as const;

const ROI = ndarray(
  Uint8Array.from({ length: 300 }, (_, i) => i % 3 === 0 || (i > 90 && i < 140) ? 1 : 0),
  NAV,
  "bool",
);

/** Another UDF whose wish makes for deep tiles of few rows. */
const DEEP = udf(import.meta.resolve("../own_udf.ts"), { export: "deep" });

/** Results that have few numbers in all. */
const FEW = ["dominant", "num_frames", "regression", "selector", "monitor"];

interface Variation extends PlanOptions {
  readonly options?: ScanOptions;
}

const open = (workers: number) => new RunContext({ memory: 256 * 2 ** 20, workers });

async function compute(
  udfs: Readonly<Record<string, UdfRef>>,
  dtype: Scan,
  context: RunContext,
  { options, ...rest }: Variation = {},
) {
  return await digests(await run(await plan(scanOf(dtype, options), udfs, { ...rest, context })));
}

/** What all variations are compared with: everything in one run, in one partition, on the calling thread. */
const expected = new Map<string, Promise<Record<string, string>>>();

function reference(dtype: Scan, roi: boolean): Promise<Record<string, string>> {
  const key = `${dtype} ${roi}`;
  if (!expected.has(key)) expected.set(key, referenceRun(dtype, roi));
  return expected.get(key)!;
}

async function referenceRun(dtype: Scan, roi: boolean): Promise<Record<string, string>> {
  await using context = open(0);
  return await compute(ALL, dtype, context, { partitions: 1, ...(roi ? { roi: ROI } : {}) });
}

Deno.test("every built-in UDF has sample parameters", () => {
  assertEquals(Object.keys(SAMPLES).sort(), Object.keys(BUILTINS).sort());
});

Deno.test("the samples are worth it: results differ from position to position, and tiles are cut", async () => {
  await using context = open(0);
  let cut = 0;
  for (const [key, ref] of Object.entries(ALL)) {
    const job = await plan(scanOf("uint16"), { it: ref }, { context, tileBytes: 256, partitions: 300 });
    assertEquals(job.partitions.length, 10);
    if (job.scheme.slices.length > 1) cut++;
    if (key.startsWith("noop")) continue;
    for (const [name, { data }] of Object.entries((await run(job)).it!)) {
      if (FEW.includes(name)) continue;
      const different = new Set(Array.from(data, Number).filter(Number.isFinite));
      assert(different.size > 2, `${key}.${name} is ${[...different]} everywhere`);
    }
  }
  assert(cut > 15, `only ${cut} of them`);
});

/** How each UDF runs alone: floats, whose sums depend on the order, in all ways; the others in half of them. */
const ALONE: Readonly<
  Record<Scan, { readonly tileBytes: readonly number[]; readonly deep: boolean; readonly roi: boolean }>
> = {
  uint16: { tileBytes: [256], deep: false, roi: true },
  float32: { tileBytes: [256, 4096], deep: true, roi: true },
  special: { tileBytes: [4096], deep: true, roi: false },
};

for (const dtype of SCANS) {
  Deno.test(`${dtype}: every built-in UDF gives alone, in tiles of any size, what it gives beside all others`, async () => {
    await using context = open(0);
    const whole = await reference(dtype, false);
    const part = await reference(dtype, true);
    for (const [key, ref] of Object.entries(ALL)) {
      const of = (all: Record<string, string>) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(`${key}.`)));
      for (const tileBytes of ALONE[dtype].tileBytes) {
        assertEquals(
          await compute({ [key]: ref }, dtype, context, { tileBytes }),
          of(whole),
          `${tileBytes} B`,
        );
      }
      if (ALONE[dtype].deep) {
        const joined = await compute({ [key]: ref, deep: DEEP }, dtype, context, { partitions: 5 });
        delete joined["deep.count"];
        assertEquals(joined, of(whole), "beside deep tiles");
      }
      if (!ALONE[dtype].roi) continue;
      const region = { roi: ROI, tileBytes: 1024, options: { order: "big" } } as const;
      assertEquals(await compute({ [key]: ref }, dtype, context, region), of(part), "region");
    }
  });
}

for (const [dtype, as] of [["int64", "float64"], ["uint64", "float64"], ["float16", "float32"]] as const) {
  Deno.test(`${dtype}: every built-in UDF gives what it gives for the same numbers as ${as}`, async () => {
    await using context = open(0);
    const udfs = Object.fromEntries(Object.entries(ALL).filter(([key]) => key !== "kernel 0"));
    const expected = await run(await plan(countsAs(as), udfs, { context, partitions: 1 }));
    const cut = { context, partitions: 5, tileBytes: 1024 };
    const found = await run(await plan(countsAs(dtype, { order: "big" }), udfs, cut));
    for (const [key, buffers] of Object.entries(expected)) {
      for (const [name, { data }] of Object.entries(buffers)) {
        assertEquals(Array.from(found[key]![name]!.data, Number), Array.from(data, Number), `${key}.${name}`);
      }
    }
  });
}

const VARIATIONS: readonly (Variation & { readonly dtype: Scan })[] = [
  { dtype: "uint16", partitions: 2 },
  { dtype: "uint16", partitions: 300, options: { order: "big", frameHeaderBytes: 13 } },
  { dtype: "uint16", partitions: 5, roi: ROI, tileBytes: 4096 },
  { dtype: "float32", partitions: 1, options: { order: "big" } },
  { dtype: "float32", partitions: 5, tileBytes: 1 << 24 },
  { dtype: "float32", partitions: 300, tileBytes: 4096 },
  { dtype: "float32", partitions: 300, roi: ROI, options: { order: "big" } },
  { dtype: "special", partitions: 300, tileBytes: 4096, options: { order: "big" } },
];

async function vary(variations: typeof VARIATIONS, context: RunContext): Promise<void> {
  for (const { dtype, ...variation } of variations) {
    const found = await compute(ALL, dtype, context, variation);
    const { roi, ...rest } = variation;
    const what = `${dtype}${roi ? ", region" : ""} ${JSON.stringify(rest)}`;
    assertEquals(found, await reference(dtype, roi !== undefined), what);
  }
  await context.settled();
  assertEquals(context.arena.used, 0);
}

/** For numbers of workers between which little differs, half of the variations each. */
const SOME: Readonly<Record<number, typeof VARIATIONS>> = {
  1: VARIATIONS.slice(0, 4),
  3: VARIATIONS.slice(4),
  8: VARIATIONS.slice(-2),
};

for (const workers of [0, 2, 8]) {
  Deno.test(`every built-in UDF gives the same bits ${workers === 0 ? "inline" : `on ${workers} workers`}`, async () => {
    await using context = open(workers);
    await vary(SOME[workers] ?? VARIATIONS, context);
  });
}

for (const workers of [3]) {
  Deno.test(`every built-in UDF gives the same bits on ${workers} processes that share no memory`, async () => {
    await using executor = processExecutor({ workers });
    await using context = new RunContext({ memory: 256 * 2 ** 20, executor });
    await vary(SOME[workers]!, context);
  });
}

Deno.test("every built-in UDF gives the same bits over chunks of all frames, many in deep tiles", async () => {
  await using context = open(2);
  for (const dtype of ["uint16", "special"] as const) {
    const scan = chunked(scanOf(dtype), [128, 128, 1, 1]); // most of them beyond the scan: 16 MiB would be kept
    const expected = await reference(dtype, false);
    let deep = 0;
    for (const [key, ref] of Object.entries(ALL)) {
      const planned = await plan(scan, { [key]: ref }, { context, tileBytes: 4096 });
      for (const [name, digest] of Object.entries(await digests(await run(planned)))) {
        assertEquals(digest, expected[name], `${dtype} ${name}`);
      }
      if (planned.scheme.depth === 300 && planned.scheme.slices.length > 1) deep++;
    }
    assert(deep > 10, `${dtype}: only ${deep} have deep tiles`);
  }
});
