/**
 * The UDFs of one worker, with the parameters of the run or with newer ones.
 *
 * @module
 */

import type { TaskUpdate, UdfJob } from "./job_data.ts";
import { loadUdf } from "./load.ts";
import type { Udf } from "../interface/udf.ts";
import type { UdfRun } from "./udf_run.ts";

/** The UDFs of one worker, and the version of their parameters. */
export class Instances {
  #version: number | undefined;
  #changed: readonly string[] = [];

  /** The UDFs of `jobs`, which have been loaded as `first`. */
  constructor(private readonly jobs: readonly UdfJob[], private readonly first: readonly Udf[]) {}

  /** Makes `runs` compute with `update`, or with the first parameters. */
  async use(update: TaskUpdate | undefined, runs: readonly UdfRun[]): Promise<void> {
    if (update?.version === this.#version) return;
    for (const u of new Set([...this.#changed, ...Object.keys(update?.udfs ?? {})].map(Number))) {
      const newer = update?.udfs[u];
      runs[u]!.use(newer ? await loadUdf(newer.ref) : this.first[u]!, newer ?? this.jobs[u]!);
    }
    this.#changed = Object.keys(update?.udfs ?? {});
    this.#version = update?.version;
  }
}
