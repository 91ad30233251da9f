/** Hosts: their runners, their end, and what they tell. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { JobHandler, WorkerContext } from "../../../src/executor/task.ts";
import { type ChannelHost, startHost, startHostWith } from "../../../src/channels/host/host.ts";
import { memoryFiles } from "../../../src/channels/backends/stores.ts";
import { fileSource } from "../../../src/channels/host/file_service.ts";
import { hasSupport, hostBytes, type HostOptions } from "../../../src/channels/host/options.ts";
import { poolOfRunners } from "../../../src/channels/host/runners.ts";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { Caller } from "../../../src/channels/protocol/caller.ts";
import { type ChannelLayout, Channels } from "../../../src/channels/protocol/channel.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { ownerOf, STATE, stateOf } from "../../../src/channels/protocol/layout.ts";
import { type Context, createContext, insideOf } from "../../../src/runner/context.ts";
import { FN, testSource } from "./services.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

const OPTIONS: HostOptions = { channels: 4, bufferLength: 4, elementSize: 8 };

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A host with the functions of `services.ts`, and a caller on this thread. */
async function withHost(
  options: Partial<HostOptions>,
  body: (
    stage: { context: Context; host: ChannelHost; caller: Caller; channels: Channels },
  ) => Promise<void> | void,
): Promise<void> {
  await using context = createContext({ memory: 1 << 20, workers: 2 });
  await using host = await startHostWith(context, { ...OPTIONS, ...options }, [testSource()]);
  const { memory } = insideOf(context).arena;
  const caller = new Caller(memory, insideOfHost(host)!.layout, "fail");
  await body({ context, host, caller, channels: new Channels(memory, insideOfHost(host)!.layout) });
}

/** The answer of a call that another thread gives, without blocking this one. */
async function answered(caller: Caller, ticket: number): Promise<number> {
  while (caller.poll(ticket) === 0) await sleep(1);
  return caller.get(ticket);
}

for (const runners of [0, 1, 3]) {
  Deno.test(`${runners} runners answer at once, later, and with failures`, () =>
    withHost({ runners }, async ({ host, caller }) => {
      assertEquals(caller.call(0, FN.add, 1, 2), 3);
      const late = caller.submit(1, FN.later, [7, 5]), bad = caller.submit(2, FN.failLater);
      assertEquals(caller.call(3, FN.fail, 5), -STATUS.failed);
      assertEquals(new TextDecoder().decode(caller.message), "no 5");
      assertEquals([await answered(caller, late), await answered(caller, bad)], [7, -STATUS.failed]);
      assertEquals(new TextDecoder().decode(caller.message), "no more");
      assertEquals([caller.release(1), caller.release(2)], [0, 0]);
      assertEquals(caller.call(2, FN.add, 1, 1), 2, "the channel of a failure is used again");
      const { channels, runners: rows } = host.statistics();
      assertEquals(channels.map(({ calls }) => calls), [1, 1, 2, 1]);
      assertEquals(rows.reduce((sum, { failures }) => sum + failures, 0), 2);
      assertEquals(rows.reduce((sum, { calls }) => sum + calls, 0), 5);
    }));
}

Deno.test("answers that are awaited do not hold up other channels", () =>
  withHost({ runners: 1 }, async ({ caller }) => {
    const slow = caller.submit(0, FN.later, [1, 500]);
    for (let i = 0; i < 20; i++) assertEquals(caller.call(1 + i % 3, FN.add, i, 1), i + 1);
    assertEquals(caller.poll(slow), 0);
    await Promise.resolve();
  }));

Deno.test("calls of a channel go to one runner, free calls to any that is free", () =>
  withHost({ runners: 3 }, ({ caller, channels }) => {
    for (let i = 0; i < 12; i++) assertEquals(caller.call(i % 4, FN.runner), i % 4 % 3);
    const blocked = caller.submit(0, FN.block, [200]);
    while (stateOf(Atomics.load(channels.words, channels.state(0))) !== STATE.running);
    const free = caller.submit(3, FN.runner, [], { free: true }); // its own runner is the one that is blocked
    assert([1, 2].includes(caller.get(free)));
    assertEquals(caller.get(blocked), 0);
  }));

