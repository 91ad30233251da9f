/**
 * All built-in UDFs with sample parameters, also expressions and kernels of users, in one run: digests of their results.
 *
 * @module
 */

import { plan } from "@tilewise/tilewise/run";
import { createContext, run } from "@tilewise/tilewise";
import { ALL, digests, type Scan, scanOf } from "../../udf/builtin/every_builtin.ts";

/** Digests by `UDF.result`, on `workers` workers. */
export async function builtins(scan: Scan, workers: number): Promise<Record<string, string>> {
  await using context = createContext({ workers, memory: "256MiB" });
  if (context.workers !== workers) throw new Error(`${context.workers} workers instead of ${workers}`);
  return await digests(await run(await plan(scanOf(scan), ALL, { context, partitions: 5 })));
}
