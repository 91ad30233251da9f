/** The box filter: one result for all tilings, workers and budgets, and never more memory than was planned. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type ErrorCode, isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { inlineExecutor } from "../../src/executor/inline.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import type { Executor } from "../../src/executor/task.ts";
import { RunContext } from "../../src/runner/context.ts";
import { type Border, BORDERS } from "../../src/space/border.ts";
import { type DType, floatOf } from "../../src/space/dtype.ts";
import type { TileProgress } from "../../src/runner/progress.ts";
import type { MapPlan } from "../../src/views/map/map_plan.ts";
import { type MapPlanOptions, planMap } from "../../src/views/map/plan.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { boxMean } from "../../src/views/operations/box_mean.ts";
import { viewFunction } from "../../src/views/operations/view_function.ts";
import { borderFunction } from "../../src/views/extend.ts";
import type { Shape } from "../../src/space/shape.ts";
import { TRAVERSALS } from "../../src/space/traversal.ts";
import { opposite } from "./algebra/borders.ts";
import { run } from "../../src/run.ts";
import { open } from "../../src/formats/open.ts";
import { arrayOf, type ArraySpec } from "../../src/views/array.ts";
import { share } from "../suite/cases.ts";
import { memoryArray, slowView } from "./data.ts";

/** A box filter, planned. */
function planBox(
  array: ArraySpec,
  options: MapPlanOptions & { context: RunContext },
): Promise<MapPlan<"float32" | "float64">> {
  return planMap(array, boxMean(), options);
}

/** The filtered image; its arena is as large as the plan says and not a byte larger. */
async function filtered(
  array: ArraySpec,
  options: Omit<MapPlanOptions, "context">,
  executor: Executor,
): Promise<number[]> {
  await using wide = new RunContext({ executor });
  const { memory: { total } } = await planBox(array, { ...options, context: wide });
  await using context = new RunContext({ memory: total, executor });
  const result: number[] = [];
  let next = 0;
  for await (const { origin, shape, data } of run(await planBox(array, { ...options, context }))) {
    assertEquals([...origin, shape[1]], [next, 0, array.shape[1]]);
    next += shape[0]!;
    result.push(...data);
  }
  await context.settled();
  const { used, peak } = context.arena;
  assertEquals([next, used, peak], [array.shape[0], 0, total]);
  return result;
}

/** The filter by definition, on the padded image. */
function slowFilter(
  [height, width]: readonly [number, number],
  [ry, rx]: readonly [number, number],
  border: Border,
  fill: number,
  dtype: DType,
  sample: (flat: number) => number,
): number[] {
  const rounded = floatOf(dtype) === "float32" ? Math.fround : Number;
  const options = { tile: [height, width], radius: [ry, rx], border, fill };
  const padded = slowView([height, width], [0, 0], options, sample);
  const [rows, columns] = [2 * ry + 1, 2 * rx + 1];
  const count = (n: number) => Array.from({ length: n }, (_, i) => i);
  return count(height * width).map((flat) => {
    const [y, x] = [Math.floor(flat / width), flat % width];
    const column = (dx: number) =>
      count(rows).reduce((sum, dy) => sum + padded[(y + dy) * (width + 2 * rx) + x + dx]!, 0);
    return rounded(count(columns).reduce((sum, dx) => sum + column(dx), 0) / (rows * columns));
  });
}

/** Numbers of about 16 bits; as floats with digits behind the point, so that the order of sums matters. */
const noise = (i: number) => (i * 7919 + 13) % 65521;
const SAMPLES: readonly [DType, (i: number) => number][] = [
  ["uint8", (i) => noise(i) % 256],
  ["int16", (i) => noise(i) - 32768],
  ["uint32", (i) => noise(i) * 65000],
  ["float32", (i) => Math.fround((noise(i) - 30000) / 7)],
  ["float64", (i) => (noise(i) - 30000) / 7],
];

