/** What can be wrong with a kernel, and that it is said: place, expected, found. */

import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { setCacheFolder } from "../../../src/io/write/cache.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { rewriteKernels } from "../../../src/kernels/code.ts";
import { createContext, RunContext } from "../../../src/runner/context.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import type { SourceKernel } from "../../../src/udf/kernel_udf/options.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { goldenScan } from "../data.ts";
import { simple, SUM } from "./kernels.ts";

rewriteKernels((bytes) => bytes); // places of traps are those of the kernel itself, and it may try to leave its memory
setCacheFolder(""); // what other tests have compiled must not hide a fault

async function failure(kernel: SourceKernel, dataset: StoredDataset = goldenScan()): Promise<TilewiseError> {
  await using context = createContext({ memory: 8 * 2 ** 20, workers: 0 });
  const work = async () =>
    await run(await plan(dataset, { it: kernelUdf(kernel) }, { context, partitions: 3 }));
  const error = await assertRejects(work, TilewiseError) as TilewiseError;
  assertEquals(error.code, "udf", error.message);
  return error;
}

const HEAD = "export function frame(data: usize, rows: i32, cols: i32, out: usize): void";

Deno.test("a source that does not compile is an error with file, line and column", async () => {
  const { message, details } = await failure(simple(`${HEAD} {\n  const x: f64 = "no";\n}`));
  assertStringIncludes(
    message,
    `Cannot compile kernel "simple": kernel.ts:2:18: Type '~lib/string/String' is not`,
  );
  assertEquals([details.file, details.line, details.column], ["kernel.ts", 2, 18]);
  const { message: parse } = await failure(simple(`${HEAD} { let x = ; let y = ; }`));
  assertStringIncludes(parse, "kernel.ts:1:86: Expression expected. (and 1 more)");
});

Deno.test("an empty source, a missing export, another signature: said with what would be right", async () => {
  assertStringIncludes((await failure(simple(" \n"))).message, "its source is empty");
  const missing = await failure(simple("export function sum(a: f64): f64 { return a; }"));
  assertStringIncludes(
    missing.message,
    `has no export frame or tile: it exports sum; write: ${HEAD}`.slice(0, 60),
  );
  const wrong = await failure(
    simple("export function frame(data: usize, rows: i32, out: f32): i32 { return 1; }"),
  );
  assertStringIncludes(
    wrong.message,
    "expected frame(data: usize, rows: i32, cols: i32, out: usize): void, ",
  );
  assertStringIncludes(wrong.message, "found frame(i32, i32, f32): i32");
  const other = await failure(simple(SUM, { export: "tile" }));
  assertStringIncludes(other.message, "has no export tile: it exports frame");
});

Deno.test("a kernel may not allocate, import, call out or keep state", async () => {
  const alloc = await failure(simple(`${HEAD} {
    const t = new StaticArray<f64>(rows);
    t[0] = cols;
    store<f64>(out, t[0]);
  }`));
  assertStringIncludes(alloc.message, "it allocates memory");
  const file = await failure(simple(`import { x } from "./other";\n${HEAD} { x(); }`));
  assertStringIncludes(file.message, "a kernel is one file");
  const random = await failure(simple(`${HEAD} { store<f64>(out, Math.random()); }`));
  assertStringIncludes(random.message, "it needs env.seed");
  const state = await failure(simple(`let count = 0;\n${HEAD} { count++; store<f64>(out, count); }`));
  assertStringIncludes(state.message, `changes the global variable "count"`);
  const nested = await failure(simple(`
    const T: StaticArray<string> = ["no", "yes"];
    ${HEAD} { store<f64>(out, T[rows & 1].length); }`));
  assertStringIncludes(nested.message, "cannot be moved");
});

Deno.test("a constant that is computed when the kernel is loaded is not a state", async () => {
  await using context = createContext({ memory: 8 * 2 ** 20, workers: 0 });
  const source = `const K = Math.exp(Math.sqrt(4.0));\n${HEAD} { store<f64>(out, K); }`;
  const { it } = await run(await plan(goldenScan(), { it: kernelUdf(simple(source)) }, { context }));
  assertEquals(Number(it!.out!.data[3]).toFixed(12), Math.exp(2).toFixed(12));
});

