/** The example finds the same bits with one worker and two, and with any budget that will do. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { main } from "../../examples/box_filter.ts";

Deno.test("example box_filter: one digest for every budget", async () => {
  const digests: string[] = [];
  for (const budget of ["8MiB", "1MiB"]) {
    digests.push(await main(["--size", "300", "--radius", "3", "--border", "reflect", "--budget", budget]));
  }
  assertEquals(digests[0], digests[1]);
  assertEquals(digests[0]!.length, 64);
});

Deno.test("example box_filter: a budget that cannot do is refused", async () => {
  const error = await assertRejects(() => main(["--size", "300", "--budget", "10KiB"]));
  assert(isTilewiseError(error, "over-budget"));
});
