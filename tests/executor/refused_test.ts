/** A browser that refuses the code of workers: the error says what to do. */

import { assert, assertRejects } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { registerWorker } from "../../src/executor/threads.ts";

Deno.test("code of workers on another origin is refused with what would work", async () => {
  registerWorker(() => {
    throw new DOMException("Script at 'https://cdn/worker.js' cannot be accessed", "SecurityError");
  });
  await using pool = workerPool({ workers: 1 });
  const error = await assertRejects(() => pool.start(), Error, "useWorker(), or compute without");
  assert(isTilewiseError(error, "unsupported"));
  assert(error.message.includes("https://cdn/worker.js"), error.message);
});
