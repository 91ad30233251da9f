/** Grids of every small shape give what plain loops give, for any number of workers. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { launchKernel } from "@tilewise/tilewise/channels";
import { createContext } from "../../../src/runner/context.ts";
import { prefix, prefixTwin, type rounds, type whereAmI } from "./kernels.ts";

const module = import.meta.resolve("./kernels.ts");
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

for (const workers of [0, 1, 2, 4]) {
  Deno.test(`every grid up to 4 × 4 with ${workers} workers runs each member once`, async () => {
    await using context = createContext({ memory: "1MiB", workers });
    for (const groups of [1, 2, 3, 4]) {
      for (const groupSize of numbers(Math.max(1, workers)).map((n) => n + 1)) {
        const { groups: found, status } = await launchKernel<typeof whereAmI>(
          context,
          { module, export: "whereAmI" },
          { groups, groupSize, args: [Float64Array.of(0.5)] },
        );
        const twin = numbers(groups).map((group) => ({
          group,
          values: numbers(groupSize).map((m) => ((group * groupSize + m) * groups + 0.5) * 10 + groupSize),
        }));
        assertEquals([found, status], [twin, 0]);
      }
    }
    await context.settled();
    assertEquals(context.used, 0);
  });
}

Deno.test("members meet at barriers and share local memory", async () => {
  await using context = createContext({ memory: "1MiB", workers: 4 });
  for (const groupSize of [1, 2, 3, 4]) {
    const kernel = { module, export: prefix.name };
    const { groups } = await launchKernel<typeof prefix>(context, kernel, {
      groups: 7,
      groupSize,
      localMemory: 4 * groupSize,
    });
    assertEquals(
      groups.map(({ values }) => values),
      numbers(7).map((group) => numbers(groupSize).map((member) => prefixTwin(group, member))),
    );
  }
});

Deno.test("thousands of barriers lose nobody", async () => {
  await using context = createContext({ memory: "1MiB", workers: 4 });
  for (const groupSize of [2, 3, 4]) {
    const kernel = { module, export: "rounds" };
    const { groups } = await launchKernel<typeof rounds>(context, kernel, {
      groups: 2,
      groupSize,
      localMemory: 64,
      args: [500],
    });
    assertEquals(groups.flatMap(({ values }) => values), new Array(2 * groupSize).fill(0));
  }
});

Deno.test("groups larger than the workers are refused", async () => {
  for (const workers of [0, 1, 2]) {
    await using context = createContext({ memory: "1MiB", workers });
    const error = await assertRejects(() =>
      launchKernel(
        context,
        { module, export: "whereAmI" },
        { groupSize: 3, args: [Float64Array.of(1)] } as never,
      )
    );
    assertEquals(
      (error as Error).message,
      `Cannot launch groups of 3 members, which run at the same time: the context runs ${
        Math.max(1, workers)
      } at a time; create it with workers: 3`,
    );
  }
});
