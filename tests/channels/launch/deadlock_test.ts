/** Launches at the same time, in one context or on one pool, never wait for each other forever. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { SeatAllocator, seatsOf } from "../../../src/channels/launch/queue.ts";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { launch } from "../../../src/runner/launch.ts";
import { type prefix, prefixTwin } from "./kernels.ts";

const module = import.meta.resolve("./kernels.ts");

/** Random whole numbers below `n`, the same ones in every run of the tests. */
function dice(seed: number): (n: number) => number {
  return (n) => {
    seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
    return Math.floor(seed / 2 ** 32 * n);
  };
}

async function prefixes(where: Context, groups: number, groupSize: number): Promise<void> {
  const kernel = { module, export: "prefix" };
  const found = await launchKernel<typeof prefix>(where, kernel, { groups, groupSize, localMemory: 64 });
  const twin = Array.from(
    { length: groups },
    (_, g) => Array.from({ length: groupSize }, (_, m) => prefixTwin(g, m)),
  );
  assertEquals(found.groups.map(({ values }) => values), twin);
}

Deno.test("random launches at once, with other jobs and failures between them, all end", async () => {
  const roll = dice(7);
  await using context = createContext({ memory: "4MiB", workers: 4 });
  const job = {
    module: "data:text/javascript,export const twice = () => ({ run: (n) => 2 * n })",
    export: "twice",
    shared: 0,
  };
  for (let round = 0; round < 6; round++) {
    const work = Array.from({ length: 6 }, async () => {
      const kind = roll(5);
      if (kind === 0) return assertEquals(await launch(context, job, [1, 2, 3]), [2, 4, 6]);
      const [groups, groupSize] = [1 + roll(5), 1 + roll(4)];
      if (kind > 1) return await prefixes(context, groups, groupSize);
      const args = ["throw", roll(groups), roll(groupSize)];
      const failing = launchKernel(
        context,
        { module, export: "fails" },
        { groups, groupSize, args } as never,
      );
      const how = await failing.then(() => "ended", ({ message }: Error) => message);
      assertEquals(how, `Kernel "fails" failed in group ${args[1]}, member ${args[2]}: too far`);
    });
    await Promise.all(work);
  }
  await context.settled();
  assertEquals(context.used, 0);
});

Deno.test("launches of two contexts on one pool share its workers", async () => {
  await using executor = workerPool({ workers: 3 });
  await using a = createContext({ memory: "1MiB", executor });
  await using b = createContext({ memory: "1MiB", executor });
  await Promise.all([a, b, a, b].map((context, i) => prefixes(context, 4, 2 + i % 2)));
  assertEquals([seatsOf(executor, 3).free, seatsOf(executor, 3).waiting], [3, 0]);
});

Deno.test("fewer channels than workers: fewer members run at the same time, and each has its own channel", async () => {
  await using context = createContext({ memory: "1MiB", workers: 3 });
  await using host = await startHost(context, { channels: 2, bufferLength: 8, elementSize: 8 });
  const source = `
    import { channel, groupId, localId, groupSize, barrier } from "tilewise/channels";
    export function claim(busy: usize, channels: i32): i32 {
      const cell = busy + (channel() << 2);
      const before = atomic.add<i32>(cell, 1);
      for (let i = 0; i < 100000; i++) atomic.load<i32>(cell);
      barrier();
      atomic.sub<i32>(cell, 1);
      return channel() < channels ? before : 99;
    }`;
  for (const groupSize of [1, 2]) {
    const { groups } = await launchKernel(host, { source }, {
      groups: 12,
      groupSize,
      args: [host.array("int32", 2)],
    });
    assertEquals(groups.flatMap(({ values }) => values), new Array(12 * groupSize).fill(0));
  }
});

Deno.test("seats are given first in, first out, and come back when a waiting group is cancelled", async () => {
  const gangs = new SeatAllocator(3);
  const stop = new AbortController();
  const never = new AbortController().signal;
  await gangs.enter(2, never);
  const order: string[] = [];
  const big = gangs.enter(3, stop.signal).then(() => order.push("big"), () => order.push("cancelled"));
  const small = gangs.enter(1, never).then(() => order.push("small"));
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals([order, gangs.free, gangs.waiting], [[], 1, 2]);
  stop.abort();
  await Promise.all([big, small]);
  assertEquals([[...order].sort(), gangs.free, gangs.waiting], [["cancelled", "small"], 0, 0]);
  gangs.leave(1);
  gangs.leave(2);
  assertEquals(gangs.free, 3);
});
