/** Kernels of users over views: what they get, and what is said when they are wrong. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { type ErrorCode, TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { chain } from "../../../src/views/operations/chain.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import type { ViewKernelOptions } from "../../../src/views/operations/kernels/options.ts";
import { viewKernel } from "../../../src/views/operations/kernels/view_kernel.ts";
import { perSample } from "../../../src/views/operations/per_sample.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { memoryArray } from "../data.ts";
import { HEAD, RANGE, SPREAD, WEIGHTED } from "./kernels.ts";

interface Row {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly border: string;
  readonly values: string;
}

const ALL: readonly Row[] = JSON.parse(Deno.readTextFileSync(new URL("generic.json", import.meta.url)));
const ROWS = ALL.filter(({ name }) => name === "range" || name === "spread");
const IMAGE = memoryArray([6, 8], "uint8", (i) => i % 50);
const OPTIONS = { tile: [2, 5] };

Deno.test("kernels are what the same functions are by generic_filter of SciPy, in every border mode", async () => {
  await using context = new RunContext({ workers: 0 });
  assert(ROWS.length > 70);
  for (const { name, shape, dtype, border, values } of ROWS) {
    const low = dtype === "uint8" ? 0 : 120;
    const array = memoryArray(shape, dtype, (i) => i * 7919 % 251 - low);
    const radius = name === "spread" ? 1 : shape.map((_, d) => d < shape.length - 2 ? 0 : 1);
    const kernel = name === "spread"
      ? viewKernel({ source: SPREAD, radius, dtype: "float64" })
      : viewKernel({ source: RANGE, radius, dtype: "float64", params: { radius: 1 } });
    const tile = shape.map((n, d) => Math.max(1, Math.min(n, 3 - d % 2)));
    const { data } = await mapViews(array, kernel, { border, fill: 7, tile, context });
    assertEquals([...data], values.split(" ").map(Number), `${name} ${shape} ${dtype} ${border}`);
  }
});

Deno.test("a kernel gives the same bits on workers, in processes, and in a chain", async () => {
  const image = memoryArray([23, 31], "uint16", (i) => i * 7919 % 1009);
  const range = viewKernel({ source: RANGE, radius: 2, params: { radius: 2 }, dtype: "native" });
  const spread = perSample((at) => {
    const window = [-2, -1, 0, 1, 2].flatMap((y) => [-2, -1, 0, 1, 2].map((x) => at(y, x)));
    return Math.max(...window) - Math.min(...window);
  });
  const twin = viewFunction(spread, { radius: 2 });
  const steps = [gaussian({ sigma: 1 }), range, threshold({ value: 150 })] as const;
  const options = { border: "reflect", tile: [8, 12] } as const;
  await using inline = new RunContext({ workers: 0 });
  const expected = await mapViews(image, chain([steps[0], twin, steps[2]]), { ...options, context: inline });
  assertEquals(new Set(expected.data), new Set([0, 1]));
  for (const executor of [undefined, processExecutor({ workers: 2 })]) {
    await using own = executor;
    for (const workers of own ? [2] : [0, 1, 2]) {
      await using context = new RunContext({ memory: 2 ** 24, ...(own ? { executor: own } : { workers }) });
      assertEquals((await mapViews(image, steps, { ...options, context })).data, expected.data);
    }
  }
});

Deno.test("arrays, scratch memory and parameters come in the order of their declaration", async () => {
  await using context = new RunContext({ workers: 0 });
  const weighted = viewKernel({
    source: WEIGHTED,
    radius: [0, 1],
    dtype: "float64",
    arrays: { weights: Float32Array.of(1, -2, 4) },
    scratch: { row: { dtype: "float64", perSample: 1 } },
    params: { scale: 0.5, offset: 3 },
  });
  const twin = viewFunction(
    perSample((at) => [1, -2, 4].reduce((sum, w, k) => sum + w * (at(0, k - 1) * 0.5 + 3), 0)),
    { radius: [0, 1], dtype: "float64" },
  );
  const [found, expected] = await Promise.all(
    [weighted, twin].map((operation) => mapViews(IMAGE, operation, { ...OPTIONS, context })),
  );
  assertEquals(found, expected);
});

Deno.test("a kernel knows where its tile is, and its uneven halo", async () => {
  await using context = new RunContext({ workers: 0 });
  const place = viewKernel({
    source: `
      import { Result, Sample, View } from "tilewise";
      export function tile(view: View, out: usize): void {
        for (let y = 0; y < view.shape(0); y++) {
          for (let x = 0; x < view.shape(1); x++, out += sizeof<Result>()) {
            const ahead = load<Sample>(view.data + y * view.stride(0) + (x + 2) * sizeof<Sample>());
            const at = (<i32>view.origin(0) + y) * 1000 + (<i32>view.origin(1) + x) * 100 + ahead;
            store<Result>(out, at + 1000000 * view.back(1) + 10000000 * view.radius(1));
          }
        }
      }`,
    radius: { back: [0, 2] },
    dtype: "int32",
  });
  const { data } = await mapViews(IMAGE, place, { ...OPTIONS, border: "wrap", context });
  const expected = Array.from({ length: 48 }, (_, i) => {
    const [y, x] = [i >> 3, i & 7];
    return 2000000 + y * 1000 + x * 100 + 8 * y + (x + 2) % 8;
  });
  assertEquals([...data], expected);
});

Deno.test("a kernel that was written for one type gets samples of that type, or is refused", async () => {
  await using context = new RunContext({ workers: 0 });
  const source =
    `${HEAD} { for (let i = 0; i < cols; i++) store<f32>(out + 4 * i, 2 * load<f32>(data + 4 * i)); }`;
  const double = viewKernel({ source });
  const { data } = await mapViews(memoryArray([1, 3], "int16", (i) => i - 1), double, { context });
  assertEquals(data, Float32Array.of(-2, 0, 2));
  const wide = () => mapViews(memoryArray([1, 3], "int32"), double, { context });
  assertStringIncludes(
    (await assertRejects(wide, TilewiseError)).message,
    "it takes float32, but the data are int32",
  );
  const complex = () =>
    mapViews(memoryArray([1, 3], "complex64"), viewKernel({ source: SPREAD }), { context });
  assertStringIncludes(
    (await assertRejects(complex, TilewiseError)).message,
    "AssemblyScript has no such type",
  );
});

Deno.test("what a kernel does wrong is told with its name, its line and the place of the tile", async () => {
  for (const workers of [0, 1]) {
    await using context = new RunContext({ workers });
    const refused = async (options: ViewKernelOptions, code: ErrorCode, ...words: string[]) => {
      const work = () =>
        mapViews(IMAGE, viewKernel({ name: "mine", ...options }), { ...OPTIONS, context, stallTimeout: 300 });
      const error = await assertRejects(work, TilewiseError);
      assertEquals(error.code, code, error.message);
      for (const word of words) assertStringIncludes(error.message, word);
      await context.settled();
      assertEquals(context.arena.used, 0);
    };
    const source = (body: string) => ({ source: `${HEAD} {\n${body}\n}` });
    await refused(
      source("  if (load<f32>(data) > 10)\n    unreachable();"),
      "udf",
      'Kernel "mine" failed for the tile [2:4, 0:5]: unreachable (kernel.ts:3:5)',
    );
    await refused(
      source("  store<f32>(out + 4 * rows * cols, 0);"),
      "udf",
      'Kernel "mine" writes outside of its result for the tile [0:2, 0:5]',
      "the shape 2 × 5",
    );
    await refused(source("  store<u8>(out - 1, 0);"), "udf", "writes outside of its result");
    if (workers > 0) continue; // what follows is refused before there is work for workers
    await refused(
      { source: "export function frame(a: usize): void {}" },
      "udf",
      'Kernel "mine" has no export plane or tile: it exports frame; write: export function plane(data: usize, ' +
        "stride: usize, out: usize, rows: i32, cols: i32): void",
    );
    await refused(
      { source: "export function tile(a: usize): void {}", params: { k: 1 } },
      "udf",
      "expected tile(view: View, out: usize, k: f64): void, found tile(i32): void",
    );
    await refused(source("  let x: f64 = y;"), "udf", "kernel.ts:2:16: Cannot find name 'y'");
    await refused(source("  new StaticArray<f64>(rows);"), "udf", "it allocates memory");
    for (const length of [16, 50_000_000]) {
      const table = `const table = new StaticArray<f64>(${length});\n`;
      const { source: own } = source("  store<f64>(out, table[rows]);");
      await refused({ source: table + own }, "udf", 'Cannot use kernel "mine": it allocates memory');
    }
    await refused({ file: "/nowhere/mine.as.ts" }, "not-found");
  }
});

Deno.test("a kernel that never ends is a timeout that names it", async () => {
  // In a process, which the system ends: a thread would compute until the last test.
  await using context = new RunContext({ executor: processExecutor({ workers: 1 }) });
  const endless = viewKernel({ name: "mine", source: `${HEAD} { while (load<f32>(data) >= 0) {} }` });
  const error = await assertRejects(
    () => mapViews(IMAGE, endless, { ...OPTIONS, context, stallTimeout: 300 }),
    TilewiseError,
  );
  assertEquals(error.code, "timeout", error.message);
  assertStringIncludes(error.message, 'kernel "mine" over views');
});

Deno.test("a kernel that never ends does not hold up a cancel, and its memory is not used again", async () => {
  await using context = new RunContext({ workers: 1, memory: 2 ** 22 });
  // Ends after some seconds: a thread that is told to end does not do so in such a loop, and would compute until the last test.
  const long = "{ let left: u64 = 2_000_000_000; while (load<f32>(data) >= 0 && left-- > 0) {} }";
  const endless = viewKernel({ source: `${HEAD} ${long}` });
  const signal = AbortSignal.timeout(200);
  const error = await assertRejects(
    () => mapViews(IMAGE, endless, { ...OPTIONS, context, signal, stallTimeout: 60_000 }),
    TilewiseError,
  );
  assertEquals(error.code, "aborted");
  const range = viewKernel({ source: RANGE, radius: 1, params: { radius: 1 } });
  assertEquals((await mapViews(IMAGE, range, { context })).data[9], 18);
});

Deno.test("refused when it is made: no source, parameters that are not numbers, types that kernels do not have", () => {
  const refused = (options: object, words: string) =>
    assertThrows(() => viewKernel(options as ViewKernelOptions), TilewiseError, words);
  refused({}, 'Cannot make an operation of kernel "kernel": give one of source and file');
  refused({ source: "", file: "" }, "give one of source and file");
  refused({ source: "", params: { k: "1" } }, '"params.k" is "1"');
  refused({ source: "", dtype: "complex64" }, "AssemblyScript has no such type");
  refused({ source: "", input: "u8" }, '"input"');
  refused({ source: "", export: "frame" }, '"export"');
  refused({ source: "", Radius: 1 }, "radius");
  refused({ source: "", scratch: { a: {} } }, '"scratch.a.dtype"');
});
