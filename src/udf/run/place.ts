/**
 * Puts what a run needs into the arena: slabs, buffer sets, constants, corrections.
 *
 * @module
 */

import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { withShared } from "../../dataset/storage/private_samples.ts";
import type { Arena, Lease } from "../../memory/arena.ts";
import { dtypeOf, type TypedArray, typedArray } from "../../space/dtype.ts";
import type { AuxSpec } from "../interface/aux_data.ts";
import { placeAux, type PlacedAux } from "../buffers/aux_views.ts";
import type { PlacedCorrections } from "../worker/corrector.ts";
import type { PlacedArray } from "../worker/job_data.ts";
import { placeCorrections } from "./place_corrections.ts";
import type { Plan } from "../plan/plan_facts.ts";
import type { PlannedUdf } from "../plan/plan_udf.ts";
import { positionsIn } from "../buffers/positions.ts";
import { pixelRuns } from "../buffers/slice_order.ts";

/** Leases that are returned together. */
export class Leases implements Disposable {
  readonly #all: Lease[] = [];

  /** No leases yet. */
  constructor(private readonly arena: Arena) {}

  /** Takes `bytes` bytes. */
  lease(bytes: number, label: string): Lease {
    const lease = this.arena.lease(bytes, label);
    this.#all.push(lease);
    return lease;
  }

  /** A copy of `array` in shared memory. */
  copy(array: TypedArray, label: string): PlacedArray {
    const { offset } = this.lease(array.byteLength, label);
    const dtype = dtypeOf(array);
    typedArray(dtype, this.arena.memory.buffer, offset, array.length).set(array as never);
    return { pointer: offset, dtype, length: array.length };
  }

  /** Returns all of them. */
  [Symbol.dispose](): void {
    for (const lease of this.#all.splice(0)) lease.release();
  }
}

/** What all workers read of one UDF. */
export interface PlacedUdf {
  /** Its constants. */
  readonly constants: Readonly<Record<string, PlacedArray>>;
  /** Its auxiliary data. */
  readonly aux: Readonly<Record<string, PlacedAux>>;
}

/** Puts constants and auxiliary data of `udfs` into shared memory. */
export function placeUdfs(
  udfs: readonly PlannedUdf[],
  { selection, dataset, scheme }: Plan,
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

/** The leases of one run; returned together. */
export class Placement implements Disposable {
  /** The memory of each worker. */
  readonly slabs: readonly Lease[];
  /** Buffer sets for partial results. */
  readonly sets: readonly Lease[];
  /** Per UDF: what all workers read. */
  readonly udfs: readonly PlacedUdf[];
  /** Corrections, if the plan has any. */
  readonly corrections: PlacedCorrections | undefined;
  /** Where the frames lie: samples that workers could not see are copied. */
  readonly layout: FrameLayout;
  /** Where everything lies. The context may go on with another arena. */
  readonly arena: Arena;
  readonly #leases: Leases;

  /** Leases everything or nothing. */
  constructor(plan: Plan) {
    this.arena = plan.context.arena;
    this.#leases = new Leases(this.arena);
    const { memory, udfs } = plan;
    try {
      this.slabs = this.#many(memory.workers, memory.slab, "tiles");
      this.sets = this.#many(memory.sets, memory.set, "partial results");
      this.udfs = placeUdfs(udfs, plan, this.#leases);
      this.corrections = placeCorrections(plan, (array, label) => this.#leases.copy(array, label).pointer);
      this.layout = this.#layout(plan);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Returns all leases. */
  [Symbol.dispose](): void {
    this.#leases[Symbol.dispose]();
  }

  #many(count: number, bytes: number, label: string): Lease[] {
    return Array.from({ length: count }, () => this.#leases.lease(bytes, label));
  }

  #layout({ dataset: { layout }, memory }: Plan): FrameLayout {
    if (memory.samples === 0) return layout;
    return withShared(layout, (bytes) => {
      const copy = this.#leases.lease(bytes.byteLength, "samples").bytes();
      copy.set(bytes);
      return copy;
    });
  }
}
