/**
 * Tells the page what a program does.
 *
 * @module
 */

import type { Told } from "./messages.ts";

let muted = 0;

/** Sends it to the page. */
export function tell(told: Told): void {
  if (muted === 0) (globalThis as unknown as { postMessage(told: Told): void }).postMessage(told);
}

/** Does `work` without telling the page anything. */
export async function silently(work: () => Promise<unknown>): Promise<void> {
  muted++;
  try {
    await work();
  } finally {
    muted--;
  }
}
