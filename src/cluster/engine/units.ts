/**
 * Between engines, which know units by their numbers, and stores, which have a part per node.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ReadyRun } from "../manifest/ready_run.ts";
import type { RunKind } from "../manifest/manifest.ts";
import type { StoredRun } from "../manifest/read.ts";
import { workOf } from "../manifest/work.ts";
import { computeInto } from "../shards/compute.ts";
import { firstLeaf, nodeName, partName, type TreeNode } from "../store/node.ts";
import { PARTS, type PartStore } from "../store/store.ts";
import type { CoordinatedRun } from "./coordinator.ts";
import type { UnitRun } from "./worker.ts";

/** Digits of the digest of a manifest that name its run in an engine. */
const NAME = 16;

/** The name of a run in engines. */
export function runName({ digest }: Pick<StoredRun, "digest">): string {
  return digest.slice(0, NAME);
}

/** A run for a coordinator; `title` is what people see. */
export async function coordinatedRun(
  store: PartStore,
  run: StoredRun,
  title: string,
): Promise<CoordinatedRun> {
  const { units } = workOf(run.manifest);
  const names = await Promise.all(units.map((node) => partName(run.digest, node)));
  const numbers = new Map(names.map((name, unit) => [name, unit]));
  return {
    name: runName(run),
    title,
    store: store.url,
    manifest: run.digest,
    total: units.length,
    nameOf: (unit) => nodeName(units[unit] ?? { level: 0, index: unit }),
    whatOf: (unit) => whatIn(run.manifest, unit),
    committed: async () => {
      const done = new Uint8Array(units.length);
      for (const name of await store.list(PARTS)) {
        const unit = numbers.get(name);
        if (unit !== undefined) done[unit] = 1;
      }
      return done;
    },
  };
}

/** What units of a kind of run hold, in the plural. */
const HOLDS: Readonly<Record<RunKind, string>> = {
  udf: "frames",
  map: "rows",
  cube: "tiles",
  convert: "chunks",
};

/** What is computed in a unit: how many frames from which one on, and by which UDFs. */
function whatIn({ kind, work, results }: StoredRun["manifest"], unit: number): string {
  const [level, index, count] = work.units[unit] ?? [0, unit, 0];
  const first = firstLeaf({ level, index }) * work.leaf;
  const by = [...new Set(results.map(({ of }) => of))].join(", ");
  return `${count} ${HOLDS[kind]} from number ${first} on, of ${by}`;
}

/** A run for a worker. */
export function unitRun(store: PartStore, run: ReadyRun): UnitRun {
  const { units, framesOf } = workOf(run.manifest);
  const nodeOf = (unit: number): TreeNode => units[unit] ?? noUnit(unit, units.length);
  return {
    has: async (unit) => await store.has(await partName(run.digest, nodeOf(unit))),
    compute: async (unit, { signal, onProgress }) => {
      const node = nodeOf(unit);
      const frames = Math.max(1, framesOf(node));
      await computeInto(store, run, node, { signal, onProgress: (done) => onProgress(done / frames) });
    },
    [Symbol.asyncDispose]: () => run[Symbol.asyncDispose](),
  };
}

/** Others may write jobs as well. */
function noUnit(unit: number, count: number): never {
  const text = `A job asks for unit ${unit} of a run of ${count} units; nothing was computed`;
  throw new TilewiseError("malformed", text, { found: unit, expected: count });
}

/** Bytes of a job: ten seconds of work at 200 MB/s. */
const JOB_BYTES = 2e9;
/** Jobs that a run should have while its units are small, so that many workers find work. */
const LEAST_JOBS = 256;

/** How many units make a job that is worth its claim, and leave jobs for all. */
export function unitsPerJob({ work }: StoredRun["manifest"]): number {
  const total = Math.max(1, work.units.length);
  const wanted = Math.round(JOB_BYTES / Math.max(1, work.bytes / total));
  return Math.max(1, Math.min(wanted, Math.floor(total / LEAST_JOBS)));
}
