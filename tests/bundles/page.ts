/**
 * What a page would have that is bundled: a run inline and on workers, also of a UDF of a user, and a filter. Prints what it
 * has found.
 */

import {
  annularDetector,
  createContext,
  expression,
  open,
  plan,
  run,
  sumFrames,
  udf,
} from "@tilewise/tilewise";
import { launchKernel, memoryFiles, startHost } from "@tilewise/tilewise/channels";
import { useWorker } from "@tilewise/tilewise/run";
import { arrayOf } from "@tilewise/tilewise/unstable/views";
import { boxMean, planMap } from "@tilewise/tilewise/views";

useWorker(new URL("worker.js", import.meta.url));

const frames = Uint16Array.from({ length: 16 * 16 * 8 * 8 }, (_, i) => i % 251);
const OWN = `data:text/javascript,${
  encodeURIComponent(`export default {
    name: "last",
    buffers: { value: { kind: "nav", dtype: "float64" } },
    processFrame({ data }, { value }) { value[0] = data[data.length - 1]; },
  };`)
}`;

const scan = await open({ data: frames, shape: [16, 16, 8, 8] });
const found: unknown[] = [];
for (const workers of [0, 2]) {
  await using context = createContext({ workers, memory: "64MiB" });
  const udfs = {
    dp: sumFrames(),
    ring: annularDetector({ ri: 1, ro: 3 }),
    most: expression("max(x)"),
    own: udf(OWN),
  };
  const { dp, ring, most, own } = await run(await plan(scan, udfs, { context }));
  found.push([
    ...dp.intensity.data.slice(0, 3),
    ring.intensity.data.at(-1),
    most.value.data.at(-1),
    Number(own.value!.data[0]),
  ]);
}

const array = arrayOf(await open({ data: new Float32Array(64 * 64).map((_, i) => i % 7), shape: [64, 64] }));
for (const workers of [0, 2]) {
  await using context = createContext({ workers, memory: "64MiB" });
  let sum = 0;
  for await (const { data } of run(await planMap(array, boxMean(), { radius: 1, context }))) {
    for (const value of data) sum += value;
  }
  found.push(Math.round(sum));
}

const KERNEL = `data:text/javascript,${
  encodeURIComponent(`export function sum({ files }) {
    const file = files.open("numbers.bin", "read_only"), part = new Float64Array(100);
    const got = file.read(part);
    file.close();
    return part.subarray(0, got).reduce((a, b) => a + b, 0);
  }`)
}`;
const numbers = new Uint8Array(Float64Array.from({ length: 100 }, (_, i) => i).buffer);
for (const [workers, runners] of [[1, 0], [1, 2], [0, 1]] as const) {
  await using context = createContext({ workers, memory: "64MiB" });
  const backEnd = memoryFiles({ bytes: "256KiB", contents: { "numbers.bin": numbers } });
  const options = { channels: 1, bufferLength: 100, elementSize: 8, runners, backEnd };
  await using host = await startHost(context, options);
  found.push((await launchKernel(host, { module: KERNEL, export: "sum" })).groups[0]?.values[0]);
}
console.log(JSON.stringify(found));
