/**
 * The limits of this machine, which no kernel can beat: copying memory and reading the page cache, 1 and 2 workers.
 *
 * ```sh
 * deno run -A bench/limits.ts [--dir FOLDER] [--repeats N]
 * ```
 *
 * @module
 */

import { readArguments } from "./arguments.ts";
import { benchData } from "./data.ts";
import type { LimitJob, LimitStart } from "./limits_worker.ts";
import { machineFacts, record } from "./record.ts";
import { type BenchRow, measure, type MeasureOptions, print, table } from "./timing.ts";

/** A limit: `bytes` were copied or read by `workers` together; GB/s count the bytes copied, not read plus written. */
export interface LimitRow extends BenchRow {
  /** Always `limit`. */
  readonly by: "limit";
  /** Workers that shared the bytes. */
  readonly workers: number;
  /** Bytes copied or read in a run. */
  readonly bytes: number;
}

const MIB = 2 ** 20;
const PART = 128 * MIB;
const WORKERS = [1, 2] as const;
const READ_BLOCKS = [256 * 1024, MIB, 4 * MIB] as const;

/** Measures the limits; `path` is a file of some hundred MiB that lies in the page cache after the first run. */
export async function limits(path: string, options: MeasureOptions = {}): Promise<LimitRow[]> {
  const size = (await Deno.stat(path)).size;
  using team = await startTeam(Math.max(...WORKERS));
  const rows: LimitRow[] = [];
  const add = async (name: string, bytes: number, jobs: (workers: number) => LimitJob[]) => {
    for (const workers of WORKERS) {
      const timing = await measure(() => team.run(jobs(workers)), options);
      rows.push({ name, by: "limit", workers, bytes, ...timing });
    }
  };
  const copies = (regionBytes: number, bytes: number) => (workers: number): LimitJob[] =>
    Array.from(
      { length: workers },
      () => ({ kind: "copy", blockBytes: MIB / 4, regionBytes, bytes: bytes / workers }),
    );
  await add("memcpy, in L2", 2048 * MIB, copies(MIB / 2, 2048 * MIB));
  await add("memcpy, memory", 1024 * MIB, copies(PART, 1024 * MIB));
  for (const blockBytes of READ_BLOCKS) {
    await add(
      `page cache, ${blockBytes / 1024} KiB reads`,
      size,
      (workers) => readJobs(path, size, blockBytes, workers),
    );
  }
  return rows;
}

/** The fastest row of `limits` for a number of workers whose name contains `word`. */
export function bestLimit(rows: readonly LimitRow[], word: string, workers: number): LimitRow | undefined {
  return rows.filter((row) => row.workers === workers && row.name.includes(word))
    .reduce<LimitRow | undefined>(
      (best, row) => (best && best.min / best.bytes <= row.min / row.bytes ? best : row),
      undefined,
    );
}

function readJobs(path: string, size: number, blockBytes: number, workers: number): LimitJob[] {
  const border = (w: number) =>
    w === workers ? size : Math.floor(size / blockBytes * w / workers) * blockBytes;
  return Array.from(
    { length: workers },
    (_, w) => ({ kind: "read", path, blockBytes, from: border(w), to: border(w + 1) }),
  );
}

/** Workers over one shared memory, each with a part of its own. */
interface Team extends Disposable {
  /** Gives one job to each of the first workers and waits for all. */
  run(jobs: readonly LimitJob[]): Promise<void>;
}

async function startTeam(count: number): Promise<Team> {
  const pages = count * PART / 65536;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  new Uint8Array(memory.buffer).fill(1); // pages that were never written all share one page of zeros
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL("./limits_worker.ts", import.meta.url), { type: "module" }),
  );
  await Promise.all(workers.map((worker, w) => ask(worker, { memory, offset: w * PART, length: PART })));
  return {
    run: async (jobs) => void await Promise.all(jobs.map((job, w) => ask(workers[w]!, job))),
    [Symbol.dispose]: () => workers.forEach((worker) => worker.terminate()),
  };
}

function ask(worker: Worker, message: LimitStart | LimitJob): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve();
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage(message);
  });
}

if (import.meta.main) {
  const { options } = readArguments(Deno.args, ["dir", "repeats"]);
  const repeats = Number(options.repeats ?? 9);
  const rows = await limits((await benchData("u16", options.dir)).path, { repeats });
  print(JSON.stringify(machineFacts()));
  print(table(rows));
  await record("limits", rows);
}
