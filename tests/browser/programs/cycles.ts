/**
 * Opens, plans and runs over and over, as a user does who moves a detector.
 *
 * @module
 */

import { annularDetector, createContext, open, plan, run, sumFrames } from "@tilewise/tilewise";
import { SCAN, scanBytes } from "../../runtimes/programs/work.ts";

let scanFile: File | undefined;
const contexts = new Map<number, ReturnType<typeof createContext>>();

/** Runs `count` times on `workers` workers, in a context that later calls use as well; bytes that runs hold after each. */
export async function cycles(count: number, workers: number): Promise<number[]> {
  const file = scanFile ??= new File([scanBytes()], "scan.raw");
  const context = contexts.get(workers) ?? createContext({ workers, memory: "64MiB" });
  contexts.set(workers, context);
  const used: number[] = [];
  for (let i = 0; i < count; i++) {
    const scan = await open(file, SCAN);
    const ring = annularDetector({ ri: i % 5, ro: 8 + i % 7 });
    await run(await plan(scan, { ring, dp: sumFrames() }, { context }));
    await context.settled();
    used.push(context.used);
  }
  return used;
}