Deno.test("the box filter is its definition, for every border, dtype, byte order and tiling", async () => {
  await using executor = inlineExecutor();
  let n = 0; // in the gate each case meets two of the four tilings, which take turns
  for (const [dtype, sample] of SAMPLES) {
    for (const border of Object.keys(BORDERS) as Border[]) {
      for (const [radius, order] of [[[1, 2], "little"], [[3, 0], "big"], [[9, 8], "big"]] as const) {
        const expected = slowFilter([7, 13], radius, border, 5, dtype, sample);
        for (const tile of share([[7, 13], [3, 5], [1, 13], [20, 20]], 2, n++)) {
          const array = memoryArray([7, 13], dtype, sample, order);
          const found = await filtered(array, { radius, border, fill: 5, tile }, executor);
          assertEquals(found, expected, `${dtype} ${order} ${border} ${radius} ${tile}`);
        }
      }
    }
  }
});

Deno.test("one worker, two and three give the same bits", async () => {
  for (const [dtype, sample] of [SAMPLES[1]!, SAMPLES[4]!]) {
    const array = memoryArray([61, 83], dtype, sample);
    const expected = slowFilter([61, 83], [2, 3], "reflect", 0, dtype, sample);
    for (const workers of [1, 2, 3]) {
      await using executor = workerPool({ workers });
      for (const tile of [[8, 16], [5, 83]]) {
        assertEquals(await filtered(array, { radius: [2, 3], border: "reflect", tile }, executor), expected);
      }
    }
  }
});

Deno.test("one process and two, which share no memory, give the same bits", async () => {
  const [dtype, sample] = SAMPLES[4]!;
  const array = memoryArray([61, 83], dtype, sample);
  const expected = slowFilter([61, 83], [2, 3], "reflect", 0, dtype, sample);
  for (const workers of [1, 2]) {
    await using executor = processExecutor({ workers });
    for (const tile of [[8, 16], [5, 83], [61, 1]]) {
      assertEquals(await filtered(array, { radius: [2, 3], border: "reflect", tile }, executor), expected);
    }
  }
});

Deno.test("frames that are decoded first give the same image, on workers as well", async () => {
  const [height, width] = [61, 83];
  const sample = (i: number) => (i * 7919) % 251;
  const bytes = Uint8Array.from({ length: 3 + height * width }, (_, i) => i < 3 ? 0 : sample(i - 3));
  const file = new File([bytes], "image.raw");
  const sig = [height, width];
  const scan = await open(file, { format: "raw", dtype: "uint8", nav: [], sig, frameHeaderBytes: 3 });
  const image = arrayOf(scan);
  assert("layout" in image);
  const expected = slowFilter([height, width], [2, 3], "symmetric", 0, "uint8", sample);
  for (const workers of [1, 2]) {
    await using executor = workerPool({ workers });
    for (const tile of [[8, 16], [5, 83]]) {
      assertEquals(await filtered(image, { radius: [2, 3], border: "symmetric", tile }, executor), expected);
    }
  }
});

Deno.test("a data set is taken as one array, whatever its byte order and headers", async () => {
  await using context = new RunContext({ workers: 0 });
  const bytes = Uint8Array.from({ length: 30 }, (_, i) => i);
  for (const frameHeaderBytes of [0, 2]) {
    for (const byteOrder of ["little", "big"] as const) {
      const raw = {
        format: "raw",
        dtype: "uint16",
        nav: [2],
        sig: [2, 3],
        byteOrder,
        frameHeaderBytes,
      } as const;
      const scan = await open(bytes, { ...raw, allowTruncated: true });
      const { data, shape } = await mapViews(scan, boxMean(), { radius: 0, context });
      const view = new DataView(bytes.buffer);
      const expected = Array.from({ length: 12 }, (_, i) => {
        const at = 2 * i + frameHeaderBytes * (1 + Math.floor(i / 6));
        return view.getUint16(at, byteOrder === "little");
      });
      assertEquals([shape, ...data], [[2, 2, 3], ...expected]);
    }
  }
});