Deno.test("ten calls that block are answered by ten runners in a pool of ten", () =>
  withHost({ runners: 10, channels: 10 }, ({ caller }) => {
    const tickets = Array.from({ length: 10 }, (_, i) => caller.submit(i, FN.block, [300], { free: true }));
    const runners = tickets.map((ticket) => caller.get(ticket));
    assertEquals(new Set(runners).size, 10, "each is answered by a runner of its own");
  }));

Deno.test("the thread that serves answers its own calls, and refuses to wait for itself", () =>
  withHost({ runners: 0 }, ({ caller, channels }) => {
    assertEquals(caller.call(0, FN.later, 1, 1), -STATUS["would-block"]);
    assertEquals(stateOf(channels.words[channels.state(0)]!), STATE.orphaned);
    assertEquals(caller.call(1, FN.add, 1, 1), 2);
  }));

Deno.test("workers call a host that serves on the calling thread", () =>
  withHost({ runners: 0 }, async ({ host, channels }) => {
    const job = {
      module: import.meta.url,
      export: "adderJob",
      shared: { layout: insideOfHost(host)!.layout },
    };
    const sums = await insideOfHost(host)!.launch<typeof adderJob>(job, [10, 20, 30, 40]);
    assertEquals(sums, [10, 20, 30, 40].map((n) => n * (n + 1) / 2));
    assertEquals(channels.gate.callers, 0);
  }));

/** Adds up 1 … n by calls of the host. */
export function adderJob(
  { layout }: { layout: ChannelLayout },
  { memory, index }: WorkerContext,
): JobHandler<number, number> {
  const caller = new Caller(memory, layout);
  return {
    run(n) {
      let sum = 0;
      for (let i = 1; i <= n; i++) {
        sum = caller.call(index, i % 2 ? FN.add : FN.later, sum + (i % 2 ? 0 : i), i % 2 ? i : 1);
      }
      return sum;
    },
  };
}

Deno.test("a runner makes no more scans per second than it may", () =>
  withHost({ scanRate: 50 }, ({ host, caller }) => {
    const start = performance.now();
    for (let i = 0; i < 10; i++) caller.call(0, FN.add, i, 1);
    const { scans } = host.statistics().runners[0]!;
    assert(scans <= 50 * (performance.now() - start) / 1000 + 3, `${scans} scans`);
  }));

Deno.test("statistics count calls, bytes and waits, and stay after the end", async () => {
  await using context = createContext({ memory: 1 << 20 });
  const host = await startHostWith(context, OPTIONS, [testSource()]);
  const caller = new Caller(insideOf(context).arena.memory, insideOfHost(host)!.layout);
  for (let i = 0; i < 40; i++) caller.call(2, FN.count, insideOfHost(host)!.layout.offset + 64 + 600);
  caller.wait(caller.submit(2, FN.block, [50]), 10_000); // answers can come before one waits for them, but not this one
  const before = host.statistics();
  assertEquals([before.channels[2]!.calls, before.channels[2]!.bytes], [41, 320]);
  assert(before.channels[2]!.waited > 0 && before.channels[1]!.waited === 0);
  await host.close();
  assertEquals(host.statistics().channels, before.channels);
});

Deno.test("an abort finishes what runs, drops what waits, and refuses the rest", () =>
  withHost({ runners: 1 }, async ({ host, caller }) => {
    const runs = caller.submit(0, FN.later, [5, 100]);
    while (host.statistics().runners[0]!.scans < 2 || caller.poll(runs) !== 0) await sleep(1);
    const blocks = caller.submit(1, FN.block, [150]);
    const waits = caller.submit(2, FN.add, [1, 1]); // the runner cannot look before the abort
    await sleep(20);
    const reason = new RangeError("enough");
    const results = [host.abort(reason), host.abort("again")];
    assert(host.signal.aborted && host.signal.reason === reason);
    assertEquals(caller.call(3, FN.add, 1, 1), -STATUS.aborted);
    await Promise.all(results);
    assertEquals([runs, blocks, waits].map((ticket) => caller.get(ticket)), Array(3).fill(-STATUS.aborted));
    assertEquals(
      host.statistics().channels.map(({ calls }) => calls),
      [1, 1, 0, 0],
      "what ran has been finished",
    );
  }));

