/** Runs a test on the calling thread, on two workers, and on two processes that share no memory. */

import { processExecutor } from "../../src/executor/process/executor.ts";
import { type Context, createContext } from "../../src/runner/context.ts";

/** A test that must hold wherever partitions are computed. */
export function both(name: string, work: (context: Context) => Promise<void>): void {
  const memory = 64 * 2 ** 20;
  for (const workers of [0, 2]) {
    Deno.test(`${name} (${workers === 0 ? "inline" : `${workers} workers`})`, async () => {
      await using context = createContext({ memory, workers });
      await work(context);
      await context.settled();
    });
  }
  Deno.test(`${name} (2 processes)`, async () => {
    await using executor = processExecutor({ workers: 2 });
    await using context = createContext({ memory, executor });
    await work(context);
    await context.settled();
  });
}
