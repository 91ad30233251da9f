/** Which servers are too slow, in simulated time. */

import { assertEquals, assertMatch } from "@std/assert";
import { type HttpTimeouts, Watch } from "../../../src/io/source/watch.ts";
import { SimulatedClock } from "../../cluster/simulation/clock.ts";

/** A server: milliseconds until its headers, then pieces of so many bytes. */
interface Server {
  readonly headers: number;
  readonly piece: number;
  readonly every: number;
}

/** What a watch says of an answer of `length` bytes, and the seconds until it says it or the answer is complete. */
async function watched(length: number, timeouts: HttpTimeouts, { headers, piece, every }: Server) {
  const clock = new SimulatedClock();
  using watch = new Watch(length, timeouts, undefined, clock);
  const { signal } = watch;
  const answer = async () => {
    await clock.sleep(headers, signal);
    if (signal.aborted) return;
    watch.headersArrived();
    for (let at = 0; at < length && !signal.aborted; at += piece) {
      watch.progress(Math.min(piece, length - at));
      await clock.sleep(every, signal);
    }
  };
  await clock.run(answer());
  return { late: watch.late, seconds: clock.now() / 1000 };
}

const USUAL: HttpTimeouts = { timeout: 30_000, stallTimeout: 10_000 };

Deno.test("a silent server is given up on after its timeouts, before and after its headers", async () => {
  const before = await watched(4096, USUAL, { headers: 1e9, piece: 1, every: 1 });
  assertEquals(before.late, "sent no answer within 10 s");
  assertEquals(Math.round(before.seconds), 10);
  const after = await watched(4096, USUAL, { headers: 9000, piece: 10, every: 1e9 });
  assertMatch(after.late!, /^sent 10 B in 10 s \(1 B per second\); at least 1 KiB per second are expected$/);
  assertEquals(Math.abs(after.seconds - 19) <= 1.25, true, `${after.seconds} s`);
});

Deno.test("a server that drips is given up on, one that is slow is waited for, however long it takes", async () => {
  const drips = await watched(1e6, USUAL, { headers: 0, piece: 100, every: 100 });
  assertMatch(drips.late!, /^sent [\d.]+ (KiB|B) in 10 s \(\d+ B per second\)/);
  for (const [piece, every] of [[120, 100], [400, 150], [11_000, 10_000], [300, 100]] as const) {
    const slow = await watched(990_000, USUAL, { headers: 9000, piece, every });
    assertEquals([slow.late, slow.seconds > 300], [undefined, true], `${piece} B every ${every} ms`);
  }
});

Deno.test("a whole answer has its time, with one second per KiB", async () => {
  const timeouts: HttpTimeouts = { timeout: 1000, stallTimeout: 60_000 };
  const late = await watched(20 * 1024, timeouts, { headers: 0, piece: 512, every: 1000 });
  assertMatch(late.late!, /^took more than 21 s: it sent 1\d(\.\d+)? KiB$/);
  assertEquals(
    (await watched(20 * 1024, timeouts, { headers: 0, piece: 1100, every: 1000 })).late,
    undefined,
  );
});

Deno.test("time in which this thread is busy is not the server's", async () => {
  const clock = new SimulatedClock();
  /** Looks come late by an hour: this thread did something else. */
  const busy = {
    now: () => clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms + 3_600_000, signal),
  };
  using watch = new Watch(4096, USUAL, undefined, busy);
  await clock.run(clock.sleep(3 * 3_610_000));
  assertEquals(watch.late, undefined);
});
