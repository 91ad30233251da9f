/** A worker that is killed at each step of a commit: what was committed stays, the rest is computed again, the bits are the same. */

import { assertEquals } from "@std/assert";
import { computeInto, missingUnits } from "../../src/cluster/shards/compute.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { mergeRun } from "../../src/cluster/shards/merge.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { dirStore } from "../../src/cluster/store/dir.ts";
import type { Results } from "../../src/udf/interface/buffer_types.ts";
import { digests } from "../udf/builtin/every_builtin.ts";
import { withFolder } from "../cli/harness.ts";
import { smallRun } from "./small_run.ts";

const DYING = new URL("./dying_committer.ts", import.meta.url).pathname;

/** Calls of one commit: create, write twice, sync, before and after the link, remove; the next commit begins then. */
const STEPS = 8;

Deno.test("kill -9 at each step of a commit", async () => {
  await withFolder(async (folder) => {
    for (let n = 1; n <= STEPS; n++) {
      const store = await dirStore(`${folder}/store${n}`);
      await using small = await smallRun(folder, store);
      const { signal } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", DYING, store.url, String(n)],
        stdout: "null",
        stderr: "null",
      }).output();
      assertEquals(signal, "SIGKILL", `call ${n}`);
      const { units } = workOf(small.stored.manifest);
      const missing = await missingUnits(store, small.stored);
      assertEquals(units.length - missing.length, n > 5 ? 1 : 0, `call ${n}`);
      await using run = await readyRun(store, { context: small.context });
      for (const unit of units) await computeInto(store, run, unit);
      assertEquals(await digests(await mergeRun(store, run) as Results), small.expected, `call ${n}`);
    }
  });
});
