/** Operations over several arrays: expressions, functions and kernels see all of them, whatever their types and storage. */

import "../../fences/mod.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { open } from "../../../src/formats/open.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { arrayAt, joinArrays } from "../../../src/views/joined_array.ts";
import type { AxisFacts } from "../../../src/space/axes.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { reduceViews } from "../../../src/views/map/reduce.ts";
import { chain } from "../../../src/views/operations/chain.ts";
import { viewExpression } from "../../../src/views/operations/expression.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import { viewKernel } from "../../../src/views/operations/kernels/view_kernel.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { perSample } from "../../../src/views/operations/per_sample.ts";
import { sampleRange } from "../../../src/views/operations/sample_range.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";
import { openViews } from "../../../src/views/tiles/open.ts";
import { memoryArray } from "../data.ts";

interface Row {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtypes: readonly [DType, DType];
  readonly border: string;
  readonly values: string;
}

const ALL: readonly Row[] = JSON.parse(Deno.readTextFileSync(new URL("generic.json", import.meta.url)));
const ROWS = ALL.filter(({ dtypes }) => dtypes);

const inputs = ["b", "a"] as const;
const WINDOW = [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => [y, x] as const));
const text = (of: (at: string) => string) => WINDOW.map(([y, x]) => of(`[${y},${x}]`)).join(" + ");

/** The same operation in every form; `a` and `b` are joined in another order than they are taken. */
const FORMS: Readonly<Record<string, readonly ViewOperation[]>> = {
  index: [
    viewExpression("(a - b) / (a + b)", { inputs, dtype: "float64" }),
    viewFunction(perSample((b, a) => (a() - b!()) / (a() + b!())), { inputs, dtype: "float64" }),
    viewKernel({
      source: `
        import { Sample } from "tilewise";
        export function plane(b: usize, a: usize, stride: usize, out: usize, rows: i32, cols: i32): void {
          for (let y = 0; y < rows; y++) {
            for (let x = 0; x < cols; x++, out += 8) {
              const at = y * stride + x * sizeof<Sample>();
              const p = <f64>load<Sample>(a + at), q = <f64>load<Sample>(b + at);
              store<f64>(out, (p - q) / (p + q));
            }
          }
        }`,
      inputs,
      dtype: "float64",
    }),
  ],
  covariance: [
    viewExpression(
      `(${text((at) => `a${at} * b${at}`)}) / 9 - (${text((at) => `a${at}`)}) / 9 * (${
        text((at) => `b${at}`)
      }) / 9`,
      {
        inputs,
        dtype: "float64",
      },
    ),
    viewFunction(
      perSample((b, a) => {
        const mean = (of: (y: number, x: number) => number) =>
          WINDOW.reduce((sum, [y, x]) => sum + of(y, x), 0) / 9;
        return mean((y, x) => a!(y, x) * b(y, x)) - mean(a!) * mean(b);
      }),
      { inputs, dtype: "float64", radius: 1 },
    ),
    viewKernel({
      source: `
        import { Sample, View } from "tilewise";
        function at(view: View, y: i32, x: i32): f64 {
          return <f64>load<Sample>(view.data + y * view.stride(0) + x * sizeof<Sample>());
        }
        export function tile(b: View, a: View, out: usize): void {
          for (let y = 0; y < a.shape(0); y++) {
            for (let x = 0; x < a.shape(1); x++, out += 8) {
              let p = 0.0, q = 0.0, both = 0.0;
              for (let i = y - 1; i <= y + 1; i++) {
                for (let j = x - 1; j <= x + 1; j++) {
                  p += at(a, i, j);
                  q += at(b, i, j);
                  both += at(a, i, j) * at(b, i, j);
                }
              }
              store<f64>(out, both / 9 - p / 9 * (q / 9));
            }
          }
        }`,
      inputs,
      radius: 1,
      dtype: "float64",
    }),
  ],
};

Deno.test("expressions, functions and kernels over two arrays are what NumPy and SciPy compute", async () => {
  await using context = new RunContext({ workers: 0 });
  assert(ROWS.length === 30);
  for (const { name, shape, dtypes, border, values } of ROWS) {
    const [a, b] = [7919, 104729].map((step, k) =>
      memoryArray(shape, dtypes[k]!, (i) => i * step % 97 + 1, k ? "big" : "little")
    );
    const expected = values.split(" ").map(Number);
    for (const operation of FORMS[name]!) {
      const { data } = await mapViews(joinArrays({ a: a!, b: b! }), operation, {
        border,
        fill: 7,
        tile: [3, 4],
        context,
      });
      expected.forEach((value, i) => {
        const near = Math.abs(Number(data[i]) - value) <= 1e-12 * Math.max(1, Math.abs(value)) * 100;
        assert(near, `${name} ${operation.operation} ${dtypes} ${border}: ${data[i]} for ${value} at ${i}`);
      });
    }
  }
});

