/**
 * Puts what a run needs into the arena: slabs, buffer sets, constants, corrections.
 *
 * @module
 */

import { patchPlan } from "../dataset/corrections.ts";
import type { Arena, Lease } from "../memory/arena.ts";
import { dtypeOf, type TypedArray, typedArray, zeros } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import { ravel, sizeOf } from "../space/shape.ts";
import { placeAux, type PlacedAux } from "./aux.ts";
import type { PlacedCorrections, PlacedSlice } from "./corrector.ts";
import type { PlacedArray } from "./job.ts";
import type { Plan } from "./plan.ts";
import { positionsIn } from "./positions.ts";
import { pixelRuns } from "./slice_order.ts";

/** The leases of one run; returned together. */
export class Placement implements Disposable {
  /** The memory of each worker. */
  readonly slabs: readonly Lease[];
  /** Buffer sets for partial results. */
  readonly sets: readonly Lease[];
  /** Per UDF: its constants. */
  readonly constants: readonly Readonly<Record<string, PlacedArray>>[];
  /** Per UDF: its auxiliary data. */
  readonly aux: readonly Readonly<Record<string, PlacedAux>>[];
  /** Corrections, if the plan has any. */
  readonly corrections: PlacedCorrections | undefined;
  readonly #arena: Arena;
  readonly #leases: Lease[] = [];

  /** Leases everything or nothing. */
  constructor(plan: Plan) {
    this.#arena = plan.context.arena;
    const { memory, udfs } = plan;
    try {
      this.slabs = this.#many(memory.workers, memory.slab, "tiles");
      this.sets = this.#many(memory.sets, memory.set, "partial results");
      this.constants = udfs.map(({ constants, udf }) =>
        Object.fromEntries(
          Object.entries(constants).map((
            [name, array],
          ) => [name, this.#constant(array, `${udf.name}.${name}`)]),
        )
      );
      this.aux = this.#aux(plan);
      this.corrections = this.#corrections(plan);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Returns all leases. */
  [Symbol.dispose](): void {
    for (const lease of this.#leases.splice(0)) lease.release();
  }

  #lease(bytes: number, label: string): Lease {
    const lease = this.#arena.lease(bytes, label);
    this.#leases.push(lease);
    return lease;
  }

  #many(count: number, bytes: number, label: string): Lease[] {
    return Array.from({ length: count }, () => this.#lease(bytes, label));
  }

  #constant(array: TypedArray, label: string): PlacedArray {
    const { offset } = this.#lease(array.byteLength, label);
    const dtype = dtypeOf(array);
    typedArray(dtype, this.#arena.memory.buffer, offset, array.length).set(array as never);
    return { pointer: offset, dtype, length: array.length };
  }

  #aux({ udfs, selection, dataset, scheme }: Plan): Record<string, PlacedAux>[] {
    if (udfs.every(({ aux }) => Object.keys(aux).length === 0)) return udfs.map(() => ({}));
    const positions = positionsIn(selection, 0, dataset.frames);
    const runs = pixelRuns(scheme.slices, dataset.sigShape);
    return udfs.map(({ aux, udf }) =>
      Object.fromEntries(
        Object.entries(aux).map(([name, spec]) => {
          const place = (array: TypedArray) => this.#constant(array, `${udf.name}.${name}`).pointer;
          return [name, placeAux(spec, positions, runs, place)];
        }),
      )
    );
  }

  #corrections({ corrections, nativeDType, scheme, dataset }: Plan): PlacedCorrections | undefined {
    if (!corrections) return undefined;
    const dtype = nativeDType as "float32" | "float64";
    const map = (array: NdArray | undefined, label: string) => {
      if (!array) return 0;
      const data = zeros(dtype, array.data.length);
      data.set(Float64Array.from(array.data as ArrayLike<number>) as never);
      return this.#constant(data, label).pointer;
    };
    const slices = scheme.slices.map((box): PlacedSlice => {
      const patch = patchPlan(corrections, dataset.sigShape, box);
      const pixels = { pixel: ravel(box.origin, dataset.sigShape), pixels: sizeOf(box.shape) };
      if (patch.count === 0) return pixels;
      return {
        ...pixels,
        patch: { pointer: this.#constant(patch.plan, "patch").pointer, count: patch.count },
      };
    });
    return {
      dtype,
      dark: map(corrections.dark, "dark frame"),
      gain: map(corrections.gain, "gain map"),
      slices,
    };
  }
}
