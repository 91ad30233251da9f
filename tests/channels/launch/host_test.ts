/** Functions that use a host: files by every route and number of runners, and hosts that end while kernels run. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { Channels } from "../../../src/channels/protocol/channel.ts";
import { STATE, stateOf } from "../../../src/channels/protocol/layout.ts";
import { createContext, insideOf } from "../../../src/runner/context.ts";
import type { asks, copies, fills, naps, sizes } from "./kernels.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

const module = import.meta.resolve("./kernels.ts");
const COUNTS = { channels: 4, bufferLength: 16, elementSize: 8 };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const [workers, runners] of [[0, 0], [0, 1], [2, 0], [2, 2], [4, 1]] as const) {
  Deno.test(`functions read and write files, with ${workers} workers and ${runners} runners`, () =>
    withFolder(async (folder) => {
      await using context = createContext({ memory: "1MiB", workers });
      await using host = await startHost(context, { ...COUNTS, runners });
      const numbers = Int32Array.from({ length: 24 * 5 }, (_, i) => i * i);
      await Deno.writeFile(`${folder}/from`, new Uint8Array(numbers.buffer));
      const groupSize = Math.max(1, workers / 2);
      for (const route of ["rpc", "direct"] as const) {
        await Deno.writeFile(`${folder}/to`, new Uint8Array());
        const { groups } = await launchKernel<typeof copies>(host, { module, export: "copies" }, {
          groups: 24 / groupSize,
          groupSize,
          args: [`${folder}/from`, `${folder}/to`, 5],
          route,
        });
        assertEquals(groups.flatMap(({ values }) => values), new Array(24).fill(5));
        assertEquals(new Int32Array(Deno.readFileSync(`${folder}/to`).buffer), numbers.map((n) => 2 * n));
      }
    }));
}

Deno.test("a file that is missing is a typed error with group and member", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  await using host = await startHost(context, COUNTS);
  const launch = launchKernel<typeof sizes>(host, { module, export: "sizes" }, {
    groupSize: 2,
    args: ["no/such file", new Int32Array(1)],
  });
  const error = await assertRejects(() => launch, TilewiseError) as TilewiseError;
  assertEquals([error.code, error.details["kernel"], error.details["group"]], ["not-found", "sizes", 0]);
});

Deno.test("a host that is closed while kernels run fails their calls, and keeps its memory until they have ended", () =>
  withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/file`, new Uint8Array(80));
    await using context = createContext({ memory: "1MiB", workers: 2 });
    const host = await startHost(context, COUNTS);
    const begun = host.array("int32", 1);
    const launch = launchKernel<typeof sizes>(host, { module, export: "sizes" }, {
      groups: 2,
      args: [`${folder}/file`, begun],
    });
    while (begun.data[0]! < 2) await wait(5);
    await host.close();
    const { groups } = await launch;
    assertEquals(groups.flatMap(({ values }) => values), ["aborted", "aborted"]);
    await context.settled();
    assertEquals(context.used, 0);
  }));

Deno.test("a host that is aborted ends its launches with the reason", () =>
  withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/file`, new Uint8Array(80));
    await using context = createContext({ memory: "1MiB", workers: 2 });
    const host = await startHost(context, COUNTS);
    const begun = host.array("int32", 1);
    const args = [`${folder}/file`, begun] as const;
    const launch = launchKernel<typeof sizes>(host, { module, export: "sizes" }, { groups: 2, args });
    launch.catch(() => {});
    while (begun.data[0]! < 2) await wait(5);
    await host.abort(new Error("enough"));
    const error = await assertRejects(() => launch, TilewiseError) as TilewiseError;
    assertEquals(error.code, "aborted");
    assert(String(error.cause ?? error.message).includes("enough"), String(error));
    await context.settled();
    assertEquals(context.used, 0);
  }));

Deno.test("an array that is returned while a kernel writes to it keeps its bytes until the kernel has ended", async () => {
  await using context = createContext({ memory: "64KiB", workers: 1 });
  await using host = await startHost(context, { ...COUNTS, channels: 1 });
  const before = context.used;
  const array = host.array("float64", 100);
  assertEquals(context.used - before, 832);
  const stop = new AbortController();
  const launch = launchKernel<typeof fills>(host, { module, export: "fills" }, {
    args: [array],
    signal: stop.signal,
  });
  while (array.data[99] === 0) await wait(5);
  array[Symbol.dispose]();
  assertThrows(() => array.data, TilewiseError, "it has been returned");
  assert(context.used - before >= 832);
  stop.abort();
  await assertRejects(() => launch, TilewiseError);
  await context.settled();
  await wait(1);
  assertEquals(context.used, before);
});

Deno.test("arrays take the budget of the context, and a disposed one is refused as an argument", async () => {
  await using context = createContext({ memory: "64KiB", workers: 1 });
  await using host = await startHost(context, { ...COUNTS, channels: 1 });
  assertThrows(() => host.array("float64", 1e5), TilewiseError, "Cannot lease");
  assertThrows(() => host.array("float64", -1), TilewiseError, "-1 is not a count");
  const array = host.array("uint8", 3);
  assertEquals([array.dtype, array.length, [...array.data]], ["uint8", 3, [0, 0, 0]]);
  array[Symbol.dispose]();
  const launch = () => launchKernel(host, { module, export: "fills" }, { args: [array] } as never);
  assertEquals((await assertRejects(launch, TilewiseError) as TilewiseError).code, "lease");
});

Deno.test("arrays and names of other contexts are refused, and grids that are too large", async () => {
  await using context = createContext({ memory: "64KiB", workers: 1 });
  await using other = createContext({ memory: "64KiB", workers: 1 });
  await using host = await startHost(context, { ...COUNTS, channels: 1 });
  await using far = await startHost(other, { ...COUNTS, channels: 1 });
  const kernel = { module, export: "fills" };
  for (
    const argument of [far.array("float64", 3), { offset: 2 ** 31, byteLength: 9 }, {
      offset: -8,
      byteLength: 4,
    }]
  ) {
    const error = await assertRejects(
      () => launchKernel(host, kernel, { args: [argument] } as never),
      TilewiseError,
    );
    assert((error as Error).message.includes("in another context"), String(error));
  }
  const many = () =>
    launchKernel(host, kernel, { groups: 2 ** 22 + 1, args: [new Float64Array(1)] } as never);
  assertEquals((await assertRejects(many, TilewiseError) as TilewiseError).details.option, "groups");
});

const FUNCTIONS = {
  module: import.meta.resolve("../remote/host_functions.ts"),
  export: "functions",
  shared: { factor: 2, count: new SharedArrayBuffer(4) },
};

Deno.test("functions call functions of the host, and submit calls", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  await using host = await startHost(context, { ...COUNTS, functions: FUNCTIONS });
  const { groups } = await launchKernel<typeof asks>(host, { module, export: "asks" }, { groups: 6 });
  assertEquals(groups.map(({ values }) => values[0]), [0, 1, 2, 3, 4, 5].map((n) => 201 * n));
  const alone = launchKernel(context, { module, export: "asks" });
  assertEquals((await assertRejects(() => alone, TilewiseError) as TilewiseError).code, "invalid");
});

Deno.test("a member that ends inside of a call: its memory is kept until the runner has answered", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  await using host = await startHost(context, { ...COUNTS, functions: FUNCTIONS });
  const before = context.used;
  const stop = new AbortController();
  const launch = launchKernel<typeof naps>(host, { module, export: "naps" }, {
    args: [2500],
    localMemory: 1024,
    signal: stop.signal,
  });
  const channels = new Channels(insideOf(context).arena.memory, insideOfHost(host)!.layout);
  const has = (state: number) =>
    [0, 1, 2, 3].some((channel) => stateOf(Atomics.load(channels.words, channels.state(channel))) === state);
  while (!has(STATE.running)) await wait(5);
  stop.abort();
  assertEquals((await assertRejects(() => launch, TilewiseError) as TilewiseError).code, "aborted");
  while (has(STATE.running)) await wait(5);
  assert(
    !has(STATE.orphaned) || context.used > before,
    "the worker has ended, but the runner is still inside of the call",
  );
  await context.settled();
  assertEquals([has(STATE.orphaned), context.used], [false, before]);
});
