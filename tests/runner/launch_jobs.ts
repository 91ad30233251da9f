/** Jobs that a test launches. */

import type { WorkerContext } from "@tilewise/tilewise/unstable/run";

/** Multiplies; the later a task, the sooner it is done. */
export function times({ by }: { readonly by: number }) {
  return {
    async run(task: number): Promise<number> {
      await new Promise((resolve) => setTimeout(resolve, 20 / (1 + task)));
      return by * task;
    },
  };
}

/** Fails at one task. */
export function failing(at: number, { index }: WorkerContext) {
  return {
    run(task: number): string {
      if (task === at) throw new RangeError(`task ${task} is too much`);
      return `worker ${index}`;
    },
  };
}

/** Never ends by itself. */
export function endless(_: null, { signal }: WorkerContext) {
  return {
    run: (_task: number) => new Promise<never>((_, reject) => signal.onabort = () => reject(signal.reason)),
  };
}
