/** A UDF of one's own on workers: the brightest sample of each frame. */

import { createContext, defineUdf, open, plan, run, udf } from "@tilewise/tilewise";

export const brightest = defineUdf({
  name: "brightest",
  buffers: { value: { kind: "nav", dtype: "float32" } },
  processFrame: ({ data }, { value }) => value.set([data.reduce((most, sample) => Math.max(most, sample))]),
});

if (import.meta.main) { // workers import this module as well
  await using context = createContext({ memory: "64MiB", workers: 2 });
  const scan = await open({ data: Float32Array.of(1, 7, 5, 2, 4, 3), shape: [2, 1, 3] });
  const it = udf<typeof brightest>(import.meta.url, { export: "brightest" });
  console.log((await run(await plan(scan, { it }, { context }))).it.value.data);
}
