/** Faults on a real Redis with real workers; all of them: `deno task soak --only cluster`. */

import { assertEquals } from "@std/assert";
import { hasRedis } from "../engine/redis_server.ts";
import { CASES } from "./cases.ts";
import { kill, Lab } from "./lab.ts";

Deno.test({
  name: "runs on an engine end with the bits of a local run, whatever happens",
  ignore: !hasRedis(),
  sanitizeOps: false,
  sanitizeResources: false, // connections close when their servers are gone
  fn: async (t) => {
    await using lab = await Lab.open();
    const workers = [lab.worker(), lab.worker(), lab.worker()];
    for (const one of CASES.filter(({ gate, workers }) => gate && workers > 0)) {
      await t.step(one.name, async () => assertEquals(await one.run(lab, workers), undefined));
    }
    await Promise.all(workers.map(kill));
    for (const one of CASES.filter(({ gate, workers }) => gate && workers === 0)) {
      await t.step(one.name, async () => assertEquals(await one.run(lab, []), undefined));
    }
  },
});
