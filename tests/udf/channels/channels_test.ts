/** UDFs with channels: a side file per frame gives the same results for any workers, and errors name the frame. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { startHost } from "@tilewise/tilewise/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import { run } from "../../../src/run.ts";
import type { RunOptions } from "../../../src/udf/plan/plan_facts.ts";

const FRAMES = 30, PIXELS = 6;
const samples = Uint8Array.from({ length: FRAMES * PIXELS }, (_, i) => i * 7 % 251);
const weights = Float64Array.from({ length: FRAMES }, (_, f) => Math.sqrt(f));
const twin = Array.from(
  weights,
  (weight, f) => samples.subarray(f * PIXELS, (f + 1) * PIXELS).reduce((a, b) => a + b, 0) * weight,
);

const module = import.meta.resolve("./side.ts");
const openScan = () => open(samples, { format: "raw", dtype: "uint8", nav: [FRAMES], sig: [2, 3] });

async function withFile(body: (name: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/weights`, new Uint8Array(weights.buffer));
    await body(`${folder}/weights`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The same as a kernel: the name of the file is an array of bytes. */
const kernel = (name: string) =>
  kernelUdf({
    name: "lookup",
    source: `
      import { open, read, close, channel, framePosition, Mode, Whence, ioBuffer } from "tilewise/channels";
      import { Sample } from "tilewise";
      export function frame(data: usize, rows: i32, cols: i32, sum: usize, name: usize, length: f64): void {
        const file = open(channel(), Mode.READ_ONLY, name, <i32>length);
        if (file <= 0) unreachable();
        const buffer = ioBuffer(channel());
        read(file, buffer, 1, Whence.BEGIN, framePosition());
        close(file);
        let total = 0.0;
        for (let i = 0; i < rows * cols; i++) total += <f64>load<Sample>(data + i * sizeof<Sample>());
        store<f64>(sum, total * load<f64>(buffer));
      }`,
    buffers: {
      sum: { kind: "nav", dtype: "float64" },
    },
    arrays: { name: new TextEncoder().encode(name) },
    params: { length: new TextEncoder().encode(name).length },
  });

for (const [workers, channels] of [[0, 1], [1, 1], [2, 2], [3, 2]] as const) {
  for (const route of ["rpc", "direct"] as const) {
    Deno.test(`a weight per frame from a side file, ${route}, with ${workers} workers and ${channels} channels`, () =>
      withFile(async (name) => {
        await using context = createContext({ memory: "4MiB", workers });
        await using host = await startHost(context, { channels, bufferLength: 4, elementSize: 8 });
        const scan = await openScan();
        for (const partitions of [1, 4]) {
          const planned = await plan(scan, { it: udf(module, { export: "weighted", params: { name } }) }, {
            context,
            partitions,
          });
          const results = await run(planned, { channels: host, route });
          assertEquals([...results.it.sum!.data], twin);
          const compiled = await plan(scan, { it: kernel(name) }, { context, partitions });
          assertEquals([...(await run(compiled, { channels: host, route })).it.sum.data], twin);
        }
      }));
  }
}

Deno.test("a call that fails names the frame, with the code of its status", () =>
  withFile(async (name) => {
    for (const workers of [0, 2]) {
      await using context = createContext({ memory: "4MiB", workers });
      await using host = await startHost(context, { channels: 2, bufferLength: 4, elementSize: 8 });
      const it = udf(module, { export: "weighted", params: { name, missing: 17 } });
      const planned = await plan(await openScan(), { it }, { context });
      const error = await assertRejects(
        async () => await run(planned, { channels: host }),
        TilewiseError,
      ) as TilewiseError;
      assertEquals([error.code, error.details["frame"], error.details.udf], ["not-found", 17, "weighted"]);
      assert(
        /^UDF "weighted" failed in partition \d+ at frame 17: Cannot open .*missing: there is no such file/
          .test(error.message),
        error.message,
      );
    }
  }));

Deno.test("a kernel that traps names the frame, and its line", () =>
  withFile(async (name) => {
    await using context = createContext({ memory: "4MiB", workers: 2 });
    await using host = await startHost(context, { channels: 2, bufferLength: 4, elementSize: 8 });
    const planned = await plan(await openScan(), { it: kernel(`${name}.missing`) }, {
      context,
      partitions: 1,
    });
    const error = await assertRejects(
      async () => await run(planned, { channels: host }),
      TilewiseError,
    ) as TilewiseError;
    assertEquals([error.code, error.details["frame"], error.details["line"]], ["udf", 0, 6]);
  }));

Deno.test("testUdf() gives each of its runs a host", () =>
  withFile(async (name) => {
    await Deno.writeFile(name, new Uint8Array(Float64Array.from({ length: 20 }, (_, f) => f % 5).buffer));
    const it = udf(module, { export: "weighted", params: { name } });
    const channels = { channels: 2, bufferLength: 4, elementSize: 8 };
    const { data, results } = await testUdf(it, { channels, nav: [4, 5], sig: [2, 3] });
    const sums = Array.from({ length: 20 }, (_, f) =>
      data.subarray(6 * f, 6 * f + 6).reduce((a, b) => a + b, 0) * (f % 5));
    assertEquals([...results["sum"]!.data], sums);
  }));

Deno.test("a run without a host, or with one of another context, is refused", () =>
  withFile(async (name) => {
    await using context = createContext({ memory: "4MiB", workers: 0 });
    await using other = createContext({ memory: "4MiB", workers: 0 });
    await using host = await startHost(other, { channels: 1, bufferLength: 4, elementSize: 8 });
    const scan = await openScan();
    const it = udf(module, { export: "weighted", params: { name } });
    const planned = await plan(scan, { it }, { context });
    const failure = async (options: RunOptions, of = planned) =>
      (await assertRejects(async () => await run(of as never, options), TilewiseError) as TilewiseError)
        .message;
    const none = await failure({});
    assertEquals(none, `UDF "weighted" has no channels: give run() a host, { channels: host }`);
    assert((await failure({ channels: host })).includes("it was started in another context"));
    const compiled = await plan(scan, { it: kernel(name) }, { context });
    const kernels = await failure({}, compiled as never);
    assertEquals(kernels, `UDF "lookup" has no channels: give run() a host, { channels: host }`);
    assertThrows(
      () => run(planned, { channels: {} as never }),
      TilewiseError,
      "a host, as startHost() makes it",
    );
  }));