Deno.test("an abort ends the launches of the host with its reason", () =>
  withHost({}, async ({ host }) => {
    const job = {
      module: import.meta.url,
      export: "sleeperJob",
      shared: { layout: insideOfHost(host)!.layout },
    };
    const launch = insideOfHost(host)!.launch<typeof sleeperJob>(job, [0, 1]);
    const failed = assertRejects(async () => void await launch, TilewiseError);
    while (host.statistics().channels.slice(0, 2).some(({ calls }) => calls === 0)) await sleep(1); // both have loaded
    const reason = new RangeError("enough of this");
    await host.abort(reason);
    const { code, cause } = await failed;
    assertEquals([code, cause], ["aborted", reason]);
  }));

/** Calls the host again and again. */
export function sleeperJob(
  { layout }: { layout: ChannelLayout },
  { memory, index }: WorkerContext,
): JobHandler<number, void> {
  const caller = new Caller(memory, layout);
  return {
    run() {
      while (caller.call(index, FN.later, 1, 2) >= 0);
    },
  };
}

Deno.test("a worker that is killed inside a call gives its channel back, in every state", async () => {
  for (const fn of [FN.later, FN.block, 0]) {
    await withHost({ channels: 1 }, async ({ context, host, caller, channels }) => {
      const job = {
        module: import.meta.url,
        export: "heldJob",
        shared: { layout: insideOfHost(host)!.layout, fn, at: 300 },
      };
      const launch = insideOfHost(host)!.launch<typeof heldJob>(job, [0], { stallTimeout: 60_000 });
      const failed = launch.then(() => undefined, (error) => error);
      const word = () => channels.words[channels.state(0)]!;
      while (
        ![STATE.running, STATE.done].includes(stateOf(word()) as 3) &&
        !(fn === 0 && stateOf(word()) === STATE.claimed)
      ) await sleep(1);
      assert(ownerOf(word()) > 0);
      assertEquals(caller.call(0, FN.add, 1, 1), -STATUS.busy);
      await context[Symbol.asyncDispose](); // ends the threads of the workers, and the host
      await failed;
      await host.close();
      await context.settled();
      assertEquals(context.used, 0, "no call is under way, so that the memory is returned");
    });
  }
});

/** Holds channel 0 for ever. */
export function heldJob(
  { layout, fn, at }: { layout: ChannelLayout; fn: number; at: number },
  { memory }: WorkerContext,
): JobHandler<number, void> {
  const caller = new Caller(memory, layout);
  return {
    async run() {
      if (fn === 0) caller.acquire(0);
      else caller.submit(0, fn, [at, 300]);
      await new Promise(() => {});
    },
  };
}

Deno.test("a thread that is killed inside a call leaves its channel to others, and its memory to nobody too early", async () => {
  await using pool = workerPool({ workers: 1 });
  await using context = createContext({ memory: 1 << 20, executor: pool });
  await using host = await startHostWith(context, OPTIONS, [testSource()]);
  const { memory } = insideOf(context).arena, channels = new Channels(memory, insideOfHost(host)!.layout);
  const array = host.array("int32", 16);
  const state = () => stateOf(Atomics.load(channels.words, channels.state(0)));
  const shared = { layout: insideOfHost(host)!.layout, fn: FN.slowWrite, at: array.offset };
  const launch = insideOfHost(host)!.launch<typeof heldJob>(
    { module: import.meta.url, export: "heldJob", shared, once: true },
    [0],
  );
  const failed = assertRejects(async () => void await launch, TilewiseError);
  while (state() !== STATE.running) await sleep(1);
  pool.kill(0);
  await failed;
  await context.settled();
  assertEquals(state(), STATE.unused, "the runner has finished what it did for the dead thread");
  assertEquals(array.data[0], 0x5a5a5a5a, "before the memory counts as free");
  const caller = new Caller(memory, insideOfHost(host)!.layout, "fail", 77);
  assertEquals([caller.call(0, FN.add, 20, 3), channels.gate.callers], [23, 0]);
});

