/** A thread that computes for too long is seen, and others are not. */

import { assertEquals } from "@std/assert";
import { busyWorkers } from "./threads.ts";

const PROGRAM = `
  const start = (code) => new Worker("data:text/javascript," + encodeURIComponent(code), { type: "module" });
  start("for (;;);");
  start("setInterval(() => {}, 1000)");
`;

Deno.test({
  name: "a worker that computes for longer than may be is seen, one that waits is not",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const args = ["run", "-A", "--no-check", `data:text/javascript,${encodeURIComponent(PROGRAM)}`];
    await using child = new Deno.Command(Deno.execPath(), { args }).spawn();
    let found: string[] = [];
    while (found.length === 0) { // until it is seen, however long that takes
      await new Promise((resolve) => setTimeout(resolve, 20));
      found = busyWorkers(child.pid, 0.3);
    }
    assertEquals([found.length, busyWorkers(child.pid, 1e6)], [1, []]);
    child.kill("SIGKILL");
  },
});

Deno.test("a process that has ended has no workers", () => assertEquals(busyWorkers(2 ** 30), []));
