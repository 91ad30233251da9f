/**
 * Opens, plans and runs over and over, as a user does who moves a detector: what memory is left in use after each round.
 *
 * @module
 */

/// <reference lib="dom" />

import { annularDetector, createContext, open, plan, run, sumFrames } from "@tilewise/tilewise";
import { SCAN, scanBytes } from "../../runtimes/programs/work.ts";

/** Bytes in use. */
export interface Used {
  /** Of the heap of the page after a collection, as the browser tells it. */
  readonly heap: number;
  /** Of leases of the context. */
  readonly leased: number;
}

/** Runs `count` times on `workers` workers in one context; bytes in use after each run. */
export async function cycles(count: number, workers: number): Promise<Used[]> {
  const file = new File([scanBytes()], "scan.raw");
  await using context = createContext({ workers, memory: "64MiB" });
  const used: Used[] = [];
  for (let i = 0; i < count; i++) {
    const scan = await open(file, SCAN);
    const ring = annularDetector({ ri: i % 5, ro: 8 + i % 7 });
    await run(await plan(scan, { ring, dp: sumFrames() }, { context }));
    used.push({ heap: heapBytes(), leased: context.used });
  }
  return used;
}

function heapBytes(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
}
