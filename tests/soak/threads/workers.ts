/**
 * Workers that die at every event of a run of 64 partitions, threads or processes: the results have the same bits as without.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { dirname } from "@std/path";
import type { WorkerPool } from "../../../src/executor/pool/pool.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { arrayDigest } from "../../../src/udf/results/digest.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import type { UdfPlan } from "../../../src/udf/plan/plan_facts.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import type { Death, Phase } from "./dying_udf.ts";
import { type Outcome, type Part, type SoakOptions, Tally, withFolder, within } from "../part.ts";

const BLOCKS = 64;
/** Frames in the smallest partition. */
const LEAF = 32;
const WORKERS_AT_ONCE = 2;
const MEMORY = 2 ** 24;
/** No run takes longer. */
const LONGEST = 60_000;
const MODULE = import.meta.resolve("./dying_udf.ts");
const PHASES: readonly Phase[] = ["preprocess", "processFrame", "postprocess"];

/** The part. */
export const WORKERS: Part = {
  name: "workers",
  help: `a worker dies, or all do, at every event of a run of ${BLOCKS} partitions`,
  run: (options) => dyingWorkers(options, () => new RunContext({ workers: WORKERS_AT_ONCE, memory: MEMORY })),
};

/** The same with processes. */
export const PROCESSES: Part = {
  name: "processes",
  help: `a worker process dies, or all are killed, at every event of a run of ${BLOCKS} partitions`,
  async run(options) {
    let outcome: Outcome | undefined;
    await withFolder(async (root) => {
      const permissions = { read: [dirname(root)], write: [dirname(root)] };
      await using executor = processExecutor({ workers: WORKERS_AT_ONCE, permissions });
      outcome = await dyingWorkers(options, () => new RunContext({ executor, memory: MEMORY }));
    });
    return outcome!;
  },
};

/** Every event of every phase, and of the merge; every 32nd where it is to be quick. */
export async function dyingWorkers({ quick, seed }: SoakOptions, open: () => RunContext): Promise<Outcome> {
  const tally = new Tally();
  let deaths = 0;
  const step = quick ? 32 : 1;
  const first = quick ? seed % step : 0;
  await withFolder(async (folder) => {
    await using context = open();
    const scan = await makeScan();
    const right = await digests(await run(await planned(scan, folder, context)));
    const events = Array.from({ length: Math.ceil((BLOCKS - first) / step) }, (_, i) => first + i * step);
    for (const n of events) {
      for (const phase of PHASES) {
        const work = async () =>
          await run(await planned(scan, folder, context, { phase, partition: n, folder }));
        await tally.add(`${phase} of partition ${n}`, async () => {
          const wrong = await wrongIn(work, right, context);
          return wrong ?? (existsSync(`${folder}/${phase}-${n}`) ? undefined : "no worker has died");
        });
      }
      for (const victims of [[n % WORKERS_AT_ONCE], [0, 1]]) {
        const work = async () => await killed(await planned(scan, folder, context), context, n, victims);
        const at = `${victims.length > 1 ? "all workers" : "one worker"} after ${n} partitions`;
        await tally.add(at, () => wrongIn(work, right, context));
      }
    }
    deaths = poolOf(context).replaced;
  });
  const figures = [["workers that died", "", "times"], ["", "", String(deaths)]];
  return { cases: tally.cases, findings: tally.findings, figures };
}

/** The workers on which code of users runs. */
function poolOf(context: RunContext): WorkerPool {
  return context.executorOf(WORKERS_AT_ONCE, true) as WorkerPool;
}

async function makeScan(): Promise<StoredDataset> {
  const data = Uint16Array.from({ length: BLOCKS * LEAF * 256 }, (_, i) => (i * 37 + (i >> 6)) % 4099);
  return await open({ data, shape: [BLOCKS, LEAF, 16, 16], sigDims: 2 });
}

/** A plan in which a thread dies as `death` says; without, nobody dies: the partition does not exist. */
async function planned(
  scan: StoredDataset,
  folder: string,
  context: RunContext,
  death: Death = { phase: "preprocess", partition: -2, folder },
): Promise<UdfPlan> {
  const dying = udf(MODULE, { params: { ...death } });
  return await plan(scan, { dying, mean: sumFrames() }, { context, partitions: BLOCKS });
}

/** Runs, and kills workers when `n` partitions have been merged. */
async function killed(
  job: UdfPlan,
  context: RunContext,
  n: number,
  victims: readonly number[],
): Promise<Results> {
  let results: Results | undefined;
  let due = true;
  for await (const part of run(job)) {
    if (due && part.progress.partitions >= n) {
      due = false;
      for (const victim of victims) poolOf(context).kill(victim);
    }
    results = part.results;
  }
  return results!;
}

async function wrongIn(
  work: () => Promise<Results>,
  right: string,
  context: RunContext,
): Promise<string | undefined> {
  const results = await within(LONGEST, work());
  if (results === "late") return `it has not ended after ${LONGEST / 1000} s`;
  const found = await digests(results);
  if (found !== right) return `the results are ${found}, without a death they are ${right}`;
  await context.settled();
  return context.arena.used > 0 ? `${context.arena.used} bytes are still leased` : undefined;
}

async function digests(results: Results): Promise<string> {
  const arrays = Object.entries(results).flatMap(([key, result]) =>
    Object.entries(result).map(async ([name, array]) => `${key}.${name} ${await arrayDigest(array)}`)
  );
  return (await Promise.all(arrays)).join(", ");
}
