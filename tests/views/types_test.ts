/** Views in a wider type than their array, and views of several arrays. */

import "../fences/mod.ts";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { open } from "../../src/formats/open.ts";
import { RunContext } from "../../src/runner/context.ts";
import { BORDERS } from "../../src/space/border.ts";
import { type DType, dtypeInfo, DTYPES, resultType, type TypedArray } from "../../src/space/dtype.ts";
import type { Shape } from "../../src/space/shape.ts";
import { joinArrays } from "../../src/views/joined_array.ts";
import { planViews, type ViewOptions } from "../../src/views/plan.ts";
import { openViews } from "../../src/views/tiles/open.ts";
import { ViewReader } from "../../src/views/view.ts";
import { sleep } from "../executor/steps.ts";
import { memoryArray } from "./data.ts";
import { samplesOf } from "./sinks/data.ts";

/** The numbers of samples; complex ones are pairs. */
const numbers = (data: TypedArray, stored: DType, as: DType): number[] =>
  dtypeInfo(as).kind === "c" && dtypeInfo(stored).kind !== "c"
    ? [...data].flatMap((value) => [Number(value), 0])
    : [...data].map(Number);

const context = new RunContext({ workers: 0, memory: "128MiB" }); // room for the fences of thousands of tiles
const opened = (shape: Shape, dtype: DType) => open({ data: samplesOf(shape, dtype), shape, dtype } as never);

/** All views of a reader, as numbers. */
async function viewsOf(input: Parameters<typeof planViews>[0], options: ViewOptions, as?: DType) {
  const plan = planViews(input, { ...options, ...(as ? { dtype: as } : {}), context });
  await using reader = await ViewReader.open(plan);
  const all: number[][] = [];
  for await (const view of reader) all.push(numbers(view.data, plan.dtype, as ?? plan.dtype));
  return all;
}

const WIDER = DTYPES.flatMap((from) =>
  DTYPES.filter((to) => from !== to && resultType(from, to) === to).map((to) => [from, to] as const)
);
const dimension = fc.record({
  n: fc.integer({ min: 1, max: 7 }),
  t: fc.integer({ min: 1, max: 4 }),
  r: fc.nat(3),
});

Deno.test("views in a wider type have the same numbers, by a reader and from tiles", async () => {
  const cases = fc.record({
    dims: fc.array(dimension, { minLength: 1, maxLength: 4 }),
    types: fc.constantFrom(...WIDER),
    border: fc.constantFrom(...Object.keys(BORDERS)),
    clipped: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ dims, types: [from, to], border, clipped }) => {
      const data = await opened(dims.map(({ n }) => n), from);
      const more = clipped ? { clipped } : { border: border as "edge" };
      const options = { tile: dims.map(({ t }) => t), radius: dims.map(({ r }) => r), ...more };
      const stored = await viewsOf(data, options);
      const expected = to.startsWith("complex") && !from.startsWith("complex")
        ? stored.map((view) => view.flatMap((value) => [value, 0]))
        : stored;
      assertEquals(await viewsOf(data, options, to), expected);
      await using views = await openViews(data, { ...options, dtype: to, context, ahead: 1 });
      views.requestAll();
      for (const one of expected) {
        using view = (await views.next())!;
        assertEquals(numbers(view.data, to, to), one);
      }
    }),
    { numRuns: 60 },
  );
  // Closed views return their memory when the last tile has been loaded, which nobody waits for.
  for (let i = 0; i < 1000 && context.arena.used > 0; i++) await sleep(1);
  assertEquals(context.arena.used, 0);
});

Deno.test("the constant around views is one of their type: −1 and NaN around bytes", async () => {
  const data = await opened([3], "uint8");
  const options = { tile: [3], radius: 1 };
  assertThrows(
    () => planViews(data, { ...options, fill: -1 }),
    TilewiseError,
    "Cannot fill samples of uint8",
  );
  assertEquals((await viewsOf(data, { ...options, fill: -1 }, "int16"))[0]!.at(-1), -1);
  await using views = await openViews(data, { ...options, fill: NaN, dtype: "float32", context });
  using view = await views.read([0]);
  const { data: samples }: { data: Float32Array } = view;
  assertEquals(samples[0], NaN);
});

Deno.test("a type that does not hold the samples is refused, with one that would", async () => {
  const data = await opened([3, 4], "uint16");
  for (
    const call of [
      () => planViews(data, { tile: [2, 2], dtype: "int16" }),
      () => openViews(data, { tile: [2, 2], dtype: "int16", context }),
    ]
  ) {
    const error = await assertRejects(async () => await call(), TilewiseError, "int32 would");
    assertEquals([error.code, error.details.option], ["unsupported", "dtype"]);
  }
});

Deno.test("views of joined arrays have those of each, in the type that holds all of them", async () => {
  const shape = [5, 7];
  const parts = {
    a: memoryArray(shape, "uint8"),
    b: await opened(shape, "int32"),
    c: await opened(shape, "float32"),
  };
  const joined = joinArrays(parts);
  const options = { tile: [2, 3], radius: [1, 2], border: "reflect", context } as const;
  const plan = planViews(joined, options);
  assertEquals(plan.dtype, "float64");
  await using reader = await ViewReader.open(plan);
  for (const [name, part] of Object.entries(parts)) {
    await using own = await ViewReader.open(planViews(part, { ...options, dtype: "float64" }));
    for (const index of [[0, 0], [1, 1], [2, 2]]) {
      using view = await reader.read(index);
      using expected = await own.read(index);
      assertEquals(Object.keys(view.arrays), ["a", "b", "c"]);
      assertEquals(view.arrays[name]!.data, expected.data);
      assertEquals(view.part(view.geometry.central, name), expected.core);
      assertEquals(view.around(0, name), expected.around(0));
      if (name === "a") assertEquals(view.data, expected.data);
      assertThrows(() => view.part(view.geometry.central, "d"), TilewiseError, "there are a, b, c");
      assertThrows(() => expected.around(0, "a"), TilewiseError, "one array has no name");
      assertEquals(expected.arrays, {});
    }
  }
  await assertRejects(() => openViews(joined as never, { context }), TilewiseError, "planViews() takes them");
});
