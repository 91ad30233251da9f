/** Views of arrays in memory that kernels can read: the same samples on every executor. */

import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import "../fences/mod.ts";
import { open } from "../../src/formats/open.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import { memoryOf, sharedCopy } from "../../src/io/source/bytes.ts";
import { type Context, createContext } from "../../src/runner/context.ts";
import { copySamples } from "../../src/views/operations/copy_samples.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { openViews } from "../../src/views/tiles/open.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const SHAPE = [20, 90, 40];
const SAMPLES = new Uint16Array(SHAPE.reduce((a, b) => a * b)).map((_, i) => i * 7);

Deno.test("large arrays are shared in a memory that kernels can read, small ones in a plain buffer", () => {
  const large = sharedCopy(new Uint8Array(100_000).fill(3));
  assertEquals([large.length, large[99_999], memoryOf(large)?.buffer === large.buffer], [100_000, 3, true]);
  assertEquals(memoryOf(sharedCopy(new Uint8Array(100))), undefined);
  assertEquals(sharedCopy(large), large);
});

/** The samples again, from results and from views. */
async function check(context: Context): Promise<void> {
  const stack = await open({ data: SAMPLES, shape: SHAPE });
  const copy = await mapViews(stack, copySamples(), { tile: [3, 32, 17], context });
  assertEquals(copy.data, SAMPLES);
  await using views = await openViews(stack, { tile: [4, 32, 40], radius: 1, border: "symmetric", context });
  using view = await views.read([4, 2, 0]);
  const [z, y, x] = view.geometry.start as [number, number, number];
  const inside = (i: number, n: number) => i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
  const expected = Uint16Array.from({ length: view.data.length }, (_, flat) => {
    const [, height, width] = view.shape as [number, number, number];
    const at = [
      Math.floor(flat / height / width) + z,
      Math.floor(flat / width) % height + y,
      flat % width + x,
    ];
    return SAMPLES[at.reduce((sum, i, d) => sum * SHAPE[d]! + inside(i, SHAPE[d]!), 0)]!;
  });
  assertEquals(view.data, expected);
}

for (const workers of [0, 2]) {
  Deno.test(`views of arrays in memory on ${workers} workers`, async () => {
    await using context = createContext({ memory: "16MiB", workers });
    await check(context);
  });
}

Deno.test("views of arrays in memory on worker processes, which cannot reach it", async () => {
  await using executor = processExecutor({ workers: 1, permissions: { read: [ROOT] } });
  await using context = createContext({ memory: "16MiB", executor });
  await check(context);
});
