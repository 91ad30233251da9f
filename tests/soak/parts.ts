/**
 * The parts of the soak test, in the order in which they run. A module that gives findings becomes a part by one row here.
 *
 * @module
 */

import { FAULTS } from "./faults.ts";
import { MEMORY } from "./memory.ts";
import type { Part } from "./part.ts";
import { SERVERS } from "./servers.ts";
import { SIGNALS } from "./signals.ts";
import { WORKERS } from "./workers.ts";

/** All parts. */
export const PARTS: readonly Part[] = [
  // changes: sourceChanges(seed, runs) of ./changes.ts, 300 runs, 10 where it is to be quick
  // plans: absurdPlans(seed, runs) of ./plans.ts, 200 runs, 10 where it is to be quick
  SERVERS,
  FAULTS,
  WORKERS,
  SIGNALS,
  MEMORY,
];
