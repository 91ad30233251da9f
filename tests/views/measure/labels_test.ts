/** Connected components across tiles: those of SciPy with the same numbers, whatever the tiles, workers and memory. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { memoryArray } from "../data.ts";
import MEASURES from "./measures.json" with { type: "json" };

const numbers = (text: string) => text === "" ? [] : text.split(" ").map(Number);

/** Tiles of one sample, odd tiles, and one tile for all. */
function tilings(shape: Shape): Shape[] {
  return [shape, shape.map(() => 1), shape.map((n) => Math.ceil(n / 2)), shape.map((_, d) => 2 + d % 3)];
}

Deno.test("labels are those of SciPy, with the same numbers, for every connectivity, type and tiling", async () => {
  await using context = new RunContext({ workers: 0 });
  for (const { shape, dtype, connectivity, above, samples, count, labels } of MEASURES.labels) {
    const values = numbers(samples);
    const array = memoryArray(shape, dtype as DType, (i) => values[i]!, above === 30 ? "big" : "little");
    for (const tile of tilings(shape)) {
      const found = await labelImage(array, { threshold: above, connectivity, tile, context });
      assertEquals(found.count, count);
      assertEquals(found.labels.data.join(" "), labels, `${shape} ${dtype} ${connectivity} ${tile}`);
    }
  }
});

/** Labels by filling, one component after another from its first sample. */
function filled(shape: Shape, inside: readonly boolean[], connectivity: number): number[] {
  const labels = inside.map(() => 0);
  const steps = Array.from(
    { length: 3 ** shape.length },
    (_, i) => unravel(i, shape.map(() => 3)).map((s) => s - 1),
  )
    .filter((step) => step.filter((s) => s !== 0).length <= connectivity);
  let count = 0;
  for (const [first, is] of inside.entries()) {
    if (!is || labels[first] !== 0) continue;
    const open = [first];
    labels[first] = ++count;
    while (open.length > 0) {
      const at = unravel(open.pop()!, shape);
      for (const step of steps) {
        const next = at.map((i, d) => i + step[d]!);
        if (next.some((i, d) => i < 0 || i >= shape[d]!)) continue;
        const flat = ravel(next, shape);
        if (!inside[flat] || labels[flat] !== 0) continue;
        labels[flat] = count;
        open.push(flat);
      }
    }
  }
  return labels;
}

Deno.test("labels are those of filling one component after another, for any shape, tile and connectivity", async () => {
  await using context = new RunContext({ workers: 0 });
  const dimension = fc.record({ n: fc.integer({ min: 1, max: 7 }), tile: fc.integer({ min: 1, max: 8 }) });
  const input = fc.record({
    dimensions: fc.array(dimension, { minLength: 1, maxLength: 4 }),
    connectivity: fc.integer({ min: 1, max: 4 }),
    seed: fc.nat(),
    density: fc.integer({ min: 0, max: 10 }),
    wide: fc.constantFrom(0, 0, 60, 130), // lines of more than one word of 64 bits
  });
  await fc.assert(
    fc.asyncProperty(input, async ({ dimensions, connectivity, seed, density, wide }) => {
      const more = (d: number) => d === dimensions.length - 1 ? wide : 0;
      const shape = dimensions.map(({ n }, d) => n + more(d));
      const tile = dimensions.map(({ tile }, d) => tile + more(d) - (d % 2) * (more(d) >> 1));
      fc.pre(sizeOf(shape) <= 600);
      const reach = Math.min(connectivity, shape.length);
      const random = (i: number) => Math.imul(i * 2654435761 + seed, 40503) >>> 8;
      const mask = Array.from({ length: sizeOf(shape) }, (_, i) => random(i) % 10 < density);
      const array = memoryArray(shape, "bool", (i) => mask[i] ? 1 : 0);
      const { labels, count } = await labelImage(array, { tile, connectivity: reach, context });
      const expected = filled(shape, mask, reach);
      assertEquals([...labels.data], expected);
      assertEquals([count, labels.dtype, labels.shape], [Math.max(...expected), "uint32", shape]);
    }),
    { numRuns: 120 },
  );
});

Deno.test("a snake through all tiles is one component, on workers and processes as well", async () => {
  const shape = [60, 50];
  const snake = (i: number) => {
    const [y, x] = unravel(i, shape) as [number, number];
    if (y % 2 === 0) return 9;
    return x === (y % 4 === 1 ? 49 : 0) ? 9 : 0;
  };
  const array = memoryArray(shape, "uint16", snake);
  const expected = Array.from({ length: sizeOf(shape) }, (_, i) => snake(i) > 0 ? 1 : 0);
  for (const make of [workerPool, processExecutor]) {
    await using executor = make({ workers: 2 });
    await using context = new RunContext({ executor, memory: "4MiB" });
    for (const tile of [[7, 9], [1, 50], [60, 1]]) {
      const { count, labels } = await labelImage(array, { tile, context });
      assertEquals([count, [...labels.data]], [1, expected]);
    }
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
});

Deno.test("labels go to a sink in bands, and a mask is all that is not 0", async () => {
  await using context = new RunContext({ workers: 0 });
  const array = memoryArray([6, 4], "int16", (i) => i % 5 === 0 ? -3 : i % 7 === 0 ? NaN : 0);
  const whole = await labelImage(array, { context });
  const bands: number[] = [];
  const sink = ({ data }: { data: Uint32Array }) => void bands.push(...data);
  assertEquals(await labelImage(array, { context, tile: [2, 3], sink }), { count: whole.count });
  assertEquals(bands, [...whole.labels.data]);
  assert(whole.count > 0);
  const nothing = await labelImage(memoryArray([6, 4], "float32", () => NaN), { threshold: 0, context });
  assertEquals([nothing.count, Math.max(...nothing.labels.data)], [0, 0]);
});

Deno.test("more components than memory are refused with the sum, and so is what cannot be labelled", async () => {
  await using context = new RunContext({ workers: 0, memory: "1MiB" });
  const refused = async (work: Promise<unknown>, code: string, ...words: string[]) => {
    const error = await assertRejects(() => work, TilewiseError);
    assertEquals(error.code, code);
    for (const word of words) assertStringIncludes(error.message, word);
  };
  const board = memoryArray([400, 400], "uint8", (i) => (i + Math.floor(i / 400)) % 2);
  const sink = () => {};
  await refused(
    labelImage(board, { tile: [20, 100], sink, context }),
    "over-budget",
    "Cannot label 400 × 400 uint8",
    "× 16",
  );
  const { count } = await labelImage(board, { tile: [20, 100], connectivity: 2, sink, context });
  assertEquals(count, 1);
  const image = memoryArray([4, 4], "uint8");
  await refused(
    labelImage(image, { connectivity: 3, context }),
    "invalid",
    "differ in 3 dimensions",
    "has 2",
  );
  await refused(labelImage(image, { connectivity: 0, context }), "invalid", "connectivity");
  await refused(labelImage(memoryArray([4], "complex64"), { context }), "unsupported", "complex");
  assertEquals(context.arena.used, 0);
});
