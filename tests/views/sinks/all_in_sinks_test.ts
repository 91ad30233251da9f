/** Every operation, and labels, in every kind of sink, drawn many times, on this thread, workers and processes. */

import "../../fences/mod.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { labelEverySink } from "../measure/label_every_sink.ts";
import { REGION_ROWS } from "../measure/regions.ts";
import { OPERATION_ROWS } from "../operations/table.ts";
import { operateEverySink } from "./operate_every_sink.ts";

const NAMES = Object.keys(OPERATION_ROWS) as (keyof typeof OPERATION_ROWS)[];

/** The first seed; SEEDS=N draws others. */
const FIRST = Number(Deno.env.get("SEEDS") ?? 1000);

async function all(context: Context, first: number, rounds: number): Promise<number> {
  let compared = 0;
  for (const [n, name] of NAMES.entries()) {
    for (let round = 0; round < rounds; round++) {
      compared += await operateEverySink(name, first + 100 * n + round, context);
    }
  }
  return compared;
}

Deno.test("every operation is the same in every sink, on this thread", async () => {
  await using context = createContext({ workers: 0 });
  console.log(`${await all(context, FIRST, 8)} results compared`);
});

for (const [make, rounds] of [[workerPool, 3], [processExecutor, 1]] as const) {
  Deno.test(`every operation is the same in every sink, on two workers (${make.name})`, async () => {
    await using executor = make({ workers: 2 });
    await using context = createContext({ executor, memory: "128MiB" });
    console.log(`${await all(context, 2 * FIRST, rounds)} results compared`);
  });
  Deno.test(`labels in every sink are those of SciPy, on two workers (${make.name})`, async () => {
    await using executor = make({ workers: 2 });
    await using context = createContext({ executor, memory: "128MiB" });
    console.log(`${await labelEverySink(3 * FIRST, context, REGION_ROWS)} results compared`);
  });
}

Deno.test("labels in every sink are those of SciPy, with other options", async () => {
  await using context = createContext({ workers: 0 });
  let compared = 0;
  for (let round = 0; round < 3; round++) {
    compared += await labelEverySink(4 * FIRST + 100 * round, context, REGION_ROWS);
  }
  console.log(`${compared} results compared`);
});
