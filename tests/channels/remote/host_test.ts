/** Remote calls to hosts with runners of their own: late answers, several at a time, failures, closing, lost threads. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext, insideOf } from "../../../src/runner/context.ts";
import { type ChannelHost, startHost } from "../../../src/channels/host/host.ts";
import type { HostOptions } from "../../../src/channels/host/options.ts";
import { poolOfRunners } from "../../../src/channels/host/runners.ts";
import { type RemoteCalls, remoteCalls } from "../../../src/channels/remote/calls.ts";
import type { functions, Shared } from "./host_functions.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

type Functions = ReturnType<typeof functions>;
type Calls = RemoteCalls<Functions>;

const shared: Shared = { factor: 3, count: new SharedArrayBuffer(8) };
const MODULE = { module: import.meta.resolve("./host_functions.ts"), export: "functions", shared };

/** Runs `body` with a host, and checks that its memory comes home. */
async function withHost(
  body: (calls: Calls, host: ChannelHost, memory: WebAssembly.Memory) => void | Promise<void>,
  options: Partial<HostOptions> = {},
): Promise<void> {
  await using context = createContext({ memory: 1 << 18 });
  const { arena } = insideOf(context);
  {
    const counts = { channels: 10, bufferLength: 64, elementSize: 1, ...options };
    await using host = await startHost(context, { functions: MODULE, ...counts });
    await body(remoteCalls<Functions>(arena.memory, insideOfHost(host)!.layout), host, arena.memory);
  }
  await context.settled();
  assertEquals(insideOf(context).arena.used, 0); // a new arena, if the memory of the channels had to be given up
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Whether `spins` may return. */
function mayReturn(may: boolean): void {
  Atomics.store(new Int32Array(shared.count), 1, may ? 1 : 0);
}

function statusOf(work: () => unknown): unknown {
  return assertThrows(work, TilewiseError).details["status"];
}

Deno.test("a factory gets its shared data, and answers arrive at once or late", () =>
  withHost((calls) => {
    assertEquals(calls.call(0, "times", 14), 42);
    assertEquals(calls.call(1, "later", 5, -(2n ** 60n) - 1n), -(2n ** 60n) - 1n);
    assertEquals([...calls.call(2, "reversed", Uint8Array.of(1, 2, 3))], [3, 2, 1]);
  }));

Deno.test("a record of functions needs no factory", () =>
  withHost((_, host, memory) => {
    const { layout } = insideOfHost(host)!;
    const calls = remoteCalls<typeof import("./host_functions.ts").plain>(memory, layout);
    assertEquals(calls.call(0, "twice", 4), 8);
  }, { functions: { module: MODULE.module, export: "plain" } }));

Deno.test("late answers of one runner overlap, in any order", () =>
  withHost((calls) => {
    const tickets = Array.from({ length: 10 }, (_, i) => calls.submit(i, "later", 300 - 20 * i, BigInt(i)));
    assertEquals(tickets.map((ticket) => ticket.try()), tickets.map(() => false));
    const last = tickets[9]!;
    assertEquals([last.wait(), tickets[0]!.try()], [true, false], "the shortest one is there first");
    assertEquals(tickets.map((ticket) => ticket.get()), tickets.map((_, i) => BigInt(i)));
    tickets.forEach((ticket) => ticket.release());
  }));

Deno.test("functions that block overlap on several runners", () =>
  withHost((calls) => {
    for (let round = 1; round <= 5; round++) {
      const tickets = Array.from({ length: 4 }, (_, i) => calls.submit(i, "meets", 4 * round));
      assertEquals(
        tickets.map((ticket) => ticket.get()),
        Array(4).fill(4 * round),
        "all were inside at once",
      );
      tickets.forEach((ticket) => ticket.release());
    }
  }, { runners: 4, functions: { ...MODULE, shared: { factor: 1, count: new SharedArrayBuffer(4) } } }));

Deno.test("a call that may not leave its runner waits for it", () =>
  withHost((calls, host, memory) => {
    const { layout } = insideOfHost(host)!;
    const home = remoteCalls<Functions>(memory, layout, { spawn: false });
    using slow = calls.submit(0, "blocking", 100);
    assertEquals([home.call(1, "count"), home.call(3, "count"), home.call(5, "count")], [1, 2, 3]);
    assertEquals(slow.get(), 100);
  }, { runners: 2 }));

Deno.test("bytes in pieces go to one runner and come back from it", () =>
  withHost((_, host, memory) => {
    const { layout } = insideOfHost(host)!;
    const calls = remoteCalls<Functions>(memory, layout, { stream: true });
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i * 7);
    for (const channel of [0, 1, 2, 3]) {
      assertEquals(calls.call(channel, "reversed", bytes), bytes.toReversed());
    }
  }, { runners: 3 }));

