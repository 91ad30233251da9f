/**
 * The parts of the soak test, in the order in which they run. A module that gives findings becomes a part by one row here.
 *
 * @module
 */

import { CALLS } from "./channels/calls.ts";
import { FILES } from "./channels/files.ts";
import { ORDERS } from "./channels/orders.ts";
import { CLUSTER, CLUSTER_ON_POSTGRES } from "./cluster/faults.ts";
import { sourceChanges } from "./sources/changes.ts";
import { ROUNDS } from "./cluster/rounds.ts";
import { SLURM } from "./cluster/slurm.ts";
import { CUBES } from "./cubes/cubes.ts";
import { FAULTS } from "./threads/faults.ts";
import { FLIPS } from "./sources/flips.ts";
import { GIANTS } from "./commands/giants.ts";
import { KILLS } from "./outputs/kills.ts";
import { MEMORY } from "./commands/memory.ts";
import type { Part } from "./part.ts";
import { whyNoPages } from "../../src/io/map/windows.ts";
import { absurdPlans } from "./plans/plans.ts";
import { LATENCY } from "./sources/latency.ts";
import { SERVERS } from "./sources/servers.ts";
import { SIGNALS } from "./commands/signals.ts";
import { WASI_SUITE } from "./channels/wasi_suite.ts";
import { VIEWS } from "./views/views.ts";
import { CANCELS } from "./threads/cancels.ts";
import { CYCLES_OF_RUNS } from "./threads/cycles.ts";
import { SCHEDULES } from "./threads/schedules.ts";
import { SLOW } from "./threads/slow.ts";
import { PROCESSES, WORKERS } from "./threads/workers.ts";

const CHANGES: Part = {
  name: "changes",
  help: "sources that change while they are read: the old result or `changed`, never a mixture",
  run: async ({ seed, quick }) => {
    const cases = quick ? 15 : 300;
    const found = await sourceChanges(seed, cases);
    return { cases, findings: found.map(({ what, problem }) => ({ at: what, text: problem })) };
  },
};

const MAPPED: Part = {
  name: "mapped",
  help:
    "files that change, end early or go away while they are mapped: as `changes`, and the process goes on",
  needs: { what: "Linux 5.14 on x86-64", isThere: () => whyNoPages() === undefined },
  run: async ({ seed, quick }) => {
    const cases = quick ? 15 : 1000;
    const found = await sourceChanges(seed, cases, true);
    return { cases, findings: found.map(({ what, problem }) => ({ at: what, text: problem })) };
  },
};

const PLANS: Part = {
  name: "plans",
  help: "plans of absurd claims: made or refused by a typed error, within budget and 64 MiB",
  run: async ({ seed, quick }) => {
    const cases = quick ? 20 : 200;
    const found = await absurdPlans(seed, cases);
    return { cases, findings: found.map((text) => ({ at: text.split(":")[0]!, text })) };
  },
};

/** All parts. */
export const PARTS: readonly Part[] = [
  CHANGES,
  MAPPED,
  PLANS,
  SERVERS,
  LATENCY,
  FAULTS,
  SCHEDULES,
  CANCELS,
  CYCLES_OF_RUNS,
  FLIPS,
  WORKERS,
  PROCESSES,
  SLOW,
  SIGNALS,
  KILLS,
  MEMORY,
  GIANTS,
  VIEWS,
  CUBES,
  CALLS,
  FILES,
  ORDERS,
  WASI_SUITE,
  CLUSTER,
  CLUSTER_ON_POSTGRES,
  ...ROUNDS,
  SLURM,
];
