/** What the system tells of processes that want to run while others have the processor. */

import { assert, assertEquals } from "@std/assert";
import { systemThread } from "../../../src/executor/system_thread.ts";
import { waitedByProcess } from "../../../src/executor/process/remote.ts";

const TOLD = systemThread() !== undefined;

/** A process that never rests, on the first processor only. */
const busy = () =>
  new Deno.Command("taskset", {
    args: ["-c", "0", "sh", "-c", "while :; do :; done"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();

Deno.test({
  name: "processes that share a processor wait for it, and the system tells",
  ignore: !TOLD,
  fn: async () => {
    const two = [busy(), busy()];
    try {
      while (!two.every(({ pid }) => waitedByProcess(pid) > 20)) {
        await new Promise((go) => setTimeout(go, 10));
      }
    } finally {
      for (const one of two) one.kill("SIGKILL");
      await Promise.all(two.map(({ status }) => status));
    }
    assert(two.every(({ pid }) => waitedByProcess(pid) === 0), "of a process that has ended nothing is told");
    assertEquals(waitedByProcess(2 ** 22 + 7), 0);
  },
});
