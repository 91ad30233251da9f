/**
 * In place of `system_thread.ts` in pages: their system tells nothing of threads.
 *
 * @module
 */

/** What the operating system calls this thread: unknown. */
export function systemThread(): string | undefined {
  return undefined;
}

/** Milliseconds for which a thread has waited for a processor: unknown, 0. */
export function waitedBy(_thread: string): number {
  return 0;
}
