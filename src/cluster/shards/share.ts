/**
 * Shards: which units the i-th of n workers computes, if nobody hands them out, and which shard an array job is, from the
 * variables that schedulers set.
 *
 * | scheduler      | index                       | count                                        |
 * | -------------- | --------------------------- | -------------------------------------------- |
 * | Slurm          | `SLURM_ARRAY_TASK_ID`       | `…_MIN`, `…_MAX`, `…_STEP`, `…_COUNT`        |
 * | SGE            | `SGE_TASK_ID`               | `SGE_TASK_FIRST`, `…_LAST`, `…_STEPSIZE`     |
 * | LSF            | `LSB_JOBINDEX`              | `LSB_JOBINDEX_END`, `LSB_JOBINDEX_STEP`      |
 * | AWS Batch      | `AWS_BATCH_JOB_ARRAY_INDEX` | `AWS_BATCH_JOB_ARRAY_SIZE`                   |
 * | PBS            | `PBS_ARRAY_INDEX`, `PBS_ARRAYID` | not told: `auto/N`                      |
 * | Kubernetes     | `JOB_COMPLETION_INDEX`      | not told: `auto/N`                           |
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { TreeNode } from "../store/node.ts";
import type { Work } from "../manifest/work.ts";

/**
 * One of several shards.
 * @category Cluster
 */
export interface Shard {
  /** Its number, from 1. */
  readonly index: number;
  /** How many there are. */
  readonly count: number;
}

/**
 * The shard that a text names: `3/7`.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(parseShard("3/7"), { index: 3, count: 7 });
 * assertThrows(() => parseShard("8/7"), Error, "1/7 to 7/7");
 * ```
 * @category Cluster
 */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
  if (index === undefined || count === undefined) {
    const why = `"${text}" is not a shard; write INDEX/COUNT, as 3/7, or auto`;
    throw new TilewiseError("invalid", why, { option: "shard", found: text });
  }
  return shardOf(Number(index), Number(count), text);
}

/** A shard, checked. Errors: `invalid` for a number that is not from 1 to `count`. */
function shardOf(index: number, count: number, from: string): Shard {
  if (Number.isSafeInteger(index) && index >= 1 && index <= count) return { index, count };
  const text = `There is no shard ${index} of ${count} (${from}): shards are 1/${count} to ${count}/${count}`;
  throw new TilewiseError("invalid", text, { option: "shard", expected: count, found: index });
}

/**
 * The units of a shard: a range of them, with about the same number of frames as the others. There may be none, as with more
 * shards than units.
 *
 * @example
 * ```ts
 * import { workOf } from "@tilewise/tilewise/unstable/cluster";
 * import { assertEquals } from "@std/assert";
 * const work = workOf({ work: { leaf: 1, bytes: 1, fanIn: 16, units: [[0, 0, 5], [0, 1, 5], [1, 1, 10]] } });
 * assertEquals([1, 2, 3].map((index) => unitsOfShard(work, { index, count: 3 }).length), [1, 1, 1]);
 * ```
 * @category Cluster
 */
export function unitsOfShard(
  { units, framesOf }: Pick<Work, "units" | "framesOf">,
  { index, count }: Shard,
): TreeNode[] {
  const total = units.reduce((sum, unit) => sum + framesOf(unit), 0);
  let before = 0;
  return units.filter((unit) => {
    const middle = before + framesOf(unit) / 2;
    before += framesOf(unit);
    return Math.min(count - 1, Math.floor(count * middle / Math.max(1, total))) === index - 1;
  });
}

/**
 * Gives environment variables; what is not set is `undefined`.
 * @category Cluster
 */
export type Environment = (name: string) => string | undefined;

/** What a scheduler says of one task of an array. */
interface SchedulerTask {
  /** The variable with the index. */
  readonly variable: string;
  /** Its index, from 1; of some schedulers, of any start. */
  readonly index: number;
  /** Number of tasks, where it is told. */
  readonly count?: number;
}

/** How the variables of a scheduler are read. */
type Scheduler = (env: Environment) => SchedulerTask | undefined;

const SCHEDULERS: readonly Scheduler[] = [
  stepped("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"),
  stepped("SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"),
  stepped("LSB_JOBINDEX", undefined, "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP"),
  fromZero("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"),
  fromOne("PBS_ARRAY_INDEX"),
  fromOne("PBS_ARRAYID"),
  fromZero("JOB_COMPLETION_INDEX"),
];

/**
 * The shard of `auto` or `auto/N`. Errors: `invalid` if no scheduler has set an index, if the number of shards is not known,
 * or if the index is out of range.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const job: Record<string, string> = { AWS_BATCH_JOB_ARRAY_INDEX: "2", AWS_BATCH_JOB_ARRAY_SIZE: "7" };
 * assertEquals(autoShard("auto", (name) => job[name]), { index: 3, count: 7 });
 * ```
 * @category Cluster
 */
export function autoShard(text: string, env: Environment): Shard {
  const [, given] = /^auto(?:\/([1-9]\d{0,8}))?$/.exec(text) ?? [];
  const told = SCHEDULERS.map((scheduler) => scheduler(env)).find((found) => found !== undefined);
  if (!told) {
    throw wrong(
      "no scheduler has set an index here: start it as a task of an array, or write --shard 1/N",
      text,
    );
  }
  const count = given === undefined ? told.count : Number(given);
  if (count === undefined) {
    throw wrong(`${told.variable} says which task this is, not of how many: write --shard auto/N`, text);
  }
  return shardOf(told.index, count, told.variable);
}

function wrong(why: string, found: string): TilewiseError {
  return new TilewiseError("invalid", `Cannot tell the shard: ${why}`, { option: "shard", found });
}

/** Arrays from a first to a last index in steps; also `1,5,9`, where it has no gaps. */
function stepped(
  variable: string,
  firstIn: string | undefined,
  lastIn: string,
  stepIn: string,
): Scheduler {
  return (env) => {
    const id = number(env, variable);
    if (id === undefined || (firstIn === undefined && id === 0)) return undefined; // LSF: 0 is not an array
    const [last, step] = [number(env, lastIn), number(env, stepIn) ?? 1];
    const first = firstIn === undefined ? 1 : number(env, firstIn) ?? 1;
    if (last === undefined) return { variable, index: id };
    const index = (id - first) / Math.max(1, step) + 1;
    const count = Math.floor((last - first) / Math.max(1, step)) + 1;
    checkGaps(env, variable, index, count);
    return { variable, index, count };
  };
}

/** A list of tasks with gaps, as `--array=3,5,11`: which of how many a task is, nobody says. */
function checkGaps(env: Environment, variable: string, index: number, count: number): void {
  const said = number(env, "SLURM_ARRAY_TASK_COUNT");
  const isGapped = !Number.isInteger(index) ||
    (variable.startsWith("SLURM") && said !== undefined && said !== count);
  if (!isGapped) return;
  throw wrong(
    `the indices of this array have gaps; write --shard $${variable}/N with the N of the first array`,
    variable,
  );
}

function fromZero(variable: string, countIn?: string): Scheduler {
  return (env) => {
    const id = number(env, variable);
    const count = countIn === undefined ? undefined : number(env, countIn);
    return id === undefined ? undefined : { variable, index: id + 1, ...defined({ count }) };
  };
}

function fromOne(variable: string): Scheduler {
  return (env) => {
    const id = number(env, variable);
    return id === undefined ? undefined : { variable, index: id };
  };
}

/** A whole number; schedulers write `undefined` and the like outside of arrays. */
function number(env: Environment, name: string): number | undefined {
  const text = env(name);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
