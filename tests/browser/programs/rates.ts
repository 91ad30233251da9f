/**
 * How fast kernels are in here: runs on samples in memory, on the calling thread.
 *
 * By itself, it prints them as JSON.
 *
 * @module
 */

import {
  annularDetector,
  centreOfMass,
  createContext,
  crystallinity,
  expression,
  open,
  plan,
  run,
  standardDeviation,
  sumFrames,
  type udf,
} from "@tilewise/tilewise";

/** What is run, by name. */
const RUNS: Readonly<Record<string, () => ReturnType<typeof udf>>> = {
  sum: sumFrames,
  ring: () => annularDetector({ ri: 8, ro: 30 }),
  com: centreOfMass,
  stddev: standardDeviation,
  expression: () => expression("sum(sqrt(x)) / count(x > 3)"),
  crystallinity: () => crystallinity({ ri: 4, ro: 20 }),
};

/** Shape of the scan: 32 MiB. */
const SHAPE = [32, 32, 128, 128] as const;

/** Bytes per second by name; the fastest of `count` runs. */
export async function rates(count: number): Promise<Record<string, number>> {
  const data = Uint16Array.from(
    { length: SHAPE.reduce<number>((a, b) => a * b, 1) },
    (_, i) => Math.imul(i, 2654435761) >>> 26,
  );
  const scan = await open({ data, shape: SHAPE });
  await using context = createContext({ workers: 0, memory: "256MiB" });
  const found: Record<string, number> = {};
  for (const [name, make] of Object.entries(RUNS)) {
    const planned = await plan(scan, { it: make() }, { context });
    let best = Infinity;
    for (let i = 0; i < count; i++) {
      const started = performance.now();
      await run(planned);
      best = Math.min(best, performance.now() - started);
    }
    found[name] = data.byteLength / best * 1000;
  }
  return found;
}

if (import.meta.main) console.log(JSON.stringify(await rates(3)));
