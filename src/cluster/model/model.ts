/**
 * How long a run on many machines takes, from few figures.
 *
 * ```
 *            bytes to compute      bytes to read     jobs to hand out
 * T  ≈  max( ────────────────── ,  ────────────── ,  ──────────────── )  +  merge  +  one straggler
 *            workers · rate · a    storage rate      engine rate
 *
 * a         = part of the time in which a worker works: 1 / (1 + losses per second · seconds until it is back)
 * merge     = all parts are read once, and per level of fan-in 16 a sixteenth of what the level below had
 * straggler = one job at the speed of its worker; where workers are lost: and the time until the loss of one is noticed
 * ```
 * `docs/cluster.md` derives it; `tests/cluster/simulation` runs the coordinator against it.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { atLeast0, needed, positive, whole } from "../../options/rules.ts";

/**
 * What the model is made from.
 * @category Cluster
 */
export interface ModelInput {
  /** Bytes of samples that are read. Above 0. */
  readonly bytes: number;
  /** Number of workers: processes, each with a pool of its own. Whole, at least 1. */
  readonly workers: number;
  /** Bytes per second that one worker computes when storage does not limit it. Above 0. */
  readonly rate: number;
  /** Bytes per second that the storage gives to all workers together. Above 0. */
  readonly storageRate: number;
  /** Bytes in a job. Above 0. */
  readonly jobBytes: number;
  /** Number of parts. Whole, at least 1. */
  readonly parts: number;
  /** Bytes of a part. At least 0. */
  readonly partBytes: number;
  /** Jobs per second that the engine hands out. Above 0. Default: 1000. */
  readonly engineRate?: number;
  /** Bytes per second at which parts are read and merged. Above 0. Default: the storage rate, at most 1 GB/s. */
  readonly mergeRate?: number;
  /** Part of the workers that is lost every minute. At least 0. Default: 0. */
  readonly lostPerMinute?: number;
  /** Seconds until a lost worker is back. At least 0. Default: 60. */
  readonly restart?: number;
  /**
   * Seconds until a lost worker is noticed. At least 0. Default: 25, the lock and half of the pause between two
   * checks.
   */
  readonly notice?: number;
}

/**
 * What the model says; all times in seconds.
 * @category Cluster
 */
export interface Forecast {
  /** Time in all. */
  readonly seconds: number;
  /** Time that the workers need. */
  readonly compute: number;
  /** Time that the storage needs. */
  readonly storage: number;
  /** Time that the engine needs. */
  readonly engine: number;
  /** Time to merge parts. */
  readonly merge: number;
  /** Time that the last job takes beyond all others. */
  readonly straggler: number;
  /** Which of them decides. */
  readonly bound: "workers" | "storage" | "engine";
  /** Number of jobs. */
  readonly jobs: number;
  /** Seconds that a job takes. */
  readonly jobSeconds: number;
  /** Levels of the merge. */
  readonly levels: number;
  /** Bytes of all parts per byte of input. */
  readonly partShare: number;
  /** What to change, as sentences. */
  readonly warnings: readonly string[];
}

/** Parts that one merge takes. */
export const FAN_IN = 16;
/** Jobs shorter than this spend much of their time on claims and commits. */
const SHORTEST_JOB = 10;
/** Parts beyond this share of the input make the merge the work. */
const LARGEST_SHARE = 0.1;
/** Jobs per second of BullMQ on one Redis, on the safe side. */
const ENGINE_RATE = 1000;

// deno-fmt-ignore: written by `deno task build`
const INPUT: OptionNames<ModelInput> = {
  bytes: needed(positive), workers: needed(whole(1)), rate: needed(positive), storageRate: needed(positive),
  jobBytes: needed(positive), parts: needed(whole(1)), partBytes: needed(atLeast0), engineRate: positive,
  mergeRate: positive, lostPerMinute: atLeast0, restart: atLeast0, notice: atLeast0,
};

/**
 * How long a run takes. Errors: `invalid` for what is not a number above 0.
 *
 * @category Cluster
 * @example A night's scan of 10 TB, 100 workers of 0.5 GB/s on storage of 20 GB/s
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { bound, storage, warnings } = forecast({
 *   bytes: 10e12, workers: 100, rate: 0.5e9, storageRate: 20e9, jobBytes: 8e9, parts: 5000, partBytes: 1e6,
 * });
 * assertEquals([bound, storage, warnings], ["storage", 500, []]);
 * ```
 */
export function forecast(input: ModelInput): Forecast {
  checkOptionNames("forecast()", input, INPUT);
  const { bytes, workers, rate, storageRate, jobBytes, parts, partBytes } = input;
  const { engineRate = ENGINE_RATE, mergeRate = Math.min(storageRate, 1e9) } = input;
  const { lostPerMinute = 0, restart = 60, notice = 25 } = input;
  const jobs = Math.ceil(bytes / jobBytes);
  const working = Math.min(workers, jobs) / (1 + lostPerMinute / 60 * restart);
  const compute = bytes / (working * rate);
  const storage = bytes / storageRate;
  const engine = jobs / engineRate;
  const longest = Math.max(compute, storage, engine);
  const jobSeconds = jobBytes / Math.min(rate, storageRate / Math.min(workers, jobs));
  // the last jobs share the storage with few others
  const straggler = jobBytes / Math.min(rate, storageRate) + (lostPerMinute > 0 ? notice : 0);
  const merge = mergedBytes(parts, partBytes) / mergeRate;
  const facts = { jobs, jobSeconds, levels: levelsOf(parts), partShare: parts * partBytes / bytes };
  return {
    seconds: longest + merge + straggler,
    compute,
    storage,
    engine,
    merge,
    straggler,
    bound: longest === compute ? "workers" : longest === storage ? "storage" : "engine",
    ...facts,
    warnings: warningsOf(input, facts),
  };
}

/** Levels of a merge of `parts` parts. */
export function levelsOf(parts: number): number {
  let levels = 0;
  for (let left = parts; left > 1; left = Math.ceil(left / FAN_IN)) levels++;
  return levels;
}

/** Bytes that a merge reads: the parts, and what each level leaves for the next. */
function mergedBytes(parts: number, partBytes: number): number {
  let read = 0;
  for (let left = parts; left > 1; left = Math.ceil(left / FAN_IN)) read += left;
  return Math.max(read, 1) * partBytes;
}

type LoadForecast = Pick<Forecast, "jobs" | "jobSeconds" | "partShare">;

function warningsOf(
  { workers, jobBytes }: ModelInput,
  { jobs, jobSeconds, partShare }: LoadForecast,
): string[] {
  const found: string[] = [];
  if (jobSeconds < SHORTEST_JOB) {
    const factor = Math.ceil(SHORTEST_JOB / jobSeconds);
    found.push(
      `jobs take ${
        jobSeconds.toFixed(1)
      } s; ${factor} times as many units per job make them ${SHORTEST_JOB} s`,
    );
  }
  if (partShare > LARGEST_SHARE) {
    const percent = Math.round(partShare * 100);
    found.push(
      `parts are ${percent} % of the input; larger units, or fewer results per frame, make the merge cheaper`,
    );
  }
  if (jobs < workers) {
    found.push(
      `${jobs} jobs leave ${
        workers - jobs
      } workers without work; use fewer workers or jobs below ${jobBytes} bytes`,
    );
  }
  return found;
}
