/** Runs a test on the calling thread, on two workers, and on two processes that share no memory. */

import { fromFileUrl } from "@std/path";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import type { Executor } from "../../src/executor/task.ts";
import { type Context, createContext } from "../../src/runner/context.ts";

/** Processes may use all folders that tests use: with fewer permissions, each run that needs others takes new processes. */
const FOLDERS = [fromFileUrl(new URL("../", import.meta.url)), temporary()];

/** Workers and processes are started once per file of tests; each test has a context of its own. */
const SHARED: Readonly<Record<string, () => Executor>> = {
  "2 workers": once(() => workerPool({ workers: 2 })),
  "2 processes": once(() => processExecutor({ workers: 2, permissions: { read: FOLDERS, write: FOLDERS } })),
};

/** A test that must hold wherever partitions are computed. */
export function both(name: string, work: (context: Context) => Promise<void>): void {
  const memory = 64 * 2 ** 20;
  for (const where of ["inline", ...Object.keys(SHARED)]) {
    Deno.test(`${name} (${where})`, async () => {
      const executor = SHARED[where]?.();
      await using context = createContext({ memory, ...(executor ? { executor } : { workers: 0 }) });
      await work(context);
      await context.settled();
    });
  }
}

/** Makes an executor when it is first needed, and ends it after the last test of the file. */
function once<E extends Executor>(make: () => E): () => E {
  let made: E | undefined;
  Deno.test.afterAll(async () => await made?.[Symbol.asyncDispose]());
  return () => made ??= make();
}

/** The folder in which temporary ones are made. */
function temporary(): string {
  const folder = Deno.makeTempDirSync();
  Deno.removeSync(folder);
  return folder.replace(/[/\\][^/\\]*$/, "");
}
