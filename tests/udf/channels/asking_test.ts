/** UDFs that call functions of a host: the same results for any workers; without a host a typed error. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { startHost } from "@tilewise/tilewise/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";

const FRAMES = 20;
const samples = Uint8Array.from({ length: FRAMES * 4 }, (_, i) => i * 7 % 251);
const module = import.meta.resolve("./asking.ts");
const planned = async (context: ReturnType<typeof createContext>) => {
  const scan = await open(samples, { format: "raw", dtype: "uint8", nav: [FRAMES], sig: [2, 2] });
  return await plan(scan, { it: udf(module, { export: "asking", params: {} }) }, { context, partitions: 4 });
};

for (const [workers, runners] of [[1, 1], [2, 1], [2, 2]] as const) {
  Deno.test(`a UDF asks its host for every frame, ${workers} workers and ${runners} runners`, async () => {
    await using context = createContext({ memory: "2MiB", workers });
    const functions = { module, export: "functions" };
    const counts = { channels: workers, bufferLength: 8, elementSize: 8, runners };
    await using host = await startHost(context, { ...counts, functions });
    const results = await run(await planned(context), { channels: host });
    const expected = Array.from({ length: FRAMES }, (_, f) => samples[4 * f]! * f / 2);
    assertEquals([...results.it.weighted!.data], expected);
  });
}

Deno.test("a UDF without a host is told how to get one", async () => {
  await using context = createContext({ memory: "2MiB", workers: 1 });
  const started = await planned(context);
  const error = await assertRejects(async () => void await run(started), TilewiseError);
  assertEquals(error.message.includes("channels"), true, error.message);
});
