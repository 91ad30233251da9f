/** Plans of absurd claims are made or refused in bounded memory. */

import { assertEquals } from "@std/assert";
import { absurdPlans } from "./plans.ts";

Deno.test("40 absurd claims are planned or refused by typed errors, in their budgets and 64 MiB", async () => {
  assertEquals(await absurdPlans(1, 40), []);
});