Deno.test("a host that closes ends the calls of workers, whatever they do", () =>
  withHost({ channels: 2 }, async ({ host }) => {
    const shared = { layout: insideOfHost(host)!.layout };
    const launch = insideOfHost(host)!.launch<typeof sleeperJob>(
      { module: import.meta.url, export: "sleeperJob", shared },
      [0, 1],
    );
    const all = launch.then((results) => results.length);
    while (host.statistics().channels.some(({ calls }) => calls === 0)) await sleep(1);
    await host.close();
    assertEquals(await all, 2);
  }));

Deno.test("a runner that ends fails its call, and another one serves on", () =>
  withHost({ runners: 2 }, async ({ host, caller }) => {
    const lost = caller.submit(1, FN.crash), waits = caller.submit(3, FN.add, [2, 2]);
    assertEquals([await answered(caller, lost), await answered(caller, waits)], [-STATUS.lost, 4]);
    assertEquals(caller.call(0, FN.add, 3, 3), 6);
    assertEquals(poolOfRunners(insideOfHost(host)!.layout.gate)!.replaced, 1);
  }));

Deno.test("services that cannot be loaded fail the start of a host", async () => {
  await using context = createContext({ memory: 1 << 20 });
  for (const runners of [0, 1, 2]) {
    const start = (source: ReturnType<typeof testSource>[]) =>
      startHostWith(context, { ...OPTIONS, runners }, source);
    await assertRejects(() => start([testSource({ broken: true })]), Error, "this service is broken");
    await assertRejects(() => start([{ ...testSource(), export: "nothing" }]), TilewiseError, "nothing");
    await assertRejects(() => start([testSource(), testSource()]), TilewiseError, "two functions");
    await context.settled();
    assertEquals(context.used, 0);
  }
});

Deno.test("a host leases what the size query says, for every combination of options", async () => {
  await using context = createContext({ memory: 1 << 20 });
  const rows = [[1, { elementSize: 1 }], [100, { type: "float64" }], [33, { type: "uint16" }]] as const;
  const all = [1, 5].flatMap((channels) =>
    rows.map(([bufferLength, size]) => ({ channels, bufferLength, ...size }))
  );
  for (const [i, counts] of all.entries()) {
    for (const backEnd of [undefined, memoryFiles({ bytes: 1 << 18 })]) {
      const options = { ...counts, runners: [0, 1, 0, 4, 0, 2][i]!, ...(backEnd ? { backEnd } : {}) };
      const host = await startHost(context, options);
      const { shared, host: outside, local } = hostBytes(options);
      assertEquals([context.used, insideOfHost(host)!.layout.gate.byteLength, local], [shared, outside, 0]);
      await host.close();
      await context.settled();
      assertEquals(context.used, 0);
    }
  }
});

Deno.test("options that cannot be are refused, with their names", async () => {
  await using context = createContext({ memory: 1 << 20 });
  const rows: [object, string, string][] = [
    [{ elementSize: undefined }, "elementSize", "have no size"],
    [{ type: "float32" }, "elementSize", "4 bytes, not 8"],
    [{ runners: 32 }, "runners", "a whole number from 0 to 31"],
    [{ runners: -1 }, "runners", "is -1; it must be a whole number from 0"],
    [{ runners: 1.5 }, "runners", "is 1.5; it must be a whole number from 0"],
    [{ channels: NaN }, "channels", "a whole number from 1 to 1024"],
  ];
  for (const [more, option, text] of rows) {
    const options = { ...OPTIONS, ...more } as HostOptions;
    const error = await assertRejects(() => startHost(context, options), TilewiseError, text);
    assertEquals([error.code, error.details.option], ["invalid", option]);
    assertThrows(() => hostBytes(options), TilewiseError, text);
  }
  assertEquals(context.used, 0);
  assertEquals(hasSupport(), true);
  assertEquals(fileSource().export, "fileService");
});
