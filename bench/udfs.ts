/**
 * Our side of the workloads: seconds from the start of a run to its results, with warm workers and a warm page cache.
 *
 * @module
 */

import { type Context, createContext, type Dataset, open, plan, type Results, run } from "@tilewise/tilewise";
import type { BenchData } from "./data.ts";
import type { BenchAux } from "./masks.ts";
import { type BenchRow, measure, type MeasureOptions } from "./timing.ts";
import type { Job, Workload } from "./workloads/row.ts";

/** Options of {@link benchUdfs}. */
export interface BenchUdfsOptions extends MeasureOptions {
  /** Numbers of workers. Default 1 and 2. */
  readonly workers?: readonly number[];
  /** Whether files are mapped. Default: they are read. */
  readonly map?: boolean;
  /** Sees the results before anything is timed. */
  readonly check?: (workload: Workload, results: Results) => void;
  /** Told of a workload that failed; without it, the error is thrown. */
  readonly onError?: (workload: Workload, error: unknown) => void;
}

/** Times workloads on 1 and 2 workers. */
export async function benchUdfs(
  data: BenchData,
  aux: BenchAux,
  workloads: readonly Workload[],
  options: BenchUdfsOptions = {},
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const scan = await openData(data);
  for (const workers of options.workers ?? [1, 2]) {
    await using context = createContext({ memory: 512 * 2 ** 20, workers, map: options.map ?? false });
    for (const workload of workloads) {
      try {
        const once = runner(workload.make({ data, aux }), scan, context);
        options.check?.(workload, await once());
        const about = { name: `${workload.name} ${data.kind}`, workload: workload.name, data: data.kind };
        const bytes = workloadBytes(workload, data);
        rows.push({ ...about, by: "simd", workers, bytes, ...await measure(once, options) });
      } catch (error) {
        if (!options.onError) throw error;
        options.onError(workload, error);
      }
    }
  }
  return rows;
}

/** What runs a job once, from plan to results. */
function runner(job: Job, scan: Dataset, context: Context): () => Promise<Results> {
  if ("work" in job) return () => job.work(scan, context);
  return async () => await run(await plan(scan, job.udfs, { ...job.options, context }));
}

/** The stored bytes that a workload looks at. */
export function workloadBytes({ frames }: Workload, data: BenchData): number {
  return frames ? data.bytes / (data.nav[0] * data.nav[1]) * frames(data) : data.bytes;
}

/** Opens a file of test data. */
export function openData(data: BenchData): Promise<Dataset> {
  const nav = { nav: data.nav };
  if (data.kind === "mib") return open(data.path, nav);
  return open(data.path, { ...nav, format: "raw", dtype: data.dtype as "uint16", sig: data.sig });
}