Deno.test("the first step of a chain sees several arrays, with the same bits on workers and in processes", async () => {
  const a = memoryArray([23, 31], "uint8", (i) => i * 7919 % 251);
  const b = memoryArray([23, 31], "float32", (i) => i * 104729 % 1009 / 8, "big");
  const module = import.meta.resolve("./functions.ts");
  const options = { border: "reflect", tile: [8, 12] } as const;
  const plain = viewFunction(perSample((a, b) => a(0, 1) + 2 * b!(1)), { inputs: ["a", "b"], radius: 1 });
  const forms = [
    viewExpression("a[0,1] + 2 * b[1,0]", { inputs: ["a", "b"] }),
    viewFunction(module, { export: "weighted", inputs: ["a", "b"], radius: 1 }),
  ];
  await using inline = new RunContext({ workers: 0 });
  const then = [gaussian({ sigma: 1 }), threshold({ value: 300 })] as const;
  const whole = await mapViews(joinArrays({ a, b }), plain, { ...options, tile: [23, 31], context: inline });
  const image = await open({ data: whole.data, shape: [23, 31] });
  const expected = await mapViews(image, chain(then), { ...options, context: inline });
  assertEquals(new Set(expected.data).size, 2);
  for (const executor of [undefined, processExecutor({ workers: 2 })]) {
    await using own = executor;
    for (const workers of own ? [2] : [0, 2]) {
      await using context = new RunContext({ memory: 2 ** 24, ...(own ? { executor: own } : { workers }) });
      for (const form of forms) {
        const found = await mapViews(joinArrays({ a, b }), [form, ...then], { ...options, context });
        assertEquals(found.data, expected.data);
        await context.settled();
        assertEquals(context.arena.used, 0);
      }
    }
  }
});

Deno.test("a plan over joined arrays holds the memory that it says, and reductions take them", async () => {
  const arrays = joinArrays({
    a: memoryArray([40, 50], "uint8", (i) => i % 200),
    b: memoryArray([40, 50], "int16", (i) => -i),
  });
  const sum = viewExpression("a + b", { inputs: ["a", "b"] });
  await using wide = new RunContext({ workers: 2 });
  const options = { tile: [16, 16], radius: 3 };
  const { memory, explain } = await planMap(arrays, sum, { ...options, context: wide });
  assertStringIncludes(explain(), "a + b over 40 × 50 int16");
  await using context = new RunContext({ memory: memory.total, executor: wide.executor });
  const range = await reduceViews(arrays, [sum, sampleRange()], { ...options, context });
  assertEquals(range, { min: -1800, max: 0 });
  await context.settled();
  assertEquals([context.arena.used, context.arena.peak <= memory.total], [0, true]);
});

Deno.test("one channel of an image, one image of a stack: arrays at an index", async () => {
  await using context = new RunContext({ workers: 0 });
  const data = Uint8Array.from({ length: 60 }, (_, i) => i);
  const stack = await open({ data, shape: [3, 4, 5] });
  const frames = await open(data, {
    format: "raw",
    dtype: "uint8",
    nav: [3, 2],
    sig: [2, 4],
    frameHeaderBytes: 1,
    frameFooterBytes: 1,
  });
  const last = (array: typeof stack) => joinArrays({ first: arrayAt(array, 0), last: arrayAt(array, 2) });
  const step = viewExpression("last - first", { inputs: ["first", "last"] });
  const plain = await mapViews(last(stack), step, { context });
  assertEquals([plain.shape, [...new Set(plain.data)]], [[4, 5], [40]]);
  const framed = await mapViews(last(frames), step, { context, tile: [1, 2, 3] });
  assertEquals([framed.shape, [...new Set(framed.data)]], [[2, 2, 4], [40]]);
  assertThrows(() => arrayAt(stack, 3), TilewiseError, "has no part 3: there are 0 to 2");
  const axes: AxisFacts[] = [{ name: "c", kind: "channel", names: ["r", "g", "b"] }, {}, { name: "x" }];
  const green = arrayAt({ ...memoryArray([3, 4, 5], "uint8"), nav: 1, axes }, 1);
  assertEquals([green.nav, green.axes, green.values?.of], [0, axes.slice(1), [{ ...axes[0], names: ["g"] }]]);
  assertThrows(() => arrayAt(arrayAt(arrayAt(stack, 0), 0), 0), TilewiseError, "Cannot take a part");
});

