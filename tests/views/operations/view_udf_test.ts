/** UDFs over views: entries per tile, merged, with the same bits on workers and in processes. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { joinArrays } from "../../../src/views/joined_array.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { reduceViews } from "../../../src/views/map/reduce.ts";
import { localMaximum } from "../../../src/views/operations/local_extremes.ts";
import type { ViewReduction } from "../../../src/views/operations/operation.ts";
import { viewUdf } from "../../../src/views/operations/udf/view_udf.ts";
import { memoryArray } from "../data.ts";
import type { stats } from "./functions.ts";

const MODULE = import.meta.resolve("./functions.ts");
const SHAPE = [7, 9];
const sample = (i: number) => i * 7919 % 100 + 1;
const IMAGE = memoryArray(SHAPE, "int16", sample, "big");
const SAMPLES = Array.from({ length: 63 }, (_, i) => sample(i));
const OPTIONS = { tile: [3, 4], border: "wrap" } as const;

/** What `stats` gives, by its definition. */
function expected(samples: readonly number[], least = 0) {
  const tiles = Array.from({ length: 9 }, (_, t) => {
    const own = samples.filter((value, i) => {
      const [y, x] = [Math.floor(i / 9), i % 9];
      return Math.floor(y / 3) === Math.floor(t / 3) && Math.floor(x / 4) === t % 3 && value >= least;
    });
    return [own.length, own.reduce((a, b) => a + b, 0)];
  });
  const all = samples.filter((value) => value >= least);
  return {
    sum: Float64Array.of(all.reduce((a, b) => a + b, 0)),
    range: Int32Array.of(0, Math.max(...all)), // the merge of users begins with zeros
    most: Uint8Array.of(Math.max(...all)),
    count: BigInt64Array.of(BigInt(all.length)),
    sums: Float64Array.from(tiles.flat()),
  };
}

Deno.test("a UDF in a module has the same results on workers, in processes, in any traversal, and after filters", async () => {
  const udf = viewUdf<typeof stats>(MODULE, { export: "stats", params: { least: 5 } });
  await using inline = new RunContext({ workers: 0 });
  const filtered = await mapViews(IMAGE, localMaximum({ radius: 1 }), { ...OPTIONS, context: inline });
  const greatest = Array.from(filtered.data, Number);
  for (const executor of [undefined, processExecutor({ workers: 2 })]) {
    await using own = executor;
    for (const workers of own ? [2] : [0, 1, 2]) {
      await using context = new RunContext({ memory: 2 ** 23, ...(own ? { executor: own } : { workers }) });
      for (const traversal of ["row-major", "hilbert"] as const) {
        const { sum, range, most, count, sums } = await reduceViews(IMAGE, udf, {
          ...OPTIONS,
          traversal,
          context,
        });
        const found = {
          sum: sum.data,
          range: range.data,
          most: most.data,
          count: count.data,
          sums: sums.data,
        };
        assertEquals(found, expected(SAMPLES, 5));
        assertEquals([sum.shape, range.shape, sums.shape], [[], [2], [3, 3, 2]]);
      }
      const after = await reduceViews(IMAGE, [localMaximum({ radius: 1 }), udf], { ...OPTIONS, context });
      assertEquals(after.sums.data, expected(greatest, 5).sums);
      await context.settled();
      assertEquals(context.arena.used, 0);
    }
  }
});

Deno.test("a UDF itself runs on the calling thread, and takes joined arrays", async () => {
  await using context = new RunContext({ workers: 2 });
  const calls: number[] = [];
  const product = viewUdf({
    name: "product",
    buffers: {
      sum: { kind: "single", dtype: "complex64", merge: "sum" },
      least: { kind: "single", merge: "min" },
    },
    inputs: ["a", "b"],
    processView({ arrays: { a, b }, origin }, { sum, least }) {
      calls.push(origin[0]!);
      for (let i = 0; i < a.shape[1]!; i++) sum[0]! += a.data[i]! * b.data[i]!;
      sum[1] = 1;
      least[0] = Math.min(...a.data);
    },
  });
  const arrays = joinArrays({
    b: memoryArray([4, 3], "uint8", (i) => i),
    a: memoryArray([4, 3], "int8", (i) => 2 - i),
  });
  const { sum, least } = await reduceViews(arrays, product, { tile: [1, 3], context });
  const total = Array.from({ length: 12 }, (_, i) => i * (2 - i)).reduce((a, b) => a + b);
  assertEquals([...sum.data, ...least.data, ...calls], [total, 4, -9, 0, 1, 2, 3]);
});

Deno.test("what a UDF does wrong is told with its name and the place of the tile", async () => {
  for (const workers of [0, 1]) {
    await using context = new RunContext({ workers });
    const refused = async (udf: ViewReduction<unknown, "uint8">, code: string, ...words: string[]) => {
      const error = await assertRejects(
        () => reduceViews(IMAGE, udf, { ...OPTIONS, context }),
        TilewiseError,
      );
      assertEquals(error.code, code, error.message);
      for (const word of words) assertStringIncludes(error.message, word);
      await context.settled();
      assertEquals(context.arena.used, 0);
    };
    await refused(
      viewUdf(MODULE, { export: "failing" }),
      "udf",
      'UDF "failing" failed for the tile [3:6, 0:4]',
      "no such row",
    );
    await refused(viewUdf(MODULE, { export: "five" }), "udf", '"five" of', "it is not a UDF, but 5");
    await refused(viewUdf(MODULE, { export: "late" }), "udf", "it returned a promise");
    await refused(viewUdf(MODULE, { export: "lost" }), "udf", 'no export "lost"');
    const sum = { kind: "single", merge: "sum" } as const;
    await refused(
      viewUdf({ buffers: { sum }, input: "int8", processView: () => {} }),
      "unsupported",
      'use input: "int16"',
    );
    await refused(
      viewUdf({
        buffers: { sum: { kind: "single" } },
        processView: () => {},
        merge: () => {
          throw new Error("no");
        },
      }),
      "udf",
      'UDF "viewUdf" failed in merge(): no',
    );
  }
});

Deno.test("refused when it is made: buffers that cannot be merged, names nobody knows", () => {
  const processView = () => {};
  const refused = (udf: object, words: string) =>
    assertThrows(() => viewUdf(udf as never), TilewiseError, words);
  refused({ buffers: {}, processView }, "it has no buffers");
  refused(
    { buffers: { a: { kind: "single" } }, processView },
    'its buffer "a" needs merge: "sum", "min" or "max"',
  );
  refused(
    { buffers: { a: { kind: "tile", merge: "sum" } }, processView },
    "an entry per tile, which are not merged",
  );
  refused(
    { buffers: { a: { kind: "single", dtype: "complex64", merge: "max" } }, processView },
    "have no order",
  );
  refused({ buffers: { a: { kind: "nav" } }, processView }, '"buffers.a.kind"');
  refused({ buffers: { a: { kind: "tile" } } }, '"processView"');
  refused({ buffers: { a: { kind: "tile" } }, processview: processView, processView }, "processView");
  assertThrows(() => viewUdf("./functions.ts"), TilewiseError, 'import.meta.resolve("./functions.ts")');
});
