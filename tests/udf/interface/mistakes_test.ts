/** Mistakes in UDFs that gave zeros, or errors of the language alone: each is a clear error of the UDF now. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { goldenScan } from "../data.ts";

const SUM = { sum: { kind: "nav", dtype: "float64" } } as const;

/** The error of a UDF that is written without types. */
async function failure(members: object, dtype: "uint16" | "int64" = "uint16"): Promise<TilewiseError<"udf">> {
  const it = { name: "mine", buffers: SUM, processFrame() {}, ...members } as unknown as Udf;
  const error = await assertRejects(
    async () => await run(await plan(goldenScan(dtype), { it })),
    TilewiseError,
    'UDF "mine"',
  );
  assertEquals([error.code, error.details.udf], ["udf", "mine"]);
  return error as TilewiseError<"udf">;
}

Deno.test("a list as a result says which typed array is expected", async () => {
  const { message } = await failure({ results: ({ sum }: { sum: Float64Array }) => ({ sum: [...sum] }) });
  assertStringIncludes(message, 'buffer "sum" is declared float64, it was given [0,0,');
  assertStringIncludes(message, "it must be a Float64Array, as Float64Array.from(list) makes it");
});

Deno.test("a number or an array with a shape as a result says what is expected", async () => {
  const one = { all: { kind: "single", dtype: "float32", use: "result" } };
  const number = await failure({ buffers: one, results: () => ({ all: 5 }) });
  assertStringIncludes(number.message, "it must be a Float32Array, such as Float32Array.of(value)");
  const shaped = { data: new Float32Array(1), shape: [1], stride: [1], dtype: "float32" };
  const array = await failure({ buffers: one, results: () => ({ all: shaped }) });
  assertStringIncludes(array.message, "such as the data of that array");
});

Deno.test("results() and mergeAll() that give no object of results are refused", async () => {
  const { message } = await failure({ results: ({ sum }: { sum: Float64Array }) => sum });
  assertStringIncludes(
    message,
    "results() returned a Float64Array; it must return an object of results by name",
  );
  for (const given of [undefined, 5, [1]]) {
    const error = await failure({ mergeAll: () => given });
    assertStringIncludes(error.message, "mergeAll() returned");
    assertEquals(error.details["method"], "mergeAll");
  }
});

Deno.test("numbers in a buffer of bigints are explained, with the buffer", async () => {
  const buffers = { sum: { kind: "nav", dtype: "int64" } };
  const add = ({ data }: { data: Float32Array }, { sum }: { sum: number[] }) => sum[0] = sum[0]! + data[0]!;
  const { message } = await failure({ buffers, processFrame: add });
  assertStringIncludes(message, '"sum" is int64: such buffers hold bigints; write BigInt(number) to them');
  const set = await failure({
    buffers,
    processFrame: (_: unknown, { sum }: { sum: number[] }) => sum[0] = 5,
  });
  assertStringIncludes(set.message, '"sum" is int64');
});

Deno.test("samples that are bigints are explained", async () => {
  const add = ({ data }: { data: number[] }, { sum }: { sum: number[] }) => sum[0] = sum[0]! + data[0]!;
  const { message } = await failure({ inputDType: "native", processFrame: add }, "int64");
  assertStringIncludes(message, "samples are int64: bigints; Number(sample) makes numbers of them");
});

Deno.test("bigints in a merge on the main side are explained, with the buffer", async () => {
  const buffers = { all: { kind: "single", dtype: "uint64" } };
  const merge = (into: { all: number[] }, from: { all: number[] }) =>
    into.all[0] = Number(into.all[0]) + Number(from.all[0]);
  const it = { name: "mine", buffers, processFrame() {}, merge } as unknown as Udf;
  const error = await assertRejects(() => testUdf(udf(it), { workers: 0 }), TilewiseError, 'UDF "mine"');
  assertStringIncludes(error.message, '"all" is uint64');
});

