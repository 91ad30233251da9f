/**
 * A kernel that reads and writes files while it runs. Walkers start in `positions.bin`, 64-bit integers below their count,
 * and each position says where to read next; where they are after 9 steps goes to `ends.bin`, which must be there.
 */

import { createContext } from "@tilewise/tilewise";
import { startHost, type WalkFiles, walkKernel } from "@tilewise/tilewise/channels";
import type { WorkerContext } from "@tilewise/tilewise/run";

export const walkers = ({ layout, from, to }: WalkFiles, { memory, index }: WorkerContext) => ({
  run: (first: number) => walkKernel(memory, layout)({ channel: index, from, to, first, count: 1, steps: 9 }),
});

if (import.meta.main) { // workers import this module as well
  await using context = createContext({ memory: "1MiB", workers: 2 });
  await using host = await startHost(context, { channels: 2, bufferLength: 1, elementSize: 8 });
  const shared = { layout: host.layout, from: host.name("positions.bin"), to: host.name("ends.bin") };
  await host.launch<typeof walkers>({ module: import.meta.url, export: "walkers", shared }, [0, 1, 2]);
}
