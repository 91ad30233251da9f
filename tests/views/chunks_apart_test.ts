/**
 * Decoded chunks of an earlier run are not taken for those of the next, also by workers that share no memory with the caller.
 * Without fences around memory, which move what is in it from run to run.
 */

import { assertEquals } from "@std/assert";
import { processExecutor } from "../../src/executor/process/executor.ts";
import { open } from "../../src/formats/open.ts";
import { createContext } from "../../src/runner/context.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { copySamples } from "../../src/views/operations/copy_samples.ts";
import { localMaximum } from "../../src/views/operations/local_extremes.ts";
import { fileSink } from "../../src/views/sinks/registry.ts";

Deno.test("workers with memory of their own find no chunks of another array, in memory and in sinks of chunks", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-chunks-" });
  try {
    await using executor = processExecutor({ workers: 1, permissions: { read: [folder], write: [folder] } });
    await using context = createContext({ executor, memory: "64MiB" });
    await using here = createContext({ workers: 0 });
    const operation = localMaximum({ radius: 1 });
    for (let n = 1; n <= 3; n++) {
      const data = Uint8Array.from({ length: 4200 }, (_, i) => Math.imul(i + 1, n * 0x9e3779b1) >>> 24);
      const path = `${folder}/${n}.zarr`;
      const sink = fileSink(path, { chunk: [13, 17] });
      await mapViews(await open({ data, shape: [60, 70] }), copySamples(), { sink, context: here });
      const array = await open(path);
      const { data: expected } = await mapViews(array, operation, { context: here });
      assertEquals((await mapViews(array, operation, { context })).data, expected, `array ${n}`);
      const out = `${folder}/out-${n}.zarr`;
      await mapViews(array, operation, { context, sink: fileSink(out, { chunk: [32, 32] }) });
      const { data: stored } = await mapViews(await open(out), copySamples(), { context: here });
      assertEquals(stored, expected, `array ${n} in a file`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
