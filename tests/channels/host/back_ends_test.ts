/** Hosts over every back end: kernels see the same files by every route, and what cannot be is refused when the host starts. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import {
  type ChannelHost,
  type HostOptions,
  launchKernel,
  memoryFiles,
  startHost,
} from "@tilewise/tilewise/channels";
import {
  hasDirect,
  hostBytes,
  httpFiles,
  type Member,
  opfsFiles,
  type Route,
} from "@tilewise/tilewise/unstable/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { servedFiles } from "../backends/served_files.ts";
import { fileCalls } from "../../../src/channels/host/route.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

const COUNTS = { channels: 2, bufferLength: 64, elementSize: 2 } as const;
const HERE = import.meta.url;
const MODULE = import.meta.resolve("../backends/user_files.ts");
const SAMPLES = Uint16Array.from({ length: 5000 }, (_, i) => i * 7);

/** A kernel: sums samples of `in.bin`, and keeps the sum, and every 100th sample, in `out.bin`. */
export function summing({ files }: Member): number {
  const input = files.open("in.bin", "read_only");
  const part = new Uint16Array(50), kept: number[] = [];
  let sum = 0;
  for (let got = input.read(part); got > 0; got = input.read(part)) {
    for (let i = 0; i < got; i++) sum = (sum + part[i]!) % 65521;
    kept.push(part[0]!);
  }
  input.close();
  const output = files.open("out.bin", "erase_read_write");
  output.write(Uint16Array.of(sum, ...kept.slice(0, 40)));
  output.close();
  return sum;
}

/** The same, without a file to write. */
export function summingOnly({ files }: Member): number {
  const input = files.open("in.bin", "read_only");
  const part = new Uint16Array(64);
  let sum = 0;
  for (let got = input.read(part); got > 0; got = input.read(part)) {
    for (let i = 0; i < got; i++) sum = (sum + part[i]!) % 65521;
  }
  input.close();
  return sum;
}

const SUM = SAMPLES.reduce((sum, sample) => (sum + sample) % 65521, 0);

async function withHost(
  options: Partial<HostOptions>,
  work: (host: ChannelHost) => Promise<void>,
): Promise<void> {
  await using context = new RunContext({ memory: "8MiB", workers: 1 });
  {
    await using host = await startHost(context, { ...COUNTS, ...options });
    await work(host);
  }
  await context.settled();
  assertEquals(context.arena.used, 0);
}

async function sumBy(host: ChannelHost, name: string, route: Route): Promise<number> {
  const { groups } = await launchKernel(host, { module: HERE, export: name }, { route });
  return Number(groups[0]!.values[0]);
}

async function walks(host: ChannelHost, route: Route): Promise<void> {
  await host.writeFile("in.bin", new Uint8Array(SAMPLES.buffer));
  assertEquals(await sumBy(host, "summing", route), SUM);
  const found = new Uint16Array((await host.readFile("out.bin")).buffer);
  assertEquals([...found.subarray(0, 3)], [SUM, SAMPLES[0], SAMPLES[50]]);
  assertEquals(found.length, 41);
}

const STORES: Readonly<Record<string, (folder: string) => Partial<HostOptions>>> = {
  "files below a root": (folder) => ({ roots: [folder] }),
  "files in memory": () => ({ backEnd: memoryFiles({ bytes: "256KiB" }) }),
};

for (const [name, optionsOf] of Object.entries(STORES)) {
  for (const runners of [0, 2]) {
    Deno.test(`${name}, ${runners} runners: a kernel reads and writes them by both routes`, async () => {
      const folder = await Deno.makeTempDir();
      await withHost({ ...optionsOf(folder), runners }, async (host) => {
        await walks(host, "rpc");
        await walks(host, "direct");
      });
      await Deno.remove(folder, { recursive: true });
    });
  }
}

for (const late of [true, false]) {
  Deno.test(`a back end of a user that answers ${late ? "late" : "at once"}`, () =>
    withHost(
      { backEnd: { module: MODULE, export: "samples", shared: { late, samples: SAMPLES } } },
      async (host) => {
        assertEquals(await sumBy(host, "summingOnly", "rpc"), SUM);
        assertEquals((await host.readFile("in.bin")).length, 10_000);
        if (!late) assertEquals(await sumBy(host, "summingOnly", "direct"), SUM);
        else await isRefused(host);
      },
    ));
}

async function isRefused(host: ChannelHost): Promise<void> {
  const { message } = await assertRejects(() => sumBy(host, "summingOnly", "direct"), TilewiseError);
  assert(message.includes('choose the route "rpc"'), message);
}

Deno.test("files of a server are read by kernels, whatever the number of runners", async () => {
  await using server = servedFiles();
  await server.put("in.bin", new Uint8Array(SAMPLES.buffer));
  for (const runners of [0, 2]) {
    const backEnd = httpFiles(server.url, { cacheBytes: 8192, blockBytes: 2048 });
    await withHost({ backEnd, runners }, async (host) => {
      server.asked.length = 0;
      const sum = await sumBy(host, "summingOnly", "rpc");
      assertEquals([sum, server.asked.length], [SUM, 1 + Math.ceil(10_000 / 2048)], "by blocks");
      assertEquals(insideOfHost(host)!.layout.oneHome, true);
      if (runners > 0) await isRefused(host);
    });
  }
});

