/** Reads and writes outside are found, wherever they happen; what comes with Tilewise does neither. */

import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { DTYPES } from "../../expr/arbitrary.ts";
import { csrScan } from "../csr_data.ts";
import { counts, memoryScan, numbers, type ScanOptions } from "../data.ts";
import { NAV, SAMPLES, SIG } from "../builtin/every_builtin.ts";
import type { Victim } from "./trespassers.ts";

const module = import.meta.resolve("./trespassers.ts");
const trespasser = (name: string, params: Record<string, string | number>) =>
  udf(module, { export: name, params });

const small = memoryScan(counts(40 * 15, 1), [40], [3, 5], "uint16");

async function compute(ref: UdfRef, context: RunContext, options: PlanOptions = {}) {
  return (await run(await plan(small, { it: ref }, { context, partitions: 3, ...options }))).it!;
}

for (const workers of [0, 2]) {
  const where = workers ? `${workers} workers` : "inline";
  const open = () => new RunContext({ memory: 16 * 2 ** 20, workers });

  Deno.test(`${where}: a write outside of any array ends the run`, async () => {
    await using context = open();
    const victims: readonly Victim[] = ["sums", "image", "scratch", "frame"];
    for (const victim of victims) {
      for (const away of [0, 9]) {
        const work = () => compute(trespasser("writer", { victim, away }), context);
        await assertRejects(work, TilewiseError, "was written to, outside of what may be");
      }
    }
    await compute(trespasser("writer", { victim: "frame", away: -1 }), context); // its own
    await context.settled();
    assertEquals(context.arena.used, 0);
  });

  Deno.test(`${where}: a write behind a constant is found when the run is over`, async () => {
    await using context = open();
    const late = (event: PromiseRejectionEvent) => event.preventDefault(); // nobody waits at that moment
    globalThis.addEventListener("unhandledrejection", late);
    await compute(trespasser("writer", { victim: "constant", away: 3 }), context);
    await assertRejects(() => context.settled(), TilewiseError, '"trespasser.weights"');
    globalThis.removeEventListener("unhandledrejection", late);
  });

  Deno.test(`${where}: a read outside of a frame never gives the same result twice`, async () => {
    await using context = open();
    const sums = async (before: number, behind: number) =>
      numbers((await compute(trespasser("reader", { before, behind }), context)).sums!.data);
    assertEquals(await sums(0, 0), await sums(0, 0));
    for (const [before, behind] of [[1, 0], [0, 1], [16, 0], [0, 16]] as const) {
      const [a, b] = [await sums(before, behind), await sums(before, behind)];
      assertNotEquals(a, b);
      const same = a.filter((value, f) => value === b[f]).length;
      assert(same <= (before + behind > 1 ? 2 : 12), `${same} of ${a.length} sums are the same`);
    }
  });

  Deno.test(`${where}: a kernel that is told to read beyond a frame ends the run`, async () => {
    await using context = open();
    const call = (first: number, count: number) => compute(trespasser("caller", { first, count }), context);
    await call(0, 15);
    for (const [first, count] of [[0, 16], [-1, 15], [15, 1], [0, 40]] as const) {
      const error = await assertRejects(() => call(first, count), TilewiseError, "outside of its memory");
      assert((error as TilewiseError).message.includes('"frame '), (error as TilewiseError).message);
    }
  });
}

/** All samples by `name 0`, `name 1`, ….. */
const ALL: Readonly<Record<string, UdfRef>> = Object.fromEntries(
  Object.entries(SAMPLES).flatMap(([name, refs]) => refs.map((ref, i) => [`${name} ${i}`, ref])),
);

/** Counts that any type holds, most of them zero. */
const VALUES = counts(300 * 648, 5, 120).map((value, i) => i % 3 === 0 ? value : 0);

/** Some positions, neighbours and single ones. */
const ROI = ndarray(Uint8Array.from({ length: 300 }, (_, i) => i % 17 < 2 || i === 299 ? 1 : 0), NAV, "bool");

/** The numbers of all results. */
function numbersOf(results: Results): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(results).flatMap(([key, buffers]) =>
      Object.entries(buffers).map(([name, { data }]) => [`${key}.${name}`, numbers(data)] as const)
    ),
  );
}

/** Kernels of users are written for one type of samples. */
const OF_ANY_TYPE = Object.entries(ALL).filter(([key]) => key !== "kernel 0");

async function sweep(make: (options: ScanOptions) => StoredDataset, udfs: Readonly<Record<string, UdfRef>>) {
  await using context = new RunContext({ memory: 128 * 2 ** 20, workers: 0 });
  const found: Record<string, number[]>[] = [];
  const ways: (PlanOptions & { readonly options?: ScanOptions })[] = [
    { partitions: 1 },
    { options: { order: "big", frameHeaderBytes: 3 }, partitions: 5, tileBytes: 700 },
  ];
  for (const { options = {}, ...rest } of ways) {
    const results = await run(await plan(make(options), udfs, { ...rest, context, roi: ROI }));
    found.push(numbersOf(results));
    await context.settled();
  }
  return found as [Record<string, number[]>, Record<string, number[]>];
}

for (const dtype of DTYPES) {
  const values = dtype === "bool" ? VALUES.map((value) => value > 2 ? 1 : 0) : VALUES;
  Deno.test(`${dtype}: no built-in UDF touches what is not its own, dense or sparse`, async () => {
    const udfs = Object.fromEntries(OF_ANY_TYPE);
    const [a, b] = await sweep((options) => memoryScan(values, NAV, SIG, dtype, options), udfs);
    assertEquals(a, b);
    if (dtype === "bool" || dtype === "float16") return; // sparse data have no such samples
    const [c, d] = await sweep(({ order = "little" }) => csrScan(values, NAV, SIG, dtype, { order }), udfs);
    assertEquals(c, a);
    assertEquals(d, a);
  });
}
