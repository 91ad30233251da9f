/** Memory does not grow: a user who moves a detector fifty times holds what was held after a few moves. */

import { assert, assertEquals } from "@std/assert";
import { browserTest, call, withPage } from "./setup/mod.ts";

/** Runs, and those before which caches are still filled. */
const RUNS = 50, FIRST = 10;

/** Most bytes by which heap and WebAssembly memory of the page may grow over 40 runs: less than one result per run. */
const MOST = 2 ** 20;

for (const [isolated, workers] of [[true, 2], [false, 0]] as const) {
  browserTest(`memory does not grow over ${RUNS} runs, ${isolated ? "with" : "without"} shared memory`, () =>
    withPage({ isolated, timeout: 120_000 }, async ({ page }) => {
      const used = await call(page, "cycles", RUNS, workers);
      assertEquals(used.length, RUNS);
      assertEquals(new Set(used.map(({ leased }) => leased)), new Set([used[0]!.leased]));
      const [early, late] = [used.slice(FIRST, FIRST + 5), used.slice(-5)].map(least);
      assert(late! - early! < MOST, `${early} bytes in use after ${FIRST} runs, ${late} at the end`);
    }));
}

/** The least bytes that several runs leave: a collection does not find everything at once. */
function least(used: readonly { readonly heap: number }[]): number {
  return Math.min(...used.map(({ heap }) => heap));
}