Deno.test("a promise that is rejected arrives as a failure, also with a value that is not an error", () =>
  withHost((calls) => {
    const error = assertThrows(() => calls.call(0, "rejects", "the disk is away"), TilewiseError);
    assertEquals([error.code, error.details["reason"]], ["udf", "the disk is away"]);
    assertEquals(assertThrows(() => calls.call(0, "rejectsValue"), TilewiseError).details["reason"], "42");
    assertEquals(assertThrows(() => calls.call(0, "wrongLater"), TilewiseError).code, "udf");
    assertEquals(calls.call(0, "times", 1), 3, "the channel can be used again");
  }));

Deno.test("a host whose function never answers can be closed", () =>
  withHost(async (calls, host) => {
    const ticket = calls.submit(0, "never");
    assertEquals(ticket.wait(20), false);
    await host.close();
    assertEquals(statusOf(() => ticket.get()), "closed");
    assertEquals(statusOf(() => calls.call(1, "times", 1)), "closed");
  }, { grace: 100 }));

Deno.test("an abort finishes the call that runs, drops the one that waits, and refuses the next one", () => {
  const count = new SharedArrayBuffer(4), inside = new Int32Array(count);
  const functions = { ...MODULE, shared: { factor: 1, count } };
  return withHost(async (calls, host) => {
    const running = calls.submit(0, "enters", 60);
    while (Atomics.load(inside, 0) === 0) await turn();
    calls.submit(1, "times", 1);
    const end = host.abort("enough");
    assertEquals(statusOf(() => calls.call(2, "times", 1)), "aborted");
    await end;
    assertEquals(statusOf(() => running.get()), "aborted");
    const made = host.statistics().channels.map((channel) => channel.calls);
    assertEquals(made.slice(0, 3), [2, 0, 0], "the table was asked for, and the call that ran is finished");
  }, { functions });
});

Deno.test("a module or an export that is missing is an error when the host starts", async () => {
  const cases = [
    [{ module: import.meta.resolve("./missing.ts"), export: "functions" }, "udf", "missing.ts"],
    [{ module: MODULE.module, export: "absent" }, "udf", "exports"],
    [{ module: MODULE.module, export: "noRecord" }, "udf", "not a record"],
    [{ module: MODULE.module, export: "throwing" }, "udf", "no licence"],
    [{ module: "./relative.ts", export: "functions" }, "udf", "import.meta.resolve"],
  ] as const;
  await using context = createContext({ memory: 1 << 18 });
  for (const [functions, code, part] of cases) {
    const counts = { channels: 1, bufferLength: 8, elementSize: 1 };
    const error = await assertRejects(() => startHost(context, { ...counts, functions }), TilewiseError);
    assertEquals([error.code, error.message.includes(part)], [code, true], error.message);
  }
  await context.settled();
  assertEquals(insideOf(context).arena.used, 0);
});

Deno.test("a runner that ends inside of a call fails it, and the next call is answered", () =>
  withHost(async (calls, host) => {
    const { layout } = insideOfHost(host)!;
    using _ = { [Symbol.dispose]: () => mayReturn(true) };
    for (const name of ["never", "spins"] as const) {
      mayReturn(false);
      const ticket = calls.submit(0, name);
      assertEquals(ticket.wait(20), false);
      poolOfRunners(layout.gate)!.kill(0);
      while (!ticket.try()) await turn(); // this thread starts the next runner, so that it must not block
      assertEquals(statusOf(() => ticket.get()), "lost");
      mayReturn(true);
      ticket.release();
      using next = calls.submit(0, "times", 2);
      while (!next.try()) await turn();
      assertEquals(next.get(), 6, "another runner has taken its place");
    }
  }, { grace: 200 }));
