/** Runs a test on the calling thread and on two workers. */

import { type Context, createContext } from "../../src/runner/context.ts";

/** A test that must hold wherever partitions are computed. */
export function both(name: string, work: (context: Context) => Promise<void>): void {
  for (const workers of [0, 2]) {
    Deno.test(`${name} (${workers === 0 ? "inline" : `${workers} workers`})`, async () => {
      await using context = createContext({ memory: 64 * 2 ** 20, workers });
      await work(context);
      await context.settled();
    });
  }
}