Deno.test("a buffer of objects that is used as an array is explained", async () => {
  const buffers = { ...SUM, peaks: { kind: "nav", dtype: "object" } };
  for (
    const processFrame of [
      (_: unknown, { peaks }: { peaks: unknown[] }) => peaks[0] = [1],
      (_: unknown, { peaks }: { peaks: unknown[] }) => peaks.push(1),
    ]
  ) {
    const { message } = await failure({ buffers, processFrame });
    assertStringIncludes(
      message,
      '"peaks" hold objects: they are in context.objects, as in objects.peaks.set(0, value)',
    );
  }
});

Deno.test("a misspelt buffer, and one that only results() fills, are explained", async () => {
  const buffers = { ...SUM, mean: { kind: "nav", use: "result" } };
  const results = ({ sum }: { sum: Float64Array }) => ({ mean: Float32Array.from(sum) });
  const wrong = (_: unknown, { total }: { total: number[] }) => total[0] = 5;
  const { message } = await failure({ buffers, results, processFrame: wrong });
  assertStringIncludes(message, 'its buffers are "sum"');
  assertStringIncludes(message, '"mean" are filled by results() alone');
});

Deno.test("another value in the place of a buffer is refused, in whatever function", async () => {
  const replace = (buffers: Record<string, unknown>) => {
    buffers["sum"] = new Float64Array(1).fill(7);
  };
  const buffers = { sum: { kind: "sig", dtype: "float64" } };
  const cases: Record<string, object> = {
    processFrame: { processFrame: (_: unknown, own: Record<string, unknown>) => replace(own) },
    processTile: { processTile: (_: unknown, own: Record<string, unknown>) => replace(own) },
    processPartition: {
      processFrame: undefined,
      processPartition: (_: unknown, own: Record<string, unknown>) => replace(own),
    },
    preprocess: { preprocess: replace },
    postprocess: { postprocess: replace },
  };
  for (const [method, members] of Object.entries(cases)) {
    const error = await failure({ buffers, merge() {}, ...members });
    assertStringIncludes(error.message, `${method}() put another value in the place of the buffer "sum"`);
    assertStringIncludes(error.message, "write to the buffer, as in sum[0] = value or sum.set(values)");
    assertEquals(error.details["method"], method);
  }
  const merge = { name: "mine", buffers, processFrame() {}, merge: replace } as unknown as Udf;
  await assertRejects(() => testUdf(udf(merge), { workers: 0 }), TilewiseError, "merge() put another value");
  const more = { processFrame: (_: unknown, own: Record<string, unknown>) => own["total"] = 5 };
  assertStringIncludes((await failure(more)).message, 'processFrame() added "total" to its buffers');
});

Deno.test("the path of a module is explained: it would be looked for beside the modules of Tilewise", async () => {
  for (const path of ["./x.ts", "../x.ts", "x.ts", "/home/x.ts", "C:\\x.ts"]) {
    const error = await assertRejects(
      () => Promise.resolve().then(() => udf(path)),
      TilewiseError,
      `workers need its whole URL; write import.meta.resolve("${path}")`,
    );
    assertEquals([error.code, error.details.file], ["udf", path]);
  }
});

Deno.test("what is not a UDF is refused by udf()", async () => {
  const cases: readonly [unknown, string][] = [
    [null, "null; give a UDF, or the URL of the module"],
    [5, "5; give a UDF"],
    [() => {}, "a function; call it to make the UDF"],
    [udf("file:///x.ts"), "a UDF by reference already; use it as it is"],
    [Promise.resolve(), "a promise; give a UDF"],
  ];
  for (const [given, words] of cases) {
    await assertRejects(() => Promise.resolve().then(() => udf(given as never)), TilewiseError, words);
  }
  await assertRejects(
    () => Promise.resolve().then(() => udf("file:///x.ts", { params: 5 } as never)),
    TilewiseError,
    'the option "params" is 5; it must be an object of parameters by name',
  );
});
