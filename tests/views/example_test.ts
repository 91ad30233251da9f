/** The example finds the same bits with one worker and two, and with any budget that will do. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { main } from "../../examples/box_filter.ts";
import { edges } from "../../examples/own_filter.ts";

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

Deno.test("example own_filter: an expression, a function and a kernel give the same samples", async () => {
  const [expression, ...others] = await edges();
  assert(expression!.some((value) => value > 0));
  for (const other of others) assertEquals(other, expression);
});
