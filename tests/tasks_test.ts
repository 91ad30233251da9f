/** The tests of the gate and those that take long are all tests: none is left out of both. */

import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };

Deno.test("what the task test leaves out, test:long or test:browser runs", () => {
  const [, left = ""] = /--ignore=(\S+)/.exec(config.tasks.test.command) ?? [];
  const long = config.tasks["test:long"].command.split(" ").filter((word) => word.startsWith("tests/"));
  assertEquals(left.split(","), ["tests/browser", ...long]);
  for (const path of long) assert(Deno.statSync(new URL(`../${path}`, import.meta.url)), path);
});
