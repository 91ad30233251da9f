/**
 * Every operation of the table gives the same result in every kind of sink, whatever tiles the sink cuts. In the gate each operation
 * meets a third of the sinks, and each sink a third of the operations; all meet in `all_in_sinks_test.ts`.
 */

import "../../fences/mod.ts";
import { createContext } from "../../../src/runner/context.ts";
import { OPERATION_ROWS } from "../operations/table.ts";
import { operateEverySink } from "./operate_every_sink.ts";

for (const [n, name] of (Object.keys(OPERATION_ROWS) as (keyof typeof OPERATION_ROWS)[]).entries()) {
  Deno.test(`${name} is the same in sinks`, async () => {
    await using context = createContext({ workers: 0 });
    await operateEverySink(name, 31 * n + 5, context, 3);
  });
}
