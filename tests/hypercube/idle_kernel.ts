/** A kernel for tests of plans: it computes nothing. */

import type { JobHandler } from "../../src/executor/task.ts";
import type { CubeTask } from "../../src/hypercube/run/run_cube.ts";

/** Makes the handler. */
export function idle(): JobHandler<CubeTask, void> {
  return { run: () => {} };
}
