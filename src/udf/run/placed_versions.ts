/**
 * Versions of parameters in shared memory: each version stays as long as a task may read it.
 *
 * @module
 */

import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { withShared } from "../../dataset/storage/kinds.ts";
import type { MemoryRows } from "../../executor/task.ts";
import type { Windows } from "../../io/map/windows.ts";
import type { Lease } from "../../memory/arena.ts";
import type { Leases, PlacedArray } from "../../runner/leases.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { placeAux, type PlacedAux } from "../buffers/aux_views.ts";
import { positionsIn } from "../buffers/positions.ts";
import { pixelRuns } from "../buffers/slice_order.ts";
import type { AuxSpec } from "../interface/aux_data.ts";
import { travelling } from "../interface/udf_ref.ts";
import type { ParamPatches, UdfPlan } from "../plan/plan_facts.ts";
import type { PreparedUdf } from "../plan/plan_udf.ts";
import type { PlacedCorrections } from "../worker/corrector.ts";
import type { TaskUpdate, UdfInstance } from "../worker/job_data.ts";
import type { placeCorrections } from "./place_corrections.ts";

/** The arrays of one UDF that all workers read. */
interface PlacedUdf {
  /** Its constants. */
  readonly constants: Readonly<Record<string, PlacedArray>>;
  /** Its auxiliary data. */
  readonly aux: Readonly<Record<string, PlacedAux>>;
}

/** Puts constants and auxiliary data of `udfs` into shared memory. */
function placeUdfs(
  udfs: readonly PreparedUdf[],
  { selection, dataset, scheme }: UdfPlan,
  leases: Leases,
): PlacedUdf[] {
  const anyAux = udfs.some(({ aux }) => Object.keys(aux).length > 0);
  const positions = anyAux ? positionsIn(selection, 0, dataset.frames) : new Uint32Array(0);
  const runs = anyAux ? pixelRuns(scheme.slices, dataset.sigShape) : undefined;
  return udfs.map(({ udf, constants, aux }) => {
    const label = (name: string) => `${udf.name}.${name}`;
    const constant = ([name, array]: [string, TypedArray]) =>
      [name, leases.copy(array, label(name))] as const;
    const auxiliary = ([name, spec]: [string, AuxSpec]) =>
      [name, placeAux(spec, positions, runs, (array) => leases.copy(array, label(name)).pointer)] as const;
    return {
      constants: Object.fromEntries(Object.entries(constants).map(constant)),
      aux: Object.fromEntries(Object.entries(aux).map(auxiliary)),
    };
  });
}

/** The addresses of everything in the memory of one run. */
export class UdfPlacement {
  /** The memory of each worker. */
  readonly slabs: readonly Lease[];
  /** Buffer sets for partial results. */
  readonly sets: readonly Lease[];
  /** Per UDF: the arrays that all workers read. */
  readonly udfs: readonly PlacedUdf[];
  /** Corrections, if the plan has any. */
  readonly corrections: PlacedCorrections | undefined;
  /** The layout of the frames: samples that workers cannot see are copied. */
  readonly layout: FrameLayout;

  /** Where workers map files, if they do. */
  readonly windows: Windows | undefined;

  /** Leases all memory, or throws. */
  constructor(
    plan: UdfPlan,
    /** The memory of the run. */
    readonly leases: Leases,
    /** Places the corrections of the plan, if it has any. */
    correct: typeof placeCorrections | undefined,
  ) {
    const { memory, udfs } = plan;
    this.slabs = leases.many(memory.workers, memory.slab, "tiles");
    if (memory.copies > 0) leases.lease(memory.copies, "copies of workers"); // only reserved
    this.windows = memory.window > 0 ? plan.pages?.lease(leases, memory.workers) : undefined;
    this.sets = leases.many(memory.sets, memory.set, "partial results");
    this.udfs = placeUdfs(udfs, plan, leases);
    this.corrections = correct?.(plan, (array, label) => leases.copy(array, label).pointer);
    this.layout = layoutOf(plan, leases);
  }
}

function layoutOf({ dataset: { layout }, memory }: UdfPlan, leases: Leases): FrameLayout {
  if (memory.samples === 0) return layout;
  return withShared(layout, (bytes) => {
    const copy = leases.lease(bytes.byteLength, "samples").bytes();
    copy.set(bytes);
    return copy;
  });
}

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
  reads({ version }: TaskUpdate): MemoryRows[] {
    const copied = this.#placed.get(version)?.leases.copied ?? [];
    return copied.map((range) => ({ ...range, version }));
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
    const bytes = leases.copied.reduce((sum, range) => sum + range.bytes, 0);
    leases.lease(memory.workers * bytes, "copies of workers");
  }

  #release(version: number): void {
    if (version === this.#current || (this.#users.get(version) ?? 0) > 0) return;
    this.#placed.get(version)?.leases[Symbol.dispose]();
    this.#placed.delete(version);
    this.#users.delete(version);
  }
}

// Parameters that change during a run: each change makes a version, used by all partitions that start afterwards.

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
