/**
 * How much memory a page holds.
 *
 * @module
 */

import type { OpenPage } from "./page.ts";

/** Bytes that a page holds after a collection. */
export interface Held {
  /** Objects of the page itself. */
  readonly objects: number;
  /** Array buffers of the page itself, memories of WebAssembly among them. */
  readonly buffers: number;
  /** All of it with its workers, as the page is told; only with the headers that shared memory needs. */
  readonly all?: number;
}

/** What a page holds now. */
export async function heldBy({ page, context }: OpenPage): Promise<Held> {
  const debug = await context.newCDPSession(page);
  await debug.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = await debug.send("Runtime.getHeapUsage") as {
    readonly usedSize: number;
    readonly backingStorageSize: number;
  };
  await debug.detach();
  const all = await page.evaluate(async () => {
    const measured = performance as unknown as {
      measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }>;
    };
    const bytes: number[] = [];
    for (let i = 0; i < 3; i++) bytes.push((await measured.measureUserAgentSpecificMemory?.())?.bytes ?? NaN);
    return Number.isNaN(bytes[0]) ? undefined : Math.min(...bytes); // some count a shared memory several times
  });
  return { objects: usedSize, buffers: backingStorageSize, ...(all === undefined ? {} : { all }) };
}
