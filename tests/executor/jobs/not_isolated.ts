/**
 * A program without shared memory, as in a page that is not isolated: what a context has, and sums on workers and inline.
 *
 * @module
 */

import type {} from "../../../mod.ts";

Reflect.deleteProperty(globalThis, "SharedArrayBuffer");
const { createContext, open, plan, run, standardDeviation, sumFrames } = await import("../../../mod.ts");
const { launchKernel, startHost } = await import("@tilewise/tilewise/channels");
const { workerPool } = await import("@tilewise/tilewise/unstable/run");

const SCAN = { format: "raw", dtype: "uint16", nav: [16, 16], sig: [16, 16] } as const;
const bytes = new Uint8Array(
  Uint16Array.from({ length: 65536 }, (_, i) => Math.imul(i, 40503) & 0xfff).buffer,
);

async function results(workers: number, source: Uint8Array<ArrayBuffer> | Blob) {
  await using context = createContext({ workers, memory: "16MiB" });
  const scan = await open(source, SCAN);
  const planned = await plan(scan, { dp: sumFrames(), spread: standardDeviation() }, {
    context,
    partitions: 8,
  });
  const { dp, spread } = await run(planned);
  return { workers: context.workers, dp: [...dp.intensity.data], spread: [...spread.std.data] };
}

async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
    return "nothing";
  } catch (error) {
    return (error as Error).message;
  }
}

const [inline, workers, blob] = [
  await results(0, bytes),
  await results(2, bytes),
  await results(2, new Blob([bytes])),
];
await using context = createContext({ workers: 1, memory: "1MiB" });
console.log(JSON.stringify({
  workers: [inline.workers, workers.workers, blob.workers],
  equal: [workers, blob].every(({ dp, spread }) => `${dp},${spread}` === `${inline.dp},${inline.spread}`),
  pool: await refusal(() => workerPool({ memory: "shared" })),
  host: await refusal(() => startHost(context, { channels: 1, bufferLength: 8, elementSize: 1 })),
  launch: typeof launchKernel,
}));
