/** A kernel for the tests: `out = factor * in + table[0]`, slower for even tiles so that they end out of order. */

import type { JobHandler, WorkerContext } from "../../src/executor/task.ts";
import type { CubeTask } from "../../src/hypercube/run/run_cube.ts";
import { viewOf } from "../../src/hypercube/providers/provider.ts";

/** Makes the handler; tile `failAt` throws. */
export function scale(
  { factor, failAt = -1 }: { factor: number; failAt?: number },
  { memory }: WorkerContext,
): JobHandler<CubeTask, void> {
  return {
    async run({ tile, arrays }) {
      if (tile === failAt) throw new Error("no scale");
      const [from, table, to] = ["in", "table", "out"].map((name) => viewOf(memory, arrays[name]!).data);
      if (tile % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      for (let i = 0; i < to!.length; i++) to![i] = factor * Number(from![i]) + Number(table![0]);
    },
  };
}
