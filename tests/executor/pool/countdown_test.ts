/** Time in which a thread had no processor, or nobody could have seen it end, is not held against it. */

import { assertEquals } from "@std/assert";
import { countdown } from "../../../src/executor/pool/remote.ts";

/** The milliseconds after which a thread is given up that waits for a processor, for a share of each step, until it ends. */
function patience(share: number, end = Infinity): number {
  const { setInterval, clearInterval } = globalThis;
  let now = 0, waited = 0, over = false, step = () => {}, running = 0;
  Object.assign(globalThis, {
    setInterval: (work: () => void, milliseconds: number) => {
      step = () => {
        now += milliseconds;
        waited = now > end ? 0 : waited + share * milliseconds;
        work();
      };
      return ++running;
    },
    clearInterval: () => running--,
  });
  try {
    countdown(5000, () => waited, () => over = true);
    while (!over) step();
    assertEquals(running, 0);
  } finally {
    Object.assign(globalThis, { setInterval, clearInterval });
  }
  return now;
}

Deno.test("a thread is given up after its patience, and later by as much as it had no processor", () => {
  assertEquals(patience(0), 5000);
  assertEquals(patience(0.5), 10_000);
  assertEquals(patience(2, 60_000), 65_000, "several threads that wait count as one; then it has ended");
});
