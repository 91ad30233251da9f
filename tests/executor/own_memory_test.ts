/** Threads that share no memory with their caller, as in pages that are not isolated. */

import "../fences/mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { executorConformance } from "./conformance.ts";

for (const workers of [1, 2]) {
  executorConformance(
    `${workers} threads with their own memory`,
    () => workerPool({ workers, memory: "own" }),
  );
}
const limited = { workers: 1, memory: "own", heap: 2 ** 27 } as const;
executorConformance("a thread with its own memory and a limited heap", () => workerPool(limited));
