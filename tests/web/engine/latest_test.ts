/** The latest work wins: what ends, what may end first, and what nobody hears of again. */

import { assertEquals } from "@std/assert";
import { Latest, type Work } from "../../../web/engine/latest.ts";

/** Work that ends when it is told to. */
function work(name: string, log: string[], left: () => number = () => Infinity) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const made: Work = {
    run: async (signal) => {
      log.push(`${name} begins`);
      signal.addEventListener("abort", () => resolve());
      await promise;
      log.push(signal.aborted ? `${name} stops` : `${name} ends`);
    },
    remaining: left,
    cancelled: () => log.push(`${name} is cancelled`),
  };
  return { made, end: resolve };
}

Deno.test("slow work is ended at once, and told so before the next begins", async () => {
  const log: string[] = [];
  const latest = new Latest();
  const [a, b] = [work("a", log), work("b", log)];
  latest.ask(a.made);
  latest.ask(b.made);
  assertEquals(log, ["a begins", "a is cancelled"]);
  b.end();
  await latest.idle;
  assertEquals(log.slice(2), ["a stops", "b begins", "b ends"]);
});

Deno.test("work that is nearly done ends first; of several that wait only the newest begins", async () => {
  const log: string[] = [];
  const latest = new Latest();
  const [a, b, c] = [work("a", log, () => 10), work("b", log), work("c", log)];
  latest.ask(a.made);
  latest.ask(b.made);
  latest.ask(c.made);
  assertEquals(log, ["a begins", "b is cancelled"]);
  a.end();
  c.end();
  await latest.idle;
  assertEquals(log.slice(2), ["a ends", "c begins", "c ends"]);
});

Deno.test("work whose end is unknown does not hold up the next", async () => {
  const log: string[] = [];
  const latest = new Latest();
  const [a, b] = [work("a", log, () => NaN), work("b", log)];
  latest.ask(a.made);
  latest.ask(b.made);
  assertEquals(log[1], "a is cancelled");
  b.end();
  await latest.idle;
});

Deno.test("after it is closed nothing begins, and all that was asked has an end", async () => {
  const log: string[] = [];
  const latest = new Latest();
  const [a, b, c] = [work("a", log, () => 10), work("b", log), work("c", log)];
  latest.ask(a.made);
  latest.ask(b.made);
  await latest.close();
  latest.ask(c.made);
  assertEquals(log, ["a begins", "b is cancelled", "a is cancelled", "a stops", "c is cancelled"]);
});

Deno.test("work that fails does not end the work after it", async () => {
  const log: string[] = [];
  const latest = new Latest();
  const failing: Work = {
    run: () => Promise.reject(new Error("broken")),
    remaining: () => 0,
    cancelled: () => {},
  };
  latest.ask(failing);
  const first = latest.idle.catch((error) => log.push(error.message));
  await first;
  const b = work("b", log);
  latest.ask(b.made);
  b.end();
  await latest.idle;
  assertEquals(log, ["broken", "b begins", "b ends"]);
});