Deno.test("a smaller budget means fewer workers, then one band, then an error with the sum", async () => {
  const array = memoryArray([64, 64], "uint16");
  const plan = (memory: number) =>
    planBox(array, { tile: [4, 64], context: new RunContext({ memory, workers: 3 }) });
  const { memory } = await plan(1 << 20);
  assertEquals([memory.workers, memory.blocks], [3, 4]);
  assertEquals(memory.total, 3 * memory.slab + 4 * memory.block);
  const tighter = (await plan(memory.total - 1)).memory;
  assertEquals([tighter.workers, tighter.blocks], [2, 3]);
  const least = (await plan(memory.slab + memory.block)).memory;
  assertEquals([least.workers, least.blocks], [1, 1]);
  const error = await assertRejects(
    () => plan(memory.slab + memory.block - 1),
    Error,
    "Cannot run boxMean over 64 × 64 uint16",
  );
  assertStringIncludes(error.message, "for views and what works on them");
  assertStringIncludes(error.message, "for bands of the result");
  assert(isTilewiseError(error, "over-budget"));
});

Deno.test("unless asked for, tiles get fewer rows before there are fewer workers", async () => {
  const array = { ...memoryArray([1, 1], "uint16"), shape: [4000, 3000] };
  const plan = async (memory: number) => {
    const context = new RunContext({ memory, workers: 2 });
    const { memory: { workers, total }, views: { grid } } = await planBox(array, { context });
    assert(total <= memory);
    return [workers, ...grid.tile];
  };
  assertEquals(await plan(64 << 20), [2, 256, 3000]);
  assertEquals(await plan(3 << 20), [2, 64, 2048]);
  assertEquals(await plan(1 << 20), [1, 32, 2048]);
});

Deno.test("memory comes home when the caller stops, cancels, or the source fails", async () => {
  const array = memoryArray([64, 64], "uint16");
  for (const workers of [0, 2]) {
    await using context = new RunContext({ workers });
    const home = async () => {
      await context.settled();
      assertEquals(context.arena.used, 0);
    };
    const plan = await planBox(array, { tile: [4, 16], context });
    for await (const { origin } of run(plan)) if (origin[0]! >= 8) break;
    await home();

    const stop = new AbortController();
    const cancelled = async () => {
      for await (const _ of run(plan, { signal: stop.signal })) stop.abort();
    };
    assert(isTilewiseError(await assertRejects(cancelled), "aborted"));
    await home();

    const longer = await planBox({ ...array, shape: [70, 64] }, { tile: [4, 16], context });
    const failing = async () => {
      for await (const { origin } of run(longer)) assert(origin[0]! < 64);
    };
    assert(isTilewiseError(await assertRejects(failing), "truncated"));
    await home();
  }
});

Deno.test("refused: samples without a kernel, what is not an operation, a halo that is too small, a single sample", async () => {
  await using context = new RunContext({ workers: 0 });
  const image = memoryArray([4, 4], "uint8");
  const refused = async (work: Promise<unknown>, code: ErrorCode, ...words: string[]) => {
    const error = await assertRejects(() => work, TilewiseError);
    assertEquals(error.code, code);
    for (const word of words) assertStringIncludes(error.message, word);
  };
  const plan = (array: ArraySpec, operation = boxMean(), options: MapPlanOptions = {}) =>
    planMap(array, operation, { context, ...options });
  await refused(plan(memoryArray([4, 4], "complex64")), "unsupported", "boxMean", "no kernel", "uint8, int8");
  await refused(plan(memoryArray([], "uint8")), "unsupported", "a single sample");
  await refused(
    plan(memoryArray([4, 4, 4], "uint8"), boxMean({ radius: [1, 1, 1] })),
    "unsupported",
    "radius 1, 1, 1",
    "use [0, 1, 1]",
  );
  await refused(plan(image, boxMean({ radius: 2 }), { radius: 1 }), "invalid", "2, 2", "1, 1");
  await refused(plan(image, boxMean({ radius: [1] })), "invalid", "takes 2 counts");
  await refused(plan(image, {} as never), "invalid", "planMap() takes an operation");
  await refused(mapViews(image, (() => {}) as never, { context }), "invalid", "mapViews()", "viewFunction()");
  await refused(mapViews([] as never, boxMean(), { context }), "invalid", "mapViews() takes a data set");
  await refused(plan(image, boxMean(), { traversal: "zigzag" }), "invalid", "row-major, snake");
});