Deno.test("files in memory are not touched after the host was closed, whoever asks", async () => {
  await using context = new RunContext({ memory: "1MiB" });
  const { arena } = context;
  const host = await startHost(context, { ...COUNTS, backEnd: memoryFiles({ bytes: "128KiB" }) });
  const { memory } = arena, { layout } = insideOfHost(host)!;
  const direct = fileCalls("direct", memory, layout);
  const name = new TextEncoder().encode("file");
  const open = direct.open(0, 4, name) as number;
  assertEquals(open > 0, true);
  await host.close();
  await context.settled();
  using lease = arena.lease(arena.budget - arena.used - 4096, "the next owner");
  const bytes = lease.bytes().fill(0);
  const answers = [direct.open(0, 4, name), direct.size(open), direct.write(open, lease.offset, 8, 0, 0)];
  assertEquals(answers, [-3, -3, -3]);
  await assertRejects(() => host.writeFile("file", name), TilewiseError, "the host has been closed");
  await assertRejects(() => host.readFile("file"), TilewiseError, "the host has been closed");
  direct.closeAll();
  assertEquals(bytes.every((byte) => byte === 0), true);
});

Deno.test("memory for files is leased from the context, and is in the size query", async () => {
  for (
    const backEnd of [
      memoryFiles({ bytes: "128KiB" }),
      httpFiles("http://127.0.0.1/", { cacheBytes: "64KiB" }),
    ]
  ) {
    const { shared } = hostBytes({ ...COUNTS, backEnd });
    assertEquals(shared - hostBytes(COUNTS).shared, "bytes" in backEnd ? 131_072 : 65_536);
    await using context = new RunContext({ memory: "1MiB" });
    await using _host = await startHost(context, { ...COUNTS, backEnd });
    assertEquals(context.arena.used, shared);
  }
  await using context = new RunContext({ memory: "64KiB" });
  const { code } = await assertRejects(
    () => startHost(context, { ...COUNTS, backEnd: memoryFiles({ bytes: "1MiB" }) }),
    TilewiseError,
  );
  assertEquals(code, "over-budget");
});

Deno.test("stores and roots that cannot work are refused when the host starts, and give all back", async () => {
  const folder = await Deno.makeTempDir();
  const cases: readonly (readonly [Partial<HostOptions>, string, string])[] = [
    [{ roots: [join(folder, "none")] }, "not-found", join(folder, "none")],
    [{ roots: [] }, "invalid", "roots"],
    [{ roots: [folder], backEnd: memoryFiles() }, "invalid", "roots"],
    [{ backEnd: "memory" as never }, "invalid", "memoryFiles()"],
    [{ backEnd: { kind: "tape" } as never }, "invalid", "backEnd"],
    [{ backEnd: opfsFiles() }, "unsupported", "only dedicated workers of a browser"],
    [{ backEnd: { module: MODULE, export: "none" } }, "udf", "exports no function of that name"],
    [{ backEnd: memoryFiles({ contents: { a: new Uint8Array(2 ** 20) } }) }, "over-budget", "no room for a"],
  ];
  await using context = new RunContext({ memory: "4MiB" });
  for (const [options, code, words] of cases) {
    const error = await assertRejects(() => startHost(context, { ...COUNTS, ...options }), TilewiseError);
    assertEquals([error.code, error.message.includes(words)], [code, true], error.message);
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
  await Deno.remove(folder);
});

Deno.test({
  name: "kernels read and write devices, which have no end, by both routes",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using context = new RunContext({ memory: "64KiB" });
    await using host = await startHost(context, COUNTS);
    const { memory } = context.arena, at = host.array("uint16", 16).offset;
    const samples = new Uint16Array(memory.buffer, at, 16);
    for (const route of ["rpc", "direct"] as const) {
      const calls = fileCalls(route, memory, insideOfHost(host)!.layout);
      const open = (name: string, mode: number) =>
        calls.open(0, mode, new TextEncoder().encode(name)) as number;
      const zero = open("/dev/zero", 0), full = open("/dev/full", 3), none = open("/dev/null", 1);
      samples.fill(7);
      assertEquals([calls.read(zero, at, 8, 2, 0), calls.read(zero, at, 8, 2, 5)], [8, 8]);
      assertEquals([...samples.subarray(6, 10)], [0, 0, 7, 7]);
      assertEquals([calls.write(none, at, 16, 2, 0), calls.write(full, at, 16, 2, 0)], [16, -12]);
      assertEquals(
        [calls.size(zero), calls.read(zero, at, 1, 1, 0)],
        [Infinity, -6],
        "no end, so no place from it",
      );
      for (const file of [zero, full, none]) assertEquals(calls.close(file), 0);
      calls.closeAll();
    }
  },
});

Deno.test("whether a kernel's worker can do the I/O of a file", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "file"), "1");
  const expected: readonly (readonly [string, Parameters<typeof hasDirect>[1], boolean])[] = [
    [join(folder, "file"), {}, true],
    [join(folder, "new"), {}, true],
    [folder, {}, false],
    ["file", { roots: [folder] }, true],
    ["../file", { roots: [folder] }, false],
    [join(folder, "none/new"), { roots: [folder] }, true],
    ["a", { backEnd: memoryFiles() }, true],
    ["a", { backEnd: opfsFiles() }, false],
    ["a", { backEnd: { module: MODULE, export: "mapFiles", shared: { late: false } } }, true],
    ["a", { backEnd: { module: MODULE, export: "mapFiles", shared: { late: true } } }, false],
  ];
  for (const [name, options, found] of expected) assertEquals(await hasDirect(name, options), found, name);
  await Deno.remove(folder, { recursive: true });
});
