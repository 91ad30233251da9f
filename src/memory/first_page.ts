/**
 * The first page of a memory is never leased. Where kernels of users run, executors look at it after each task: see
 * `user_kernels/first_page.ts`, which programs without such kernels do not load.
 *
 * @module
 */

/** Bytes of the first page. */
export const FIRST_PAGE = 65536;

let look: ((memory: WebAssembly.Memory) => void) | undefined;

/** From now on, `check` is called after each task of this thread; it throws if the first page has been written to. */
export function checkAfterTasks(check: (memory: WebAssembly.Memory) => void): void {
  look = check;
}

/** A task over `memory` has ended. */
export function taskEnded(memory: WebAssembly.Memory): void {
  look?.(memory);
}
