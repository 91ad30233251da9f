/**
 * Runs one filter of the bench some times in a process of its own, so that its memory can be told: prints seconds per run,
 * and the largest memory of the process. It is told what to do as JSON, a {@link FilterWork}.
 *
 * @module
 */

import { rm } from "node:fs/promises";
import { type Context, createContext, type Dataset, open } from "@tilewise/tilewise";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { fileSink, gaussian, mapViews, median, sobel, type ViewOperation } from "@tilewise/tilewise/views";
import { replaceWriteCalls, writeCalls } from "../../src/io/write/calls.ts";

/** What is measured: a filter by name, and where its result goes. */
export interface FilterWork {
  /** A key of {@link FILTERS}. */
  readonly filter: keyof typeof FILTERS;
  /** Where the result goes. */
  readonly to: Destination;
  /** The image. */
  readonly image: string;
  /** The path of a result without its ending. */
  readonly result: string;
  /** Timed runs. */
  readonly repeats: number;
  /** The budget. */
  readonly memory: string;
  /** Workers. */
  readonly workers: number;
}

/** `synced`: the file is on the disk when the run ends, as it always is outside of this bench. */
export type Destination = "memory" | "npy" | "npy synced" | "tiff";

/** What is printed. */
export interface FilterTimes {
  /** Seconds per run. */
  readonly seconds: readonly number[];
  /** Largest memory of the process. */
  readonly peakMiB: number;
}

/** Filters by name; `copy` is for limits. */
export const FILTERS = {
  "gaussian σ 2 to uint16": gaussian({ sigma: 2, dtype: "uint16" }),
  "gaussian σ 2 to float32": gaussian({ sigma: 2 }),
  "median 5 × 5": median({ radius: 2 }),
  "sobel magnitude to float32": sobel(),
  "copy": copySamples(),
} as const satisfies Record<string, ViewOperation>;

/** Runs `work` once: the seconds it takes. */
async function once(image: Dataset, { filter, to, result }: FilterWork, context: Context): Promise<number> {
  const operation: ViewOperation = FILTERS[filter];
  const options = { border: "symmetric", context } as const;
  const path = `${result}.${to === "tiff" ? "tif" : "npy"}`;
  if (to !== "memory") await rm(path, { force: true }); // ext4 writes files at once that take the name of another one
  const sink = to === "tiff" ? fileSink(path, { compression: "none", tile: 256 }) : fileSink(path);
  const start = performance.now();
  if (to === "memory") await mapViews(image, operation, options);
  else await mapViews(image, operation, { ...options, sink });
  return (performance.now() - start) / 1000;
}

async function main(): Promise<void> {
  const work: FilterWork = JSON.parse(Deno.args[0]!);
  const calls = await writeCalls();
  if (work.to !== "npy synced") {
    const create: typeof calls.create = async (path, mode) => {
      const file = await calls.create(path, mode);
      file.sync = () => Promise.resolve();
      return file;
    };
    replaceWriteCalls({ ...calls, create, sync: () => Promise.resolve() });
  }
  const image = await open(work.image);
  const seconds: number[] = [];
  await using context = createContext({ memory: work.memory, workers: work.workers });
  for (let i = 0; i <= work.repeats; i++) {
    const time = await once(image, work, context);
    if (i > 0) seconds.push(time); // the first run loads code on workers
  }
  console.log(JSON.stringify({ seconds, peakMiB: peak() } satisfies FilterTimes));
}

/** Largest memory of this process in MiB. */
function peak(): number {
  const found = /^VmHWM:\s+(\d+)/m.exec(Deno.readTextFileSync("/proc/self/status"));
  return Number(found?.[1]) / 1024;
}

if (import.meta.main) await main();
