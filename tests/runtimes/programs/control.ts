/** What every runtime has to survive: a run that is cancelled, a worker that dies, a UDF that fills its heap. */

import {
  createContext,
  open,
  plan,
  run,
  sumFrames,
  TilewiseError,
  udf,
  workerPool,
} from "./package_names.ts";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import type { reader } from "./reader.ts";
import { type Inputs, SCAN } from "./work.ts";

/** What has come of it, in words; on 2 workers. */
export async function control(inputs: Inputs, limitsHeaps: boolean): Promise<Record<string, string>> {
  return {
    cancelled: await cancelled(inputs),
    killed: await killed(inputs),
    channel: await channel(inputs),
    ...(limitsHeaps ? { full: await full(inputs) } : {}),
  };
}

/** A run that is stopped after its first part is told, and the context goes on. */
async function cancelled({ raw, own }: Inputs): Promise<string> {
  await using context = createContext({ workers: 2, memory: "64MiB" });
  const udfs = { power: udf(own, { params: { exponent: 3 } }) };
  const job = await plan(await open(raw, SCAN), udfs, { context, partitions: 32 });
  const stop = new AbortController();
  const told = await failure(async () => {
    for await (const _part of run(job, { signal: stop.signal })) stop.abort();
  });
  const { dp } = await run(await plan(await open(raw, SCAN), { dp: sumFrames() }, { context }));
  return `${told}, then ${dp.intensity.data[0]}`;
}

/** A worker that is killed in the middle is replaced, and the result is what it is. */
async function killed({ raw }: Inputs): Promise<string> {
  await using executor = workerPool({ workers: 2 });
  await using context = createContext({ executor, memory: "64MiB" });
  const job = await plan(await open(raw, SCAN), { dp: sumFrames() }, { context, partitions: 32 });
  let parts = 0;
  let last = NaN;
  for await (const { results } of run(job)) {
    if (parts++ === 0) executor.kill(0);
    last = Number(results.dp.intensity.data[0]);
  }
  return `${executor.replaced} replaced, ${last}`;
}

/** A UDF that fills the heap of its worker ends neither the process nor the context. */
async function full({ raw, own }: Inputs): Promise<string> {
  await using context = createContext({ workers: 2, memory: "64MiB", heap: "32MiB" });
  const hoarding = { hoarding: udf(own, { export: "hoarding" }) };
  const told = await failure(async () => await run(await plan(await open(raw, SCAN), hoarding, { context })));
  const { dp } = await run(await plan(await open(raw, SCAN), { dp: sumFrames() }, { context }));
  return `${told}, then ${dp.intensity.data[0]}`;
}

/** A host on a thread of its own reads a file for a job. */
async function channel({ raw, own }: Inputs): Promise<string> {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  await using host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 2 });
  const kernel = { module: new URL("./reader.ts", own).href, export: "reader" };
  const { groups } = await launchKernel<typeof reader>(host, kernel, { args: [String(raw), 1000] });
  return String(groups[0]!.values[0]);
}

async function failure(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof TilewiseError) return `${error.code} ${error.details.udf ?? ""}`.trim();
    throw error;
  }
  return "no error";
}
