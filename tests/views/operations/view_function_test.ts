/** Functions of users over views: where they run, what they get, and what is said when they are wrong. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { type ErrorCode, TilewiseError } from "../../../src/errors.ts";
import { run } from "../../../src/run.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { perSample } from "../../../src/views/operations/per_sample.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";
import { memoryArray } from "../data.ts";

const MODULE = import.meta.resolve("./functions.ts");
const IMAGE = memoryArray([6, 8], "uint8", (i) => i % 50);
const OPTIONS = { tile: [2, 5] };

Deno.test("the function of a module runs on workers, and knows where its tile is", async () => {
  const width = 8;
  const place = viewFunction(MODULE, { export: "place", input: "uint8", dtype: "int32", params: { width } });
  for (const workers of [0, 2]) {
    await using context = new RunContext({ workers });
    const { data, dtype } = await mapViews(IMAGE, place, { ...OPTIONS, context });
    assertEquals([dtype, ...data], ["int32", ...Array.from({ length: 48 }, (_, i) => i)]);
  }
});

Deno.test("a function itself runs on the calling thread, whatever workers there are", async () => {
  await using context = new RunContext({ workers: 2 });
  let views = 0;
  const double = viewFunction(({ data, shape, stride, radius }, out) => {
    views++;
    assertEquals([radius, shape.length], [[1, 1], 2]);
    const [row = 0] = stride;
    const [, columns = 1] = out.shape;
    for (const i of out.data.keys()) {
      const [y, x] = [Math.floor(i / columns), i % columns];
      out.data[i] = 2 * (data[(y + 1) * row + x + 1] ?? NaN);
    }
  }, { radius: 1, dtype: "uint16" });
  const plan = await planMap(IMAGE, double, { ...OPTIONS, context });
  assertEquals(plan.memory.workers, 1);
  const { data } = await run(plan);
  assertEquals([views, ...data], [6, ...Array.from({ length: 48 }, (_, i) => 2 * i)]);
});

Deno.test("without a radius of its own a function sees the halo of the views", async () => {
  await using context = new RunContext({ workers: 0 });
  const seen: unknown[] = [];
  const look = viewFunction(({ shape, radius }) => void seen.push([shape, radius]));
  await mapViews(IMAGE, look, { context });
  await mapViews(IMAGE, look, { radius: [2, 1], context });
  assertEquals(seen, [[[6, 8], [0, 0]], [[10, 10], [2, 1]]]);
});

Deno.test("samples come as the type that the function asks for, also bigints and complex numbers", async () => {
  await using context = new RunContext({ workers: 0 });
  const samples = async (stored: DType, input: DType) => {
    const array = memoryArray([1, 2], stored, (i) => i + 3, "big");
    let given: unknown;
    await mapViews(array, viewFunction(({ data }) => void (given = data.slice()), { input }), { context });
    return given;
  };
  assertEquals(await samples("uint8", "float32"), Float32Array.of(3, 4));
  assertEquals(await samples("int16", "int64"), BigInt64Array.of(3n, 4n));
  assertEquals(await samples("uint64", "float64"), Float64Array.of(3, 4));
  assertEquals(await samples("int64", "int64"), BigInt64Array.of(3n, 4n));
  assertEquals(await samples("uint16", "complex64"), Float32Array.of(3, 0, 4, 0));
  assertEquals(await samples("bool", "uint8"), Uint8Array.of(3, 4));
});

Deno.test("perSample: a number for every sample from its neighbours, in up to four dimensions", async () => {
  await using context = new RunContext({ workers: 0 });
  const slope = viewFunction(perSample((at) => at(0, 0, 1) + 100 * at(-1)), { radius: 1, dtype: "float64" });
  const { data } = await mapViews(memoryArray([2, 1, 3], "uint8"), slope, { border: "wrap", context });
  assertEquals([...data], [402, 503, 601, 105, 206, 304]);
  const wide = viewFunction(perSample((at) => at()), { input: "float64", dtype: "int64" });
  assertEquals(
    (await mapViews(memoryArray([3], "int64"), wide, { context })).data,
    BigInt64Array.of(1n, 2n, 3n),
  );
  const five = mapViews(memoryArray([1, 1, 1, 1, 1], "uint8"), wide, { context });
  await assertRejects(() => five, TilewiseError, "up to 4 dimensions, not 5");
});

Deno.test("what a function does wrong is told with its name and the place of the tile", async () => {
  for (const workers of [0, 1]) {
    await using context = new RunContext({ workers });
    const refused = async (operation: ViewOperation, code: ErrorCode, ...words: string[]) => {
      const work = () => mapViews(IMAGE, operation, { ...OPTIONS, context });
      const error = await assertRejects(work, TilewiseError);
      assertEquals(error.code, code, error.message);
      for (const word of words) assertStringIncludes(error.message, word);
      await context.settled();
      assertEquals(context.arena.used, 0);
    };
    const of = (name: string) => viewFunction(MODULE, { export: name });
    await refused(of("fails"), "udf", 'Function "fails" failed for the tile [2:4, 0:5]', "no such row");
    await refused(of("late"), "udf", 'Function "late" failed', "returned a promise");
    await refused(of("leaves"), "udf", "Deno.exit()");
    await refused(of("five"), "udf", '"five"', "not a function, but number");
    await refused(
      of("lost"),
      "udf",
      'no export "lost"',
      "it has double, ends, extremes, failing, fails, five",
    );
    await refused(viewFunction(`${MODULE}x`), "udf", "Cannot import", "functions.tsx");
    await refused(
      viewFunction(MODULE, { export: "place", input: "int8" }),
      "unsupported",
      'use input: "int16"',
    );
  }
});

Deno.test("refused when it is made: paths, parameters that cannot travel, options nobody knows", () => {
  const refused = (make: () => unknown, words: string) => assertThrows(make, TilewiseError, words);
  refused(() => viewFunction("./functions.ts"), 'import.meta.resolve("./functions.ts")');
  refused(
    () => viewFunction(MODULE, { export: "place", params: { width: () => 8 } }),
    'Function "place" of views: the parameter width is a function',
  );
  refused(() => viewFunction(MODULE, { radius: -1 }), '"radius" is -1');
  refused(() => viewFunction(MODULE, { dtype: "u8" as never }), '"dtype"');
  refused(() => viewFunction(MODULE, { module: "x" } as never), '"module"');
});

Deno.test("neighbours beyond the halo end the run, whatever the tiles", async () => {
  await using context = new RunContext({ workers: 0 });
  const asked: [options: Parameters<typeof viewFunction>[1], distances: number[], text: string][] = [
    [{ radius: [0, 1] }, [0, 2], "at(0, 2) is not in the halo, whose radius is 0, 1"],
    [{ radius: [0, 1] }, [-1], "at(-1, 0) is not in the halo"],
    [{ radius: [0, 1] }, [0, 0.5], "at(0, 0.5) is not in the halo"],
    [{ radius: [0, 1] }, [0, NaN], "at(0, NaN) is not in the halo"],
    [{ radius: [0, 1] }, [0, 0, 1], "at(0, 0, 1) is not in the halo"],
    [{ radius: { front: [0, 2], back: [0, 1] } }, [0, 2], "whose radius is 0, -2 to 1"],
    [{}, [1], "at(1, 0) is not in the halo, whose radius is 0, 0"],
  ];
  for (const [options, distances, text] of asked) {
    const reach = viewFunction(perSample((at) => at(...distances)), { ...options, dtype: "float64" });
    for (const tile of [[2, 5], [6, 8]]) {
      const error = await assertRejects(() => mapViews(IMAGE, reach, { tile, context }), TilewiseError);
      assertStringIncludes(error.message, text);
    }
  }
  const back = viewFunction(perSample((at) => at(0, -2)), { radius: { front: [0, 2], back: [0, 1] } });
  assertEquals((await mapViews(IMAGE, back, { ...OPTIONS, context, border: "edge" })).data[4], 2);
});