Deno.test("an image without samples gives no bands", async () => {
  await using context = new RunContext({ memory: 1 << 16, workers: 0 });
  for (const shape of [[0, 5], [5, 0], [0, 0]]) {
    const plan = await planBox(memoryArray(shape, "uint8"), { context });
    for await (const _ of run(plan)) assert(false);
    assertEquals((await run(plan)).shape, shape);
  }
});

Deno.test("a filter says how far it is, and once more at its end", async () => {
  await using context = new RunContext({ workers: 0 });
  const plan = await planBox(memoryArray([64, 64], "uint16"), { tile: [16, 16], context });
  const told: TileProgress[] = [];
  for await (const _ of run(plan, { onProgress: (progress) => void told.push(progress) }));
  const { tiles, tilesTotal, etaSeconds } = told.at(-1)!;
  assertEquals([tiles, tilesTotal, etaSeconds], [16, 16, 0]);
});

Deno.test("a run of a filter gives the image or its bands, as often as asked, and no image that does not fit", async () => {
  await using context = new RunContext({ memory: "1MiB", workers: 0 });
  const options = { radius: 0, tile: [16, 64], context };
  const running = run(await planBox(memoryArray([64, 64], "uint16"), options));
  const expected = Array.from({ length: 64 * 64 }, (_, i) => i + 1);
  for (let i = 0; i < 2; i++) {
    const { data, shape, dtype } = await running;
    assertEquals([[...data], shape, dtype], [expected, [64, 64], "float32"]);
    const bands: number[] = [];
    for await (const { data } of running) bands.push(...data);
    assertEquals(bands, expected);
  }
  const large = run(await planBox({ ...memoryArray([1, 1], "uint16"), shape: [512, 512] }, options));
  const error = await assertRejects(
    async () => await large,
    Error,
    "for the result; use { sink }, its blocks, or a context",
  );
  assert(isTilewiseError(error, "over-budget"));
});

Deno.test("traversals: bands leave in order, and the plan has places for all that are open", async () => {
  const array = memoryArray([40, 30], "uint16");
  const expected = slowFilter([40, 30], [1, 2], "edge", 0, "uint16", (i) => i + 1);
  for (const workers of [0, 2]) {
    await using executor = workers === 0 ? inlineExecutor() : workerPool({ workers });
    for (const traversal of Object.keys(TRAVERSALS)) {
      const options = { tile: [4, 7], radius: [1, 2], border: "edge", traversal };
      assertEquals(await filtered(array, options, executor), expected, traversal);
    }
    const columns = function* ([rows = 0, columns = 0]: Shape) {
      for (let x = 0; x < columns; x++) for (let y = rows - 1; y >= 0; y--) yield [y, x];
    };
    const own = { tile: [4, 7], radius: [1, 2], border: "edge", traversal: columns };
    assertEquals(await filtered(array, own, executor), expected);
  }
});

Deno.test("a traversal that opens more bands than memory has room for is refused with the sum", async () => {
  const array = memoryArray([640, 64], "uint16");
  const options = { tile: [4, 16], traversal: "spiral" };
  await using wide = new RunContext({ workers: 0 });
  const { memory } = await planBox(array, { ...options, context: wide });
  assertEquals(memory.blocks, 159); // a spiral begins every band before it ends the first but one
  await using narrow = new RunContext({ memory: 100 * memory.block, workers: 0 });
  const error = await assertRejects(() => planBox(array, { ...options, context: narrow }), TilewiseError);
  assertEquals([error.code, /159 × \S+ \S+ for bands of the result/.test(error.message)], [
    "over-budget",
    true,
  ]);
  await planBox(array, { ...options, traversal: "row-major", context: narrow });
});

