/** Time in which a thread had no processor, or nobody could have seen it end, is not held against it. */

import { assertEquals } from "@std/assert";
import { countdown, type Later } from "../../../src/executor/pool/countdown.ts";

/** The milliseconds after which a thread is given up that has no processor for a share of each step. */
function patience(share: number, starvedUntil = Infinity): number {
  let now = 0, waited = 0, due: (() => void) | undefined;
  const wait: Later = (work, milliseconds) => {
    due = () => {
      now += milliseconds;
      if (now <= starvedUntil) waited += share * milliseconds;
      work();
    };
    return () => due = undefined;
  };
  let over = false;
  countdown(5000, () => waited, () => over = true, wait);
  while (!over) due!();
  return now;
}

Deno.test("a thread is given up after its patience, and later by as much as it had no processor", () => {
  assertEquals(patience(0), 5000);
  assertEquals(patience(0.5), 10_000);
  assertEquals(patience(2, 60_000), 65_000, "several threads that wait count as one");
});

Deno.test("a thread that has ended is not waited for any more", () => {
  let cancelled = 0;
  countdown(5000, () => 0, () => {}, () => () => cancelled++)();
  assertEquals(cancelled, 1);
});
