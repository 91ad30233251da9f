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

Deno.test("a runner takes over when the thread before it has ended, not before", () => {
  const gate = new Gate(newGate());
  assertEquals([gate.takesOver(1, 5), gate.takesOver(1, 5), gate.takesOver(30, 6)], [true, true, true]);
  assertEquals([gate.takesOver(1, 7), gate.takesOver(30, 5)], [false, false], "others may still run");
  gate.handOver(7); // it is not a runner
  assertEquals(gate.takesOver(1, 7), false);
  gate.handOver(5);
  assertEquals([gate.takesOver(1, 7), gate.takesOver(30, 7)], [true, false]);
});