Deno.test("orders of your own that skip or repeat tiles are refused where there is one result", async () => {
  await using context = new RunContext({ workers: 0 });
  const image = memoryArray([4, 4], "uint8");
  const plan = (traversal: MapPlanOptions["traversal"]) =>
    planBox(image, { tile: [2, 2], traversal: traversal!, context });
  await assertRejects(() => plan([[0, 0]]), TilewiseError, "(0, 1) never; a result needs every tile once");
  await assertRejects(() => plan([[0, 0], [0, 0]]), TilewiseError, "(0, 0) twice");
  const stack = { ...image, shape: [2, 2, 4] };
  const error = await assertRejects(
    () => planMap(stack, boxMean({ radius: 0 }), { tile: [1, 1, 1], traversal: "spiral", context }),
    TilewiseError,
  );
  assertEquals([error.code, error.details.option], ["unsupported", "traversal"]);
});

Deno.test("borders per dimension and borders of your own give the same on workers, processes and this thread", async () => {
  const array = memoryArray([9, 11], "float32");
  const module = import.meta.resolve("./algebra/borders.ts");
  const border = ["wrap", borderFunction(module, { export: "opposite" })];
  const options = { tile: [3, 4], radius: [2, 3], border };
  await using inline = inlineExecutor();
  const expected = await filtered(array, options, inline);
  const same = { ...options, border: ["wrap", opposite] };
  for (const make of [workerPool, processExecutor]) {
    await using executor = make({ workers: 2 });
    assertEquals(await filtered(array, options, executor), expected);
    await using context = new RunContext({ executor, memory: 1 << 20 });
    const plan = await planBox(array, { ...same, context }); // a function of this thread stays here
    assertEquals([plan.memory.workers, [...(await run(plan)).data]], [1, expected]);
  }
  assertStringIncludes(
    (await planBox(array, { ...same, context: new RunContext({}) })).explain(),
    "wrap, opposite",
  );
});

Deno.test("operations with a radius refuse a halo that differs by side, unless they have their own", async () => {
  await using context = new RunContext({ workers: 0 });
  const image = memoryArray([6, 5], "uint8");
  const radius = { front: 2, back: [1, 3] };
  const error = await assertRejects(() => mapViews(image, boxMean(), { radius, context }), TilewiseError);
  assertEquals([error.code, error.details.expected], ["unsupported", "2, 3"]);
  const expected = (await mapViews(image, boxMean({ radius: 1 }), { context })).data;
  assertEquals((await mapViews(image, boxMean({ radius: 1 }), { radius, context })).data, expected);
  const narrow = { front: 2, back: [0, 3] };
  await assertRejects(
    () => mapViews(image, boxMean({ radius: 1 }), { radius: narrow, context }),
    TilewiseError,
  );
  const before = viewFunction(({ data, stride, radius, back, shape }, out) => {
    assertEquals([radius, back], [[2, 2], [1, 3]]);
    assertEquals(shape, out.shape.map((n, d) => n + radius[d]! + back[d]!));
    for (const at of TRAVERSALS["row-major"](out.shape)) {
      const [y, x] = at as [number, number];
      const [first, last] = [y * stride[0]! + x, (y + 3) * stride[0]! + x + 5]; // the corners of its window
      out.data[y * out.shape[1]! + x] = data[last]! - data[first]!;
    }
  }, { dtype: "float32", radius });
  const whole = await mapViews(image, before, { tile: [6, 5], border: "wrap", context });
  const tiled = await mapViews(image, before, { tile: [2, 3], border: "wrap", context });
  assertEquals(tiled.data, whole.data);
  const value = (y: number, x: number) => ((y + 12) % 6) * 5 + (x + 10) % 5 + 1;
  assertEquals(whole.data[0], value(1, 3) - value(-2, -2));
});
