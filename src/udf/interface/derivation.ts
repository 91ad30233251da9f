/**
 * Results derived from other results: how they are declared, and what they may be.
 *
 * @module
 */

import type { DType, TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { BufferTypes, TypesOf, UdfResult } from "./buffer_types.ts";
import type { JsonValue, Masked } from "./objects.ts";
import type { BufferSpec, RunFacts, UdfMeta } from "./udf.ts";

/**
 * Declaration of a result that {@link derive} adds. Its shape and its valid mask follow from the run.
 * @category Derived results
 */
export type DerivedBuffer = Omit<BufferSpec, "use" | "merge">;

/**
 * What a derived result may be:
 *
 * - an array of any shape, valid where its mask says so;
 * - a typed array, or a list of JSON values, for a declared buffer or a result of that name;
 * - one of these {@link withMask};
 * - a number, a bigint or a truth value: an array without dimensions;
 * - any other JSON value: an object result without dimensions, see {@link objectsOf}.
 * @category Derived results
 */
export type DerivedValue =
  | NDArray
  | TypedArray
  | JsonValue
  | bigint
  | Masked<TypedArray | readonly JsonValue[] | NDArray>;

/**
 * Derived results by name; `undefined` changes nothing.
 * @category Derived results
 */
export type DerivedValues = Readonly<Record<string, DerivedValue | undefined>>;

/**
 * What {@link derive} adds to a UDF.
 * @category Derived results
 */
export interface DeriveOptions<
  Base extends BufferTypes = BufferTypes,
  Added extends DerivedValues = DerivedValues,
  Declared extends Readonly<Record<string, DerivedBuffer>> = Readonly<Record<string, DerivedBuffer>>,
> {
  /** Declared results: counted in the plan and shown by `inspect`. `results` must return each of them. */
  readonly buffers?:
    | Declared
    | ((meta: UdfMeta) => Declared);
  /**
   * Makes results from the results `r` of the base. It is called whenever results are read: for each part of a running
   * run, and before the first frame. A name that the base has is replaced, any other name is added.
   */
  results(r: UdfResult<Base>, meta: UdfMeta, run: RunFacts): Added;
}

/**
 * The part of a UDF reference that {@link derive} adds.
 * @category Derived results
 */
export type Derivation = DeriveOptions;

/**
 * The dtype of a derived value that was not declared; `Was` is the dtype of the result that it replaces.
 * @category Derived results
 */
export type DerivedDType<V, Was> = V extends NDArray<infer D> ? D
  : V extends Masked<infer M> ? DerivedDType<M, Was>
  : V extends number ? "float64"
  : V extends bigint ? "int64"
  : V extends boolean ? "bool"
  : V extends TypedArray ? Was extends DType ? Was : DType
  : "object";

/**
 * The dtypes of the results of a UDF, together with its derived ones.
 * @category Derived results
 */
export type DerivedTypes<Base extends BufferTypes, Added, Declared> =
  & Omit<Base, keyof Added>
  & {
    readonly [K in keyof Added & string]: K extends keyof Declared ? TypesOf<Declared>[K & string]
      : DerivedDType<Added[K], K extends keyof Base ? Base[K] : undefined>;
  };
