/** Runs a test on the calling thread, on two workers, and on two processes that share no memory. */

import { processExecutor } from "../../src/executor/process/executor.ts";
import type { ProcessPermissions } from "../../src/executor/process/grants.ts";
import { type Context, createContext } from "../../src/runner/context.ts";

const MEMORY = 64 * 2 ** 20;

/** A test that must hold wherever partitions are computed. */
export function both(name: string, work: (context: Context) => Promise<void>): void {
  for (const workers of [0, 2]) {
    Deno.test(`${name} (${workers === 0 ? "inline" : `${workers} workers`})`, () => onThreads(workers, work));
  }
  Deno.test(`${name} (2 processes)`, () => onProcesses({}, work));
}

/**
 * The same in a folder that is empty at first and gone afterwards. The processes may use all of it: otherwise each file that is
 * written, and each that is read, takes new processes.
 */
export function bothInFolder(name: string, work: (context: Context, folder: string) => Promise<void>): void {
  const test = (
    where: string,
    run: (work: (context: Context) => Promise<void>, folder: string) => Promise<void>,
  ) =>
    Deno.test(`${name} (${where})`, async () => {
      const folder = await Deno.makeTempDir({ prefix: "tilewise-" });
      try {
        await run((context) => work(context, folder), folder);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  test("inline", (work) => onThreads(0, work));
  test("2 workers", (work) => onThreads(2, work));
  test("2 processes", (work, folder) => onProcesses({ read: [folder], write: [folder] }, work));
}

async function onThreads(workers: number, work: (context: Context) => Promise<void>): Promise<void> {
  await using context = createContext({ memory: MEMORY, workers });
  await work(context);
  await context.settled();
}

async function onProcesses(
  permissions: ProcessPermissions,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  await using executor = processExecutor({ workers: 2, permissions });
  await using context = createContext({ memory: MEMORY, executor });
  await work(context);
  await context.settled();
}
