/** Async functions where nobody waits for them: refused, instead of results that are zero. */

import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import { checkKernel } from "../../../src/udf/testing/kernels/check_kernel.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import type { KernelTwin } from "../../../src/udf/kernel_udf/options.ts";
import { type Params, udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { both } from "../both.ts";
import { counts, goldenScan, memoryScan } from "../data.ts";

const WAITS = import.meta.resolve("./async_udf.ts");
const PLANNED = [
  "buffers",
  "tiling",
  "inputDType",
  "constants",
  "scratch",
  "aux",
  "method",
  "order",
  "pixels",
  "backends",
  "warnings",
];
const RUN = [
  "taskData",
  "preprocess",
  "processTile",
  "processFrame",
  "processPartition",
  "postprocess",
  "cleanup",
  "merge",
  "mergeAll",
  "results",
];

async function refused(member: string, work: () => Promise<unknown>, name = "waits"): Promise<TilewiseError> {
  const error = await assertRejects(work, TilewiseError, `UDF "${name}": ${member}() `);
  assertMatch(error.message, /returned a promise|is an async function/, member);
  assertStringIncludes(error.message, "Make it an ordinary function", member);
  assertEquals([error.code, error.details.udf, error.details["method"]], ["udf", name, member]);
  return error;
}

both("an async function of a UDF is an error that names it, and never a result of zeros", async (context) => {
  const scan = memoryScan(counts(4800, 3), [40, 30], [2, 2], "uint16");
  const compute = async (params: Params, partitions: number) =>
    await run(await plan(scan, { ref: udf(WAITS, { params }) }, { context, partitions }));
  for (const fails of [false, true]) {
    for (const member of [...PLANNED, ...RUN]) {
      await refused(member, () => compute({ member, fails, hidden: true }, 4));
    }
    await refused("merge", () => compute({ member: "merge", fails, hidden: true, tree: true }, 1));
  }
  for (const member of [...PLANNED, ...RUN, "explain"]) await refused(member, () => compute({ member }, 1));
});

Deno.test("an async explain() is an error where the plan is explained", async () => {
  const job = await plan(goldenScan(), { ref: udf(WAITS, { params: { member: "explain", hidden: true } }) });
  await refused("explain", () => Promise.resolve().then(() => job.explain()));
});

Deno.test("a promise of another kind, and of a closure, is refused as well", async () => {
  const thenable = { then: (done: () => void) => done() };
  const odd = {
    name: "odd",
    buffers: { sum: { kind: "nav" } },
    processFrame: () => thenable,
  } as unknown as Udf<Record<"sum", DType>>;
  await refused("processFrame", async () => await run(await plan(goldenScan(), { it: udf(odd) })), "odd");
  await refused("processFrame", () => testUdf(udf(odd), { workers: 0 }), "odd");
});

Deno.test("a generator function is refused: its work would never begin", async () => {
  const lazy = { name: "lazy", buffers: { sum: { kind: "nav" } }, *processFrame() {} } as unknown as Udf<
    Record<"sum", DType>
  >;
  const job = plan(goldenScan(), { it: udf(lazy) });
  await assertRejects(() => job, TilewiseError, "processFrame() is a generator function");
});

Deno.test("ordinary functions may return what they like", async () => {
  const free: Udf<Record<"sum", DType>> = {
    name: "free",
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    taskData: () => new Map([["then", 1]]),
    processFrame: ({ data }, { sum }) => sum[0] = Number(data[0]),
    postprocess: ({ sum }) => sum.fill(7 as never),
    cleanup: () => null,
  };
  const { it } = await run(await plan(goldenScan(), { it: udf(free) }));
  assertEquals(it!.sum!.data[0], 7);
});

Deno.test("an async function of frames is refused, whether its type is known or not", async () => {
  const late = () => Promise.reject(new Error("late"));
  for (const options of [{}, { dtype: "float64", shape: [] }] as const) {
    const it = mapFrames(late as never, options);
    const error = await assertRejects(
      async () => await run(await plan(goldenScan(), { it })),
      TilewiseError,
      "a promise (it must not be async",
    );
    assertEquals([error.code, error.details.udf], ["udf", "late"]);
  }
});

Deno.test("an async function of masks is refused", async () => {
  const module = "data:text/javascript,export default async () => { throw new Error('late') }";
  const job = plan(goldenScan(), { it: applyMasks({ masks: [{ module }] }) });
  await assertRejects(() => job, TilewiseError, "returned a promise, which is not awaited");
});

Deno.test("an async twin of a kernel is refused, and not taken for one that gives zeros", async () => {
  const ref = kernelUdf({
    name: "zero",
    source:
      "export function frame(data: usize, rows: i32, cols: i32, out: usize): void { store<f32>(out, 0) }",
    buffers: { out: { kind: "nav" } },
    twin: (() => Promise.reject(new Error("late"))) as unknown as KernelTwin,
  });
  await refused("twin", () => checkKernel(ref, { runs: 2 }), "zero");
});

Deno.test("an error of an async onProgress ends the run, as one of an ordinary function does", async () => {
  await using context = createContext({ workers: 0 });
  const it: UdfRef = udf({
    name: "slow",
    buffers: { sum: { kind: "nav" } },
    processFrame: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5),
  });
  const job = await plan(goldenScan(), { it }, { context, partitions: 12 });
  const onProgress = async () => {
    await Promise.resolve();
    throw new Error("no more");
  };
  await assertRejects(async () => await run(job, { onProgress, progressRate: 1e6 }), Error, "no more");
});
