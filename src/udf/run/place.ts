/**
 * Puts the data of a run into the arena: slabs, buffer sets, constants, corrections.
 *
 * @module
 */

import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { withShared } from "../../dataset/storage/private_samples.ts";
import type { Windows } from "../../io/map/windows.ts";
import type { Lease } from "../../memory/arena.ts";
import type { Leases, PlacedArray } from "../../runner/leases.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { AuxSpec } from "../interface/aux_data.ts";
import { placeAux, type PlacedAux } from "../buffers/aux_views.ts";
import type { PlacedCorrections } from "../worker/corrector.ts";
import type { placeCorrections } from "./place_corrections.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import type { PreparedUdf } from "../plan/plan_udf.ts";
import { positionsIn } from "../buffers/positions.ts";
import { pixelRuns } from "../buffers/slice_order.ts";

/** The arrays of one UDF that all workers read. */
export interface PlacedUdf {
  /** Its constants. */
  readonly constants: Readonly<Record<string, PlacedArray>>;
  /** Its auxiliary data. */
  readonly aux: Readonly<Record<string, PlacedAux>>;
}

/** Puts constants and auxiliary data of `udfs` into shared memory. */
export function placeUdfs(
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
export class Placement {
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