Deno.test("a trap names kernel, partition, frame and line", async () => {
  const traps: [string, string, string][] = [
    ["  if (load<f32>(data) > 2.0)\n    unreachable();", "unreachable", ":4:"],
    ["  const at: usize = 0xfffffff0;\n  store<f64>(at, 1);", "out of bounds", ":4:"],
    ["  const x = rows - 4; store<f64>(out, cols / x);", "divide by zero", ":3:"],
    ["  let i = 7;\n  assert(rows > i, 'few');", "unreachable", ":4:"],
    ["  const t: i32 = 9 + rows; store<f64>(out, TABLE[t]);", "unreachable", ":3:"],
  ];
  for (const [body, reason, line] of traps) {
    const source = `const TABLE: StaticArray<f64> = [1, 2, 3];\n${HEAD} {\n${body}\n}`;
    const { message, details } = await failure(simple(source));
    assertStringIncludes(message, 'Kernel "simple" failed in partition 0 at frame ');
    assertStringIncludes(message, reason);
    assertStringIncludes(message, `(kernel.ts${line}`);
    assertEquals([details.kernel, details.partition], ["simple", 0]);
  }
});

Deno.test("a kernel on a worker that never ends is stopped", async () => {
  // A thread that is told to end does not do so in such a loop, and would compute until the last test: the test ends it.
  const source = `${HEAD} {
    store<f64>(out, 123456.789);
    let left: u64 = 100_000_000_000;
    while (load<f64>(out) == 123456.789 && left-- > 0) {}
  }`;
  await using context = new RunContext({ memory: 8 * 2 ** 20, workers: 1 });
  const planned = await plan(goldenScan(), { it: kernelUdf(simple(source)) }, { context });
  const { buffer } = context.arena.memory;
  const error = await assertRejects(async () => await run(planned, { stallTimeout: 300 }), TilewiseError);
  assertEquals((error as TilewiseError).code, "timeout");
  const numbers = new Float64Array(buffer);
  numbers.forEach((number, i) => number === 123456.789 && (numbers[i] = 0));
});

Deno.test("samples of another type than the kernel was written for are refused", async () => {
  const source = `${HEAD} { store<f64>(out, load<f32>(data)); }`;
  const wide = await failure(simple(source), goldenScan("int32"));
  assertStringIncludes(wide.message, "it takes float32, but the data are int32");
  const native = await failure(simple(source, { input: "native" }));
  assertStringIncludes(native.message, "does not say for which type it was written");
  const complex = await failure(simple(SUM), goldenScan("complex64"));
  assertStringIncludes(complex.message, "AssemblyScript has no such type");
});

Deno.test("options that cannot be right are refused at once", () => {
  const of = (options: object) => () => kernelUdf({ ...simple(SUM), ...options } as SourceKernel);
  assertThrows(of({ file: "x.ts" }), TilewiseError, "give one of source and file");
  assertThrows(of({ buffers: {} }), TilewiseError, "no buffers");
  assertThrows(of({ buffers: { a: { kind: "sig" } } }), TilewiseError, 'needs merge: "sum", "min" or "max"');
  assertThrows(of({ merge: { out: "sum" } }), TilewiseError, 'merge names "out", which is not a sig');
  const sig = { a: { kind: "sig" } };
  assertThrows(of({ buffers: sig, merge: "mean" }), TilewiseError, "none of sum, min, max");
  assertThrows(of({ params: { a: "1" } }), TilewiseError, 'parameter "a" is string');
});

Deno.test("a file that is not there is an error of the file", async () => {
  const buffers = { out: { kind: "nav" } } as const;
  const ref = kernelUdf({ file: "/nowhere/my.as.ts", buffers });
  const error = await assertRejects(() => plan(goldenScan(), { it: ref }), TilewiseError);
  assertEquals((error as TilewiseError).code, "not-found");
});
