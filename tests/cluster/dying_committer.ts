/**
 * Computes all units of the run in a store, and kills itself (SIGKILL) at the n-th call that writes.
 *
 * ```
 * deno run -A dying_committer.ts STORE N
 * ```
 *
 * @module
 */

import { replaceWriteCalls, type WriteCalls, writeCalls } from "../../src/io/write/calls.ts";
import { createContext } from "../../src/runner/context.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { computeInto } from "../../src/cluster/shards/compute.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { openStore } from "../../src/cluster/store/open.ts";

const [url = "", last = ""] = Deno.args;
const system = await writeCalls();
let calls = 0;

/** Dies in place of the n-th call. */
function step(): void {
  if (++calls === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
}

const dying: WriteCalls = {
  ...system,
  async create(path, mode) {
    step();
    const file = await system.create(path, mode);
    let isFirst = true;
    return {
      ...file,
      async write(bytes) {
        const half = await file.write(isFirst ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes);
        isFirst = false;
        step();
        return half;
      },
      async sync() {
        step();
        await file.sync();
      },
    };
  },
  async link(from, to) {
    step();
    await system.link(from, to);
    step();
  },
  async remove(path) {
    step();
    await system.remove(path);
  },
};

const store = await openStore(url);
await using context = createContext({ workers: 0 });
await using run = await readyRun(store, { context });
using _ = replaceWriteCalls(dying);
for (const unit of workOf(run.manifest).units) await computeInto(store, run, unit);
