/**
 * What results made of other results are: what is declared of them, and what they may be.
 *
 * @module
 */

import type { TypedArray } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import type { UdfResult } from "./buffer_types.ts";
import type { JsonValue } from "./objects.ts";
import type { BufferSpec, RunFacts, UdfMeta } from "./udf.ts";
import type { Masked } from "./with_mask.ts";

/** A result that {@link derive} adds, declared: its shape and its valid mask follow from the run. */
export type DerivedBuffer = Omit<BufferSpec, "use" | "merge">;

/**
 * What a derived result may be:
 *
 * - an array of any shape, valid where its mask says so;
 * - a typed array, or a list of JSON values, for a declared buffer or a result of that name;
 * - one of these {@link withMask};
 * - a number, a bigint or a truth value: an array without dimensions;
 * - any other JSON value: an object result without dimensions, see {@link objectsOf}.
 */
export type DerivedValue =
  | NdArray
  | TypedArray
  | JsonValue
  | bigint
  | Masked<TypedArray | readonly JsonValue[] | NdArray>;

/** Derived results by name; `undefined` changes nothing. */
export type DerivedValues = Readonly<Record<string, DerivedValue | undefined>>;

/** What {@link derive} adds to a UDF. */
export interface DeriveOptions<
  Base extends UdfResult = UdfResult,
  Added extends DerivedValues = DerivedValues,
> {
  /** Declared results: counted in the plan, shown by `inspect`, and each must be among what `results` returns. */
  readonly buffers?:
    | Readonly<Record<string, DerivedBuffer>>
    | ((meta: UdfMeta) => Readonly<Record<string, DerivedBuffer>>);
  /**
   * Makes results of the results `r` of the base, whenever somebody looks: for each part of a running run, and before the
   * first frame. Names that the base has are replaced, others are added.
   */
  results(r: Base, meta: UdfMeta, run: RunFacts): Added;
}

/** What a reference carries of {@link derive}. */
export type Derivation = DeriveOptions;
