/** A program that may not start processes; it says what error it gets. */

import type { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";

await using executor = processExecutor({ workers: 1 });
const job = {
  module: "data:text/javascript,export const job = () => ({ run: () => 1 })",
  export: "job",
  shared: {},
};
const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
await Array.fromAsync(executor.run(job, [1], { memory })).catch((error: TilewiseError) => {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
});
