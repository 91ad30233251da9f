/**
 * How fast kernels are in here: runs on samples in memory, on the calling thread.
 *
 * By itself, it prints processor time as JSON.
 *
 * @module
 */

import {
  annularDetector,
  centreOfMass,
  createContext,
  crystallinity,
  type Dataset,
  expression,
  open,
  plan,
  run,
  standardDeviation,
  sumFrames,
  type udf,
} from "@tilewise/tilewise";

/** What is run, by name. */
const RUNS = {
  sum: sumFrames,
  ring: () => annularDetector({ ri: 8, ro: 30 }),
  com: centreOfMass,
  stddev: standardDeviation,
  expression: () => expression("sum(sqrt(x)) / count(x > 3)"),
  crystallinity: () => crystallinity({ ri: 4, ro: 20 }),
} satisfies Record<string, () => ReturnType<typeof udf>>;

/** A run. */
export type RunName = keyof typeof RUNS;

/** All runs. */
export const RUN_NAMES = Object.keys(RUNS) as RunName[];

/** Shape of the scan: 32 MiB. */
const SHAPE = [32, 32, 128, 128] as const;

/** Bytes of the scan. */
export const BYTES = 2 * SHAPE.reduce<number>((a, b) => a * b, 1);

/** Runs before processor time is taken, and while it is. */
export const WARM = 10, COUNT = 10;

let scan: Promise<Dataset> | undefined;
const context = createContext({ workers: 0, memory: "256MiB" });
const plans = new Map<RunName, ReturnType<typeof planned>>();

/** Runs one of {@link RUN_NAMES} `count` times. */
export async function repeat(name: RunName, count: number): Promise<void> {
  const made = plans.get(name) ?? planned(name);
  plans.set(name, made);
  for (let i = 0; i < count; i++) await run(await made);
}

async function planned(name: RunName) {
  const data = () => Uint16Array.from({ length: BYTES / 2 }, (_, i) => Math.imul(i, 2654435761) >>> 26);
  return await plan(await (scan ??= open({ data: data(), shape: SHAPE })), { it: RUNS[name]() }, { context });
}

/** Microseconds of processor time per run, by name; `clock` gives those of this process so far. */
export async function costs(
  call: (name: RunName, count: number) => Promise<void>,
  clock: () => number | Promise<number>,
): Promise<Record<RunName, number>> {
  const found: Partial<Record<RunName, number>> = {};
  for (const name of RUN_NAMES) {
    await call(name, WARM);
    const before = await clock();
    await call(name, COUNT);
    found[name] = (await clock() - before) / COUNT;
  }
  return found as Record<RunName, number>;
}

if (import.meta.main) {
  const { cpuUsage } = await import("node:process");
  const clock = () => {
    const { user, system } = cpuUsage();
    return user + system;
  };
  console.log(JSON.stringify(await costs(repeat, clock)));
  await context[Symbol.asyncDispose]();
}