Deno.test("arrays that do not fit each other or their operation are refused, with what would do", async () => {
  const [a, b] = [memoryArray([4, 5], "uint8"), memoryArray([4, 6], "uint8")];
  assertThrows(
    () => joinArrays({ a, b }),
    TilewiseError,
    "Cannot join arrays of different shapes: a has 4 × 5 samples, b 4 × 6",
  );
  assertThrows(() => joinArrays({}), TilewiseError, "takes an object of arrays by name");
  assertThrows(() => joinArrays({ a, b: 3 as never }), TilewiseError, "joinArrays()");
  await using context = new RunContext({ workers: 0 });
  const refused = async (
    array: Parameters<typeof mapViews>[0],
    operation: ViewOperation | readonly ViewOperation[],
    words: string,
  ) => {
    const error = await assertRejects(
      () => mapViews(array, operation as ViewOperation, { context }),
      TilewiseError,
    );
    assertStringIncludes(error.message, words);
  };
  const both = joinArrays({ a, b: a });
  const sum = viewExpression("a + c", { inputs: ["a", "c"] });
  await refused(
    both,
    sum,
    "Cannot run a + c over the arrays a, b: it takes the arrays a, c, as joinArrays({ a, c })",
  );
  await refused(a, sum, "Cannot run a + c over one array: it takes the arrays a, c");
  await refused(both, gaussian({ sigma: 1 }), "Cannot run gaussian over the arrays a, b: it takes one array");
  await refused(a, [gaussian({ sigma: 1 }), sum], "in a chain, it must be the first");
  await refused(both, viewFunction(() => {}, { inputs: ["a"] }), "it takes the arrays a,");
  await assertRejects(() => openViews(both as never, { tile: [2, 2] }), TilewiseError, "openViews()");
  const made = (make: () => unknown, words: string) => assertThrows(make, TilewiseError, words);
  made(() => viewExpression("x + a", { inputs: ["a"] }), 'Cannot use x in "x + a": it takes the arrays a');
  made(
    () => viewExpression("a + y[0,1]", { inputs: ["a"] }),
    "Cannot use the neighbour y[0,1]: there is a, no array y",
  );
  made(() => viewExpression("a + b", { inputs: ["a"] }), 'nothing is called "b"');
  made(() => viewExpression("a", { inputs: [] }), '"inputs"');
  made(() => viewKernel({ source: "", inputs: ["a", "a"] }), '"inputs"');
  await refused(
    both,
    viewKernel({ source: "export function tile(a: usize, out: usize): void {}", inputs: ["a", "b"] }),
    "expected tile(a: View, b: View, out: usize): void, found tile(i32, i32): void",
  );
});

Deno.test("arrays in chunks of files are joined as well", async () => {
  const folder = await Deno.makeTempDir();
  await using context = new RunContext({ workers: 2 });
  const image = memoryArray([40, 50], "uint16", (i) => i * 7919 % 1009);
  await mapViews(image, copySamples(), { sink: fileSink(`${folder}/a.zarr`, { chunk: [16, 16] }), context });
  const stored = await open(`${folder}/a.zarr`);
  const twice = viewExpression("stored - k * plain + stored[0,1] - plain[0,1]", {
    inputs: ["plain", "stored"],
    params: { k: 2 },
  });
  const sum = joinArrays({ stored, plain: image });
  const { data } = await mapViews(sum, twice, { border: "wrap", context });
  assertEquals(data, Float32Array.from({ length: 2000 }, (_, i) => 0 - i * 7919 % 1009));
  await Deno.remove(folder, { recursive: true });
});

Deno.test("joined arrays have the axes that one of them says; steps, units and kinds that differ are refused", () => {
  const of = (...axes: AxisFacts[]) => ({ ...memoryArray([4, 6], "uint8"), axes });
  const x: AxisFacts = { name: "x", kind: "space", scale: 0.5, offset: 2, unit: "nm" };
  const plain = of({ name: "ky" }, { name: "kx" });
  const told = of({ name: "y", kind: "space" }, x);
  assertEquals(joinArrays({ a: plain, b: told }).axes, told.axes);
  assertEquals(joinArrays({ a: told, b: plain }).axes, told.axes);
  assertEquals(joinArrays({ a: memoryArray([4, 6], "uint8"), b: told }).axes, told.axes);
  const { offset: _, ...moved } = x;
  assertEquals(joinArrays({ a: told, b: of({}, { ...x, offset: 3 }) }).axes, [told.axes[0]!, moved]);
  const close = of({}, { ...x, scale: 0.5 * (1 + 1e-9) });
  assertEquals(joinArrays({ a: told, b: close }).axes, told.axes);
  const names = (...names: string[]) => of({ name: "c", kind: "channel", names }, {});
  const four = ["a", "b", "c", "d"];
  assertEquals(joinArrays({ a: names(...four), b: names(...four) }).axes![0]!.names, four);
  assertEquals(joinArrays({ a: names(...four), b: names("e", "f", "g", "h") }).axes![0]!.names, undefined);
  const nameless = of({ name: "c", kind: "channel" }, { kind: "space" });
  const named = of({ name: "c", kind: "channel", names: four }, x);
  assertEquals(joinArrays({ a: nameless, b: named }).axes, named.axes);
  assertEquals(joinArrays({ a: named, b: nameless }).axes, named.axes);
  for (
    const [other, text] of [
      [{ ...x, upwards: true }, "axis x has upwards false and true"],
      [{ ...x, scale: 1 }, "axis x has scale 0.5 and 1"],
      [{ ...x, unit: "µm" }, 'axis x has unit "nm" and "µm"'],
      [{ ...x, kind: "detector" }, 'axis x has kind "space" and "detector"'],
    ] as const
  ) {
    assertThrows(() => joinArrays({ a: told, b: of({}, other) }), TilewiseError, text);
  }
});
