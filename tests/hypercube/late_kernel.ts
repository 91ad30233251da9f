/** A kernel for the tests: its thread sits in a read of the platform, which nothing can break off, and which writes to the output. */

import type { JobHandler, WorkerContext } from "../../src/executor/task.ts";
import type { CubeTask } from "../../src/hypercube/run/run_cube.ts";
import { viewOf } from "../../src/hypercube/providers/provider.ts";

/** Makes the handler: `out` is read from the pipe at `path`; `reads` counts the reads that have begun. */
export function late(
  { path, reads }: { path: string; reads: SharedArrayBuffer },
  { memory }: WorkerContext,
): JobHandler<CubeTask, void> {
  return {
    run({ arrays }) {
      const { buffer, byteOffset, byteLength } = viewOf(memory, arrays["out"]!).data;
      using file = Deno.openSync(path, { read: true, write: true });
      Atomics.add(new Int32Array(reads), 0, 1);
      file.readSync(new Uint8Array(buffer, byteOffset, byteLength));
    },
  };
}
