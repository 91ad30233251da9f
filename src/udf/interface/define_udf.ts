/**
 * UDFs in modules of their own: the compiler infers the types that their functions see from what they declare.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import type { DType, TypedArray } from "../../space/dtype.ts";
import type { AuxSpec } from "./aux_data.ts";
import type { DTypeWish, ResultTypesOf, TypesOf } from "./buffer_types.ts";
import type { BufferSpecs, DataMeta, Finished, ScratchSpec, Udf, UdfContext, UdfMeta } from "./udf.ts";

/**
 * A UDF for which the compiler infers the types of its functions and results from its declarations.
 * @category User-defined functions
 */
export type DeclaredUdf<
  S extends BufferSpecs,
  C extends Readonly<Record<string, TypedArray>>,
  W extends Readonly<Record<string, DType>>,
  A extends Readonly<Record<string, AuxSpec>>,
  T,
  I extends DTypeWish,
> =
  & Omit<
    Udf<TypesOf<S>, PartsOf<C, W, A, T, I>>,
    "buffers" | "inputDType" | "constants" | "scratch" | "aux" | "taskData"
  >
  & {
    /** Type of the samples that it wants. */
    readonly inputDType?: I | ((meta: DataMeta) => I);
    /** The result buffers. */
    readonly buffers: S | ((meta: UdfMeta) => S);
    /** Arrays that all workers read. */
    constants?(meta: UdfMeta): C;
    /** Arrays that a worker may write to. */
    scratch?(meta: UdfMeta): { readonly [K in keyof W]: ScratchSpec<W[K]> };
    /** Auxiliary data, cut like buffers, with one entry per frame or pixel. */
    aux?(meta: UdfMeta): A;
    /** The dtypes of its results, used by the compiler only: it is never set. */
    readonly resultTypes?: ResultTypesOf<S>;
    /** Data for one partition. */
    taskData?(context: UdfContext<TypesOf<S>, PartsOf<C, W, A, unknown, I>>): T & Finished;
  };

/**
 * What a UDF has beside its buffers, from what its functions give.
 * @category User-defined functions
 */
export interface PartsOf<C, W, A, T, I> {
  /** The type of samples that it wants. */
  readonly input: I;
  /** Its constants. */
  readonly constants: C;
  /** The dtypes of its scratch arrays. */
  readonly scratch: W;
  /** The dtypes of its auxiliary data. */
  readonly aux: TypesOf<A>;
  /** What it keeps for a partition. */
  readonly taskData: T;
}

/**
 * Returns the UDF itself, with the types that follow from its declarations. Use it in a module that exports a UDF, or a
 * function that makes one from parameters. {@link udf} takes the UDF, or the URL of its module.
 *
 * @param udf the declarations and functions of the UDF
 * @returns the same object, with its types
 * @throws {TilewiseError} `udf` if the argument is not an object
 *
 * @example The greatest sample of each frame, in a module of its own
 * ```ts
 * import { defineUdf } from "@tilewise/tilewise";
 *
 * export default defineUdf({
 *   name: "brightest",
 *   buffers: { value: { kind: "nav", dtype: "float32" } },
 *   processFrame({ data }, { value }) {
 *     value[0] = Math.max(...data);
 *   },
 * });
 * ```
 * @category User-defined functions
 */
export function defineUdf<
  const S extends BufferSpecs,
  const C extends Readonly<Record<string, TypedArray>>,
  const W extends Readonly<Record<string, DType>>,
  const A extends Readonly<Record<string, AuxSpec>>,
  T,
  I extends DTypeWish = "float32",
>(udf: DeclaredUdf<S, C, W, A, T, I>): DeclaredUdf<S, C, W, A, T, I> {
  if (typeof udf === "object" && udf !== null) return udf;
  const text = `Cannot define a UDF: defineUdf() was given ${
    inWords(udf)
  }; it takes the UDF itself, an object`;
  throw new TilewiseError("udf", text, { found: inWords(udf) });
}
