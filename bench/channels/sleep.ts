/**
 * Ten calls of a function of the host that sleeps: the host goes on with the others while one waits.
 *
 * @module
 */

import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";
import type { SectionRow } from "../sections/section.ts";
import { summarize } from "../timing.ts";
import { WORKS } from "./works.ts";

const CALLS = 10;

/** Times one run. */
export async function sleepRow(milliseconds = 1000): Promise<SectionRow> {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const functions = { module: import.meta.resolve("./sleep_functions.ts"), export: "functions" };
  await using host = await startHost(context, {
    channels: CALLS,
    bufferLength: 256,
    type: "uint8",
    runners: CALLS,
    functions,
  });
  const kernel = { file: new URL("sleep.as.ts", import.meta.url) };
  const run = async (milliseconds: number) => {
    const start = performance.now();
    const { status } = await launchKernel(host, kernel, { args: [milliseconds] });
    if (status !== 0) throw statusError(status, "sleep");
    return (performance.now() - start) / 1000;
  };
  await run(0); // compiles the kernel
  return {
    name: WORKS.sleep,
    by: "tilewise",
    bytes: 0,
    calls: CALLS,
    ...summarize([await run(milliseconds)]),
  };
}
