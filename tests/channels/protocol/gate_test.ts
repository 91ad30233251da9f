/** The gate counts every runner that serves, once. */

import { assertEquals } from "@std/assert";
import { Gate, newGate } from "../../../src/channels/protocol/gate.ts";

Deno.test("each runner that serves counts once, in any order", () => {
  const gate = new Gate(newGate());
  const counts = [2, 0, 2, 31, 1].map((runner) => {
    gate.served(runner);
    return gate.serving;
  });
  assertEquals(counts, [1, 2, 2, 3, 4]);
});
