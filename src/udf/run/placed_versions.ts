/**
 * Versions of parameters in shared memory: each version stays as long as a task may read it.
 *
 * @module
 */

import type { Stretch } from "../../executor/task.ts";
import type { Leases } from "../../runner/leases.ts";
import type { TaskUpdate, UdfInstance } from "../worker/job_data.ts";
import { travelling } from "../interface/params.ts";
import { placeUdfs } from "./place.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import type { Version } from "./versions.ts";

interface Placed {
  readonly update: TaskUpdate;
  readonly leases: Leases;
}

/** The versions that one pass of a run needs in addition to the one with which it began. */
export class PlacedVersions {
  readonly #placed = new Map<number, Placed>();
  readonly #users = new Map<number, number>();
  #current: number;

  /** A pass of `plan` in the memory `all` that begins with version `first`. */
  constructor(private readonly plan: UdfPlan, private readonly first: Version, private readonly all: Leases) {
    this.#current = first.number;
  }

  /** Leases the memory that `version` needs, or throws; the returned function makes it the current version. */
  prepare(version: Version): () => void {
    const leases = this.all.part();
    try {
      const update = this.#updateTo(version, leases);
      return () => {
        this.#placed.set(version.number, { update, leases });
        const before = this.#current;
        this.#current = version.number;
        this.#release(before);
      };
    } catch (error) {
      leases[Symbol.dispose]();
      throw error;
    }
  }

  /** A task begins with the current version: returns its number, and what has to travel with the task. */
  begin(): { readonly version: number; readonly update?: TaskUpdate } {
    const version = this.#current;
    this.#users.set(version, (this.#users.get(version) ?? 0) + 1);
    const placed = this.#placed.get(version);
    return placed ? { version, update: placed.update } : { version };
  }

  /** What tasks read of a version, in addition to what they read of the first one. */
  reads({ version }: TaskUpdate): Stretch[] {
    const copied = this.#placed.get(version)?.leases.copied ?? [];
    return copied.map((stretch) => ({ ...stretch, version }));
  }

  /** A task that began with `version` has ended. */
  end(version: number): void {
    this.#users.set(version, this.#users.get(version)! - 1);
    this.#release(version);
  }

  #updateTo({ number, udfs }: Version, leases: Leases): TaskUpdate {
    const changed = [...udfs.keys()].filter((u) => udfs[u] !== this.first.udfs[u]);
    const placed = placeUdfs(changed.map((u) => udfs[u]!), this.plan, leases);
    this.#copy(leases);
    const instance = (u: number, i: number): [number, UdfInstance] => {
      const { ref } = udfs[u]!;
      return [u, { ref: { ...ref, params: travelling(ref.params) }, ...placed[i]! }];
    };
    return { version: number, udfs: Object.fromEntries(changed.map(instance)) };
  }

  /** Leases room for the copies of workers that have their own memory: nothing is put there. */
  #copy(leases: Leases): void {
    const { memory } = this.plan;
    if (memory.copies === 0) return;
    const bytes = leases.copied.reduce((sum, stretch) => sum + stretch.bytes, 0);
    leases.lease(memory.workers * bytes, "copies of workers");
  }

  #release(version: number): void {
    if (version === this.#current || (this.#users.get(version) ?? 0) > 0) return;
    this.#placed.get(version)?.leases[Symbol.dispose]();
    this.#placed.delete(version);
    this.#users.delete(version);
  }
}
