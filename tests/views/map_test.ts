/** The box filter: one result for all tilings, workers and budgets, and never more memory than was planned. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { inlineExecutor } from "../../src/executor/inline.ts";
import { workerPool } from "../../src/executor/pool.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import type { Executor } from "../../src/executor/task.ts";
import { createContext } from "../../src/runner/context.ts";
import { type Border, BORDERS } from "../../src/space/border.ts";
import type { DType } from "../../src/space/dtype.ts";
import { type BoxFilterOptions, planBoxFilter } from "../../src/views/filter_plan.ts";
import type { TileProgress } from "../../src/runner/tiles.ts";
import { boxFilter } from "../../src/views/map.ts";
import { run } from "../../src/run.ts";
import { open } from "../../src/formats/open.ts";
import { arrayOf, type ArraySpec } from "../../src/views/array.ts";
import { memoryArray, slowView } from "./data.ts";

/** The filtered image; its arena is as large as the plan says and not a byte larger. */
async function filtered(
  array: ArraySpec,
  options: Omit<BoxFilterOptions, "context">,
  executor: Executor,
): Promise<number[]> {
  await using wide = createContext({ executor });
  const { memory: { total } } = planBoxFilter(array, { ...options, context: wide });
  await using context = createContext({ memory: total, executor });
  const result: number[] = [];
  let next = 0;
  for await (const { row, rows, data } of boxFilter(planBoxFilter(array, { ...options, context }))) {
    assertEquals(row, next);
    next += rows;
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
  sample: (flat: number) => number,
): number[] {
  const options = { tile: [height, width], radius: [ry, rx], border, fill };
  const padded = slowView([height, width], [0, 0], options, sample);
  const [rows, columns] = [2 * ry + 1, 2 * rx + 1];
  const count = (n: number) => Array.from({ length: n }, (_, i) => i);
  return count(height * width).map((flat) => {
    const [y, x] = [Math.floor(flat / width), flat % width];
    const column = (dx: number) =>
      count(rows).reduce((sum, dy) => sum + padded[(y + dy) * (width + 2 * rx) + x + dx]!, 0);
    return Math.fround(count(columns).reduce((sum, dx) => sum + column(dx), 0) / (rows * columns));
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
  for (const [dtype, sample] of SAMPLES) {
    for (const border of Object.keys(BORDERS) as Border[]) {
      for (const [radius, order] of [[[1, 2], "little"], [[3, 0], "big"], [[9, 8], "big"]] as const) {
        const expected = slowFilter([7, 13], radius, border, 5, sample);
        for (const tile of [[7, 13], [3, 5], [1, 13], [20, 20]]) {
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
    const expected = slowFilter([61, 83], [2, 3], "reflect", 0, sample);
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
  const expected = slowFilter([61, 83], [2, 3], "reflect", 0, sample);
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
  const expected = slowFilter([height, width], [2, 3], "symmetric", 0, sample);
  for (const workers of [1, 2]) {
    await using executor = workerPool({ workers });
    for (const tile of [[8, 16], [5, 83]]) {
      assertEquals(await filtered(image, { radius: [2, 3], border: "symmetric", tile }, executor), expected);
    }
  }
});

Deno.test("a smaller budget means fewer workers, then one band, then an error with the sum", () => {
  const array = memoryArray([64, 64], "uint16");
  const plan = (memory: number) =>
    planBoxFilter(array, { tile: [4, 64], context: createContext({ memory, workers: 3 }) });
  const { memory } = plan(1 << 20);
  assertEquals([memory.workers, memory.bands], [3, 4]);
  assertEquals(memory.total, 3 * memory.slab + 4 * memory.band);
  const tighter = plan(memory.total - 1).memory;
  assertEquals([tighter.workers, tighter.bands], [2, 3]);
  const least = plan(memory.slab + memory.band).memory;
  assertEquals([least.workers, least.bands], [1, 1]);
  const error = assertThrows(() => plan(memory.slab + memory.band - 1), Error, "one worker and one band");
  assert(isTilewiseError(error, "over-budget"));
});

Deno.test("unless asked for, tiles get fewer rows before there are fewer workers", () => {
  const array = { ...memoryArray([1, 1], "uint16"), shape: [4000, 3000] };
  const plan = (memory: number) => {
    const context = createContext({ memory, workers: 2 });
    const { memory: { workers, total }, views: { grid } } = planBoxFilter(array, { context });
    assert(total <= memory);
    return [workers, ...grid.tile];
  };
  assertEquals(plan(64 << 20), [2, 256, 2048]);
  assertEquals(plan(3 << 20), [2, 64, 2048]);
  assertEquals(plan(1 << 20), [1, 32, 2048]);
});

Deno.test("memory comes home when the caller stops, cancels, or the source fails", async () => {
  const array = memoryArray([64, 64], "uint16");
  for (const workers of [0, 2]) {
    await using context = createContext({ workers });
    const home = async () => {
      await context.settled();
      assertEquals(context.arena.used, 0);
    };
    const plan = planBoxFilter(array, { tile: [4, 16], context });
    for await (const { row } of boxFilter(plan)) if (row >= 8) break;
    await home();

    const stop = new AbortController();
    const cancelled = async () => {
      for await (const _ of boxFilter(plan, { signal: stop.signal })) stop.abort();
    };
    assert(isTilewiseError(await assertRejects(cancelled), "aborted"));
    await home();

    const longer = planBoxFilter({ ...array, shape: [70, 64] }, { tile: [4, 16], context });
    const failing = async () => {
      for await (const { row } of boxFilter(longer)) assert(row < 64);
    };
    assert(isTilewiseError(await assertRejects(failing), "truncated"));
    await home();
  }
});

Deno.test("refused: other ranks, samples without a kernel, what is no plan", () => {
  assertThrows(() => planBoxFilter(memoryArray([4], "uint8")), Error, "two dimensions");
  assertThrows(() => planBoxFilter(memoryArray([4, 4], "complex64")), Error, "no kernel");
  assertThrows(() => boxFilter(memoryArray([4, 4], "uint8") as never), Error, "takes a plan");
});

Deno.test("an image without samples gives no bands", async () => {
  await using context = createContext({ memory: 1 << 16, workers: 0 });
  for (const shape of [[0, 5], [5, 0], [0, 0]]) {
    for await (const _ of boxFilter(planBoxFilter(memoryArray(shape, "uint8"), { context }))) assert(false);
  }
});

Deno.test("a filter says how far it is, and once more at its end", async () => {
  await using context = createContext({ workers: 0 });
  const plan = planBoxFilter(memoryArray([64, 64], "uint16"), { tile: [16, 16], context });
  const told: TileProgress[] = [];
  for await (const _ of boxFilter(plan, { onProgress: (progress) => void told.push(progress) }));
  const { tiles, tilesTotal, etaSeconds } = told.at(-1)!;
  assertEquals([tiles, tilesTotal, etaSeconds], [16, 16, 0]);
});

Deno.test("a run of a filter gives the image or its bands, as often as asked, and no image that does not fit", async () => {
  await using context = createContext({ memory: "1MiB", workers: 0 });
  const options = { radius: 0, tile: [16, 64], context };
  const running = run(planBoxFilter(memoryArray([64, 64], "uint16"), options));
  const expected = Array.from({ length: 64 * 64 }, (_, i) => i + 1);
  for (let i = 0; i < 2; i++) {
    const { data, shape, dtype } = await running;
    assertEquals([[...data], shape, dtype], [expected, [64, 64], "float32"]);
    const bands: number[] = [];
    for await (const { data } of running) bands.push(...data);
    assertEquals(bands, expected);
  }
  const large = run(planBoxFilter({ ...memoryArray([1, 1], "uint16"), shape: [512, 512] }, options));
  const error = await assertRejects(async () => await large, Error, "iterate over its bands");
  assert(isTilewiseError(error, "over-budget"));
});
