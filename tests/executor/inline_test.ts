/** The inline executor: what it does differently from threads. */

import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
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

Deno.test("the path of a job's module is refused: it would be looked for beside the modules of Tilewise", async () => {
  await using executor = inlineExecutor();
  const job = { module: "./steps.ts", export: "steps", shared: {} };
  const memory = new WebAssembly.Memory({ initial: 1 });
  const error = assertThrows(() => executor.run(job, [], { memory }), TilewiseError, "import.meta.resolve");
  assertEquals(error.code, "invalid");
});
