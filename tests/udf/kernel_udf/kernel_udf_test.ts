/** Kernels as UDFs: results against plain computation, on any worker count and partitioning. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { setCacheFolder } from "../../../src/io/write/cache.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { BASES, findMoves, moveStatics } from "../../../src/user_kernels/imports.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { builtin, udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";
import { RICH, simple, SUM, SUM_SIMD } from "./kernels.ts";

setCacheFolder(""); // what other tests have compiled must not hide a fault

async function results(
  ref: UdfRef,
  dataset = goldenScan(),
  options: { partitions?: number; workers?: number } = {},
) {
  const { partitions = 1, workers = 0 } = options;
  await using context = createContext({ memory: 16 * 2 ** 20, workers });
  return (await run(await plan(dataset, { it: ref }, { context, partitions }))).it!;
}

const SUM_UDF = kernelUdf({
  name: "sum",
  source: SUM,
  buffers: { total: { kind: "nav", dtype: "float64" } },
});

const TYPES: readonly DType[] = ["bool", "int16", "uint32", "float64"];

Deno.test("a kernel is compiled for the type of the samples, in either byte order", async () => {
  for (const dtype of TYPES) {
    const scan = goldenScan(dtype, { order: "big" });
    const { intensity } = await results(builtin("sum_pixels"), scan);
    assertEquals(numbers((await results(SUM_UDF, scan)).total!.data), numbers(intensity!.data), dtype);
  }
});

Deno.test("a tile kernel takes frames as they lie, with headers between them", async () => {
  const values = counts(300 * 35, 7);
  const scan = memoryScan(values, [20, 15], [5, 7], "uint16", { frameHeaderBytes: 6 });
  const ref = kernelUdf({
    name: "simd",
    source: SUM_SIMD,
    input: "uint16",
    buffers: { total: { kind: "nav", dtype: "float64" } },
  });
  const { intensity } = await results(builtin("sum_pixels"), scan);
  assertEquals(numbers((await results(ref, scan)).total!.data), numbers(intensity!.data));
});

Deno.test("buffers of every kind, arrays, scratch, parameters, tables and Math agree with plain TypeScript", async () => {
  const scan = goldenScan();
  const values = Array.from({ length: 240 }, (_, k) => Math.log(1 + (7 * k * k + 3 * k) % 31) * 1.5 - 0.25);
  const mean = Array.from(
    { length: 12 },
    (_, f) =>
      values.slice(20 * f, 20 * f + 20).reduce(
        (sum, v, i) => sum + v * (i / 16) * [0.5, 1, 2, 4][i % 4]!,
        0,
      ) / 20,
  );
  const found = await results(kernelUdf(RICH), scan);
  numbers(found.mean!.data).forEach((value, f) => assert(Math.abs(value - mean[f]!) < 1e-13));
  assertEquals(numbers(found.least!.data), [Math.min(...values)]);
  numbers(found.image!.data).forEach((value, p) => {
    const sum = Array.from({ length: 12 }, (_, f) => values[20 * f + p]!).reduce((a, b) => a + b);
    assert(Math.abs(value - sum) < 1e-4);
  });
});

Deno.test("the bits do not depend on workers and partitions", async () => {
  const values = counts(4000 * 20, 3, 30000);
  const scan = memoryScan(values, [40, 100], [4, 5], "uint16");
  const first = await results(kernelUdf(RICH), scan);
  for (const options of [{ partitions: 7 }, { partitions: 13, workers: 2 }]) {
    const again = await results(kernelUdf(RICH), scan, options);
    for (const name of ["mean", "image", "least"]) {
      assertEquals(numbers(again[name]!.data), numbers(first[name]!.data), name);
    }
  }
});

Deno.test("min and max of integers and floats start at their ends", async () => {
  const source = `
    export function frame(data: usize, rows: i32, cols: i32, low: usize, high: usize, top: usize): void {
      for (let i = 0; i < rows * cols; i++) {
        const v = load<f32>(data + 4 * i);
        store<f32>(low + 4 * i, min(load<f32>(low + 4 * i), v));
        store<i16>(high, max(load<i16>(high), <i16>v));
        store<i64>(top, max(load<i64>(top), <i64>v));
      }
    }`;
  const ref = kernelUdf({
    name: "ends",
    source,
    buffers: {
      low: { kind: "sig" },
      high: { kind: "single", dtype: "int16" },
      top: { kind: "single", dtype: "int64" },
    },
    merge: { low: "min", high: "max", top: "max" },
  });
  const values = Array.from({ length: 24 }, (_, i) => i - 40);
  const found = await results(ref, memoryScan(values, [6], [2, 2], "int16"), { partitions: 3 });
  assertEquals(numbers(found.low!.data), [-40, -39, -38, -37]);
  assertEquals([numbers(found.high!.data), numbers(found.top!.data)], [[-17], [-17]]);
});

Deno.test("static data moves to any address, also above 2 GiB", () => {
  const [a, b] = BASES.map((base) => Uint8Array.of(0x41, 0x85, 0x80, 0x80, 0x80, base >>> 28, 0x0b));
  const moves = findMoves(a!, b!, "k");
  assertEquals(moves, [1]);
  for (const base of [0, 1024, 2 ** 31 - 64, 2 ** 31, 2 ** 32 - 128]) {
    const moved = moveStatics(a!, moves, base);
    // (module (func (export "f") (result i32) i32.const …))
    const head = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0];
    const module = new WebAssembly.Module(Uint8Array.of(...head, 10, 10, 1, 8, 0, ...moved));
    const { f } = new WebAssembly.Instance(module).exports as { f: () => number };
    assertEquals(f() >>> 0, base + 5);
  }
  assertThrows(
    () => findMoves(a!, Uint8Array.of(0, ...b!.subarray(1)), "k"),
    TilewiseError,
    "cannot be moved",
  );
});

Deno.test("two kernels with tables of their own do not disturb each other, nor the tiles", async () => {
  const table = (values: string) =>
    kernelUdf(simple(`
      const T: StaticArray<f64> = [${values}];
      export function frame(data: usize, rows: i32, cols: i32, out: usize): void {
        store<f64>(out, T[<i32>load<f32>(data) & 3]);
      }`));
  const scan = memoryScan(Array.from({ length: 64 }, (_, i) => i), [64], [1, 1], "uint8");
  await using context = createContext({ memory: 8 * 2 ** 20, workers: 0 });
  const udfs = { a: table("1, 2, 3, 4"), b: table("5, 6, 7, 8"), total: builtin("sum_pixels") };
  const { a, b, total } = await run(await plan(scan, udfs, { context }));
  assertEquals(numbers(a!.out!.data).slice(0, 5), [1, 2, 3, 4, 1]);
  assertEquals(numbers(b!.out!.data).slice(0, 5), [5, 6, 7, 8, 5]);
  assertEquals(numbers(total!.intensity!.data).at(-1), 63);
});

Deno.test("a file is a source, its name the kernel's; a module may export the reference", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/my_sum.as.ts`, SUM);
    const ref = kernelUdf({
      file: `${folder}/my_sum.as.ts`,
      buffers: { total: { kind: "nav", dtype: "float64" } },
    });
    assertEquals(ref.name, "my_sum");
    const expected = numbers((await results(builtin("sum_pixels"))).intensity!.data);
    assertEquals(numbers((await results(ref)).total!.data), expected);
    const module = new URL("../../../src/udf/kernel_udf/kernel_udf.ts", import.meta.url);
    await Deno.writeTextFile(
      `${folder}/my_sum.ts`,
      `import { kernelUdf } from ${JSON.stringify(module.href)};
       export default ({ times }) => kernelUdf({
         file: import.meta.resolve("./my_sum.as.ts"),
         buffers: { total: { kind: "nav", dtype: "float64" } },
       });`,
    );
    const byModule = udf(`file://${folder}/my_sum.ts`, { params: { times: 2 } });
    assertEquals(numbers((await results(byModule, goldenScan(), { workers: 1 })).total!.data), expected);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kernels of Tilewise go by their family", async () => {
  const scan = goldenScan();
  const sums = await results(kernelUdf({ kernel: "sum_pixels" }), scan);
  assertEquals(
    numbers(sums.intensity!.data),
    numbers((await results(builtin("sum_pixels"), scan)).intensity!.data),
  );
  const frames = await results(kernelUdf({ kernel: "sum_frames" }), scan);
  assertEquals(
    numbers(frames.intensity!.data),
    numbers((await results(builtin("sum_frames"), scan)).intensity!.data),
  );
  const { extremes } = await results(kernelUdf({ kernel: "min_max", name: "ends" }), scan, { partitions: 3 });
  const values = Array.from({ length: 240 }, (_, k) => (7 * k * k + 3 * k) % 31);
  const ends = Array.from({ length: 12 }, (_, f) => values.slice(20 * f, 20 * f + 20));
  assertEquals(numbers(extremes!.data), ends.flatMap((frame) => [Math.min(...frame), Math.max(...frame)]));
  const odd = () => kernelUdf({ kernel: "dot_f32" as "min_max" });
  assertThrows(odd, TilewiseError, '"sum_pixels", "sum_frames" or "min_max"');
});
