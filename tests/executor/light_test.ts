import "../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { createContext, open } from "../../mod.ts";
import { boxMean, fileSink, mapViews } from "@tilewise/tilewise/views";
import { useWorker } from "../../src/executor/threads.ts";

Deno.test("a worker that filters a file and writes the result does not load the process of Node", async () => {
  const folder = await Deno.makeTempDir();
  useWorker(new URL("./jobs/worker_without_process.ts", import.meta.url));
  try {
    await using context = createContext({ workers: 1 });
    const data = Uint8Array.from({ length: 64 * 64 }, (_, i) => i % 64);
    await mapViews(await open({ data, shape: [64, 64] }), boxMean(), {
      sink: fileSink(`${folder}/a.tif`, { tile: 16 }),
      context,
    });
    const image = await open(`${folder}/a.tif`);
    await mapViews(image, boxMean(), { sink: fileSink(`${folder}/b.npy`), context });
    assertEquals((await open(`${folder}/b.npy`)).shape, [64, 64]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
