/** A few of the runs of `deno task soak` whose sources change while they are read. */

import "../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { sourceChanges } from "./changes.ts";

Deno.test("a source that changes at a random moment gives the old result or a changed error, never a mixture", async () => {
  assertEquals(await sourceChanges(1, 30), []);
});
