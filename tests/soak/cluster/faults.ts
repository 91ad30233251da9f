/**
 * Runs on an engine under faults: each case with workers of its own, on a real server.
 *
 * @module
 */

import { hasPostgres, PostgresServer } from "../../cluster/engine/postgres_server.ts";
import { hasRedis, RedisServer } from "../../cluster/engine/redis_server.ts";
import { type Case, CASES } from "../../cluster/faults/cases.ts";
import { type EngineServer, kill, Lab } from "../../cluster/faults/lab.ts";
import { FAIL_OVER } from "../../cluster/faults/sentinel.ts";
import { type Part, Tally } from "../part.ts";

const HELP = "workers, server and coordinator are killed; the bits of the local run, or a typed error";

/** The part on Redis. */
export const CLUSTER: Part = {
  name: "cluster",
  help: `runs on an engine: ${HELP}`,
  needs: { what: "redis-server", isThere: hasRedis },
  run: ({ quick }) => inLab(() => RedisServer.start(), CASES, quick),
};

/** The part on PostgreSQL. */
export const CLUSTER_ON_POSTGRES: Part = {
  name: "postgres",
  help: `runs on an engine on PostgreSQL: ${HELP}`,
  needs: { what: "postgresql of Debian, or initdb and postgres on the path", isThere: hasPostgres },
  run: ({ quick }) => inLab(() => PostgresServer.start(), CASES.filter((one) => one !== FAIL_OVER), quick),
};

async function inLab(
  start: () => Promise<EngineServer>,
  cases: readonly Case[],
  quick: boolean,
): Promise<Tally> {
  const tally = new Tally();
  await using lab = await Lab.open(start);
  for (const one of quick ? cases.slice(0, 1) : cases) {
    const workers = Array.from({ length: quick ? 1 : one.workers }, () => lab.worker());
    await tally.add(one.name, () => one.run(lab, workers));
    await Promise.all(workers.map(kill));
    await lab.idle();
  }
  return tally;
}
