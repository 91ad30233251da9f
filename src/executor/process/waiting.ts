/**
 * How long a worker process wanted to run while others had the processor. It may not look itself, as it has few permissions; the
 * process that has started it may.
 *
 * @module
 */

import { systemThread, waitedBy } from "../system_thread.ts";

/** Milliseconds for which the thread of a process that has waited longest has waited for a processor; 0 where nobody tells. */
export function waitedByProcess(pid: number): number {
  if (systemThread() === undefined) return 0;
  try {
    const threads = [...Deno.readDirSync(`/proc/${pid}/task`)];
    return Math.max(0, ...threads.map(({ name }) => waitedBy(`${pid}/task/${name}`)));
  } catch {
    return 0; // it has ended
  }
}
