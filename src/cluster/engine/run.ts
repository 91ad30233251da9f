/**
 * A run on an engine: its workers compute the parts, this process coordinates them.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { callable, positive, signal, text, whole } from "../../options/rules.ts";
import type { StoredRun } from "../manifest/read.ts";
import type { PartStore } from "../store/store.ts";
import { REAL_CLOCK } from "../../clock.ts";
import { type ClusterProgress, coordinate } from "./coordinator.ts";
import type { Engine } from "./engine.ts";
import { coordinatedRun, unitsPerJob } from "./units.ts";

/**
 * How a run on an engine is coordinated.
 * @category Cluster
 */
export interface EngineRunOptions {
  /** What people see of it. Default: its command, or its source. */
  readonly title?: string;
  /** Units in a job. Whole, at least 1. Default: enough for ten seconds of work, as long as there are jobs for all. */
  readonly unitsPerJob?: number;
  /** Runs with lower numbers come first, from 1. Whole, at least 1. Default: 100. */
  readonly priority?: number;
  /** Milliseconds between two looks at store and engine. Above 0. Default: 3000. */
  readonly interval?: number;
  /** Milliseconds for which the engine may be unreachable. Above 0. Default: ten minutes. */
  readonly unreachableTimeout?: number;
  /** Cancels it. */
  readonly signal?: AbortSignal;
  /** Called after every look. */
  readonly onProgress?: (progress: ClusterProgress) => void;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<EngineRunOptions> = {
  title: text, unitsPerJob: whole(1), priority: whole(1), interval: positive, unreachableTimeout: positive,
  signal, onProgress: callable,
};

/** Characters of a title. */
const TITLE = 200;

/**
 * Waits until the workers of `engine` have put all parts of `run` into `store`; `mergeRun` makes the results from them.
 *
 * It may be ended and called again at any time, on any machine: what is in the store counts. Errors: those of the run; `worker`,
 * `timeout` and `io` for parts that failed for good, once all others are there; `aborted`; `io` if the engine cannot be reached.
 * @category Cluster
 */
export async function runOnEngine(
  store: PartStore,
  run: StoredRun,
  engine: Engine,
  options: EngineRunOptions = {},
): Promise<void> {
  checkOptionNames("runOnEngine()", options, OPTIONS);
  const { manifest } = run;
  const { title = manifest.command?.arguments.join(" ") ?? manifest.open.source, ...others } = options;
  const coordinated = await coordinatedRun(store, run, title.slice(0, TITLE));
  await coordinate(coordinated, engine, REAL_CLOCK, { unitsPerJob: unitsPerJob(manifest), ...others });
}
