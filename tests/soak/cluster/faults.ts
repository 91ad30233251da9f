/**
 * Runs on an engine under faults: each case with workers of its own, on a real Redis.
 *
 * @module
 */

import { hasRedis } from "../../cluster/engine/redis_server.ts";
import { CASES } from "../../cluster/faults/cases.ts";
import { kill, Lab } from "../../cluster/faults/lab.ts";
import { type Part, Tally } from "../part.ts";

/** The part. */
export const CLUSTER: Part = {
  name: "cluster",
  help:
    "runs on an engine: workers, Redis and coordinator are killed; the bits of the local run, or a typed error",
  needs: { what: "redis-server", isThere: hasRedis },
  async run({ quick }) {
    const tally = new Tally();
    await using lab = await Lab.open();
    for (const one of quick ? CASES.filter(({ gate }) => gate).slice(0, 1) : CASES) {
      const workers = Array.from({ length: quick ? 1 : one.workers }, () => lab.worker());
      await tally.add(one.name, () => one.run(lab, workers));
      await Promise.all(workers.map(kill));
      await lab.idle();
    }
    return tally;
  },
};
