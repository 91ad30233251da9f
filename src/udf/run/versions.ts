/**
 * Parameters that change during a run: each change makes a version, used by all partitions that start afterwards.
 *
 * @module
 */

import type { UdfPlan } from "../plan/plan_facts.ts";
import type { ParamPatches } from "../plan/run_facts.ts";
import type { PreparedUdf } from "../plan/plan_udf.ts";

/** The UDFs of a run with the parameters of one version. */
export interface Version {
  /** 0 for the parameters of the plan; each update adds 1. */
  readonly number: number;
  /** The UDFs. */
  readonly udfs: readonly PreparedUdf[];
}

/** Prepares a version, or throws; the returned function makes the version current and cannot fail. */
export type Adopt = (version: Version) => () => void;

/** The versions of one run, in order. */
export class Versions {
  #current: Version;
  #turn: Promise<unknown> = Promise.resolve();

  /** Version 0: the parameters of `plan`. */
  constructor(private readonly plan: UdfPlan) {
    this.#current = { number: 0, udfs: plan.udfs };
  }

  /** The newest version. */
  get current(): Version {
    return this.#current;
  }

  /** Makes a version with `patches`, which all `adopters` adopt, or none of them. Updates are done one after another. */
  update(patches: ParamPatches, adopters: () => Iterable<Adopt>): Promise<number> {
    const next = this.#turn.then(() => this.#update(patches, adopters));
    this.#turn = next.catch(() => {});
    return next;
  }

  async #update(patches: ParamPatches, adopters: () => Iterable<Adopt>): Promise<number> {
    const { patchedUdfs } = await import("./patched_udfs.ts");
    const { number, udfs } = this.#current;
    const version = { number: number + 1, udfs: await patchedUdfs(this.plan, udfs, patches) };
    const commits = [...adopters()].map((adopt) => adopt(version));
    for (const commit of commits) commit();
    this.#current = version;
    return version.number;
  }
}
