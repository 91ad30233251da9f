/** Writes a pyramid; as a program: `write.ts SOURCE OUT`, says "go" when it begins. */

import { createContext, open } from "../../../mod.ts";
import { fileSink, localMaximum, mapViews } from "@tilewise/tilewise/views";

/** The options of the sinks that are killed, by ending. */
const OPTIONS = {
  zarr: { chunk: [1, 64, 64], shard: [1, 256, 256], levels: 4, compression: "zstd:12" },
  tif: { tile: 64, levels: 4, compression: "deflate:6" },
} as const;

/** Writes the greatest neighbours in `source` to `out`, and goes on where an earlier call was killed. */
export async function write(source: string, out: string, workers: number): Promise<void> {
  await using context = createContext({ workers, memory: "64MiB" });
  const sink = fileSink(out, { ...OPTIONS[out.endsWith(".tif") ? "tif" : "zarr"], resume: true });
  await mapViews(await open(source), localMaximum({ radius: [0, 1, 1] }), { sink, context });
}

if (import.meta.main) {
  const [source, out] = Deno.args as [string, string];
  console.log("go");
  await write(source, out, 2);
}
