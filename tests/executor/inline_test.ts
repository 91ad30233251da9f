/** The inline executor: what it does differently from threads. */

import { assertEquals } from "@std/assert";
import { inlineExecutor } from "../../src/executor/inline.ts";
import { executorConformance } from "./conformance.ts";
import { Steps } from "./steps.ts";

executorConformance("inline", inlineExecutor);

Deno.test("inline: results may be functions, and tasks run in order", async () => {
  await using executor = inlineExecutor();
  using steps = new Steps(executor);
  const order: number[] = [];
  for await (const { index, value } of steps.run([{ do: "unclonable" }, { do: "unclonable" }])) {
    assertEquals(typeof value, "function");
    order.push(index);
  }
  assertEquals(order, [0, 1]);
});
