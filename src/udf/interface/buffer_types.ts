/**
 * Types for the dtypes of buffers and results: the declarations of a UDF decide what its functions get and what its
 * results are.
 *
 * @module
 */

import type { ArrayOf, DType, TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { FloatArray } from "../../space/numbers.ts";
import type { Shape } from "../../space/shape.ts";
import type { JsonValue, ObjectRows } from "./objects.ts";

/**
 * The type in which a UDF wants its samples; `native`: the type in which they are stored.
 * @category Buffer types
 */
export type DTypeWish = DType | "native";

/**
 * The dtypes of buffers or results by name; `object`: JSON values.
 * @category Buffer types
 */
export type BufferTypes = Readonly<Record<string, DType | "object">>;

/**
 * The buffers of numbers, as typed arrays.
 * @category Buffer types
 */
export type Buffers<B extends BufferTypes = BufferTypes> = {
  readonly [K in keyof B as B[K] extends "object" ? never : K]: ArrayOf<Extract<B[K], DType>>;
};

/**
 * The buffers of JSON values.
 * @category Buffer types
 */
export type ObjectBuffers<B extends BufferTypes = BufferTypes> = {
  readonly [K in keyof B as "object" extends B[K] ? K : never]: ObjectRows;
};

/**
 * Key of the results of JSON values among the results of a UDF; {@link objectsOf} reads them.
 * @category Buffer types
 */
export const OBJECTS: unique symbol = Symbol.for("tilewise.objects");

/**
 * The results of JSON values.
 * @category Buffer types
 */
export type ObjectResults<B extends BufferTypes = BufferTypes> = {
  readonly [K in keyof B as "object" extends B[K] ? K : never]: ObjectArray;
};

/**
 * An object that holds results of JSON values: see {@link objectsOf}.
 * @category Buffer types
 */
export type WithObjects<O = ObjectResults> = {
  /** The results of JSON values. The key is a symbol, so loops over the names of arrays skip it. */
  readonly [OBJECTS]?: O;
};

/**
 * The results of one UDF by name: arrays. Results of dtype `object` are read with {@link objectsOf}.
 * @category Buffer types
 */
export type UdfResult<B extends BufferTypes = BufferTypes> =
  & { readonly [K in keyof B as B[K] extends "object" ? never : K]: NDArray<Extract<B[K], DType>> }
  & WithObjects<ObjectResults<B>>;

/**
 * The dtype that a declaration such as `{ dtype: "uint8" }` gives; without a dtype it is float32.
 * @category Buffer types
 */
export type Declared<S> = S extends { readonly dtype: infer D extends DType | "object" } ? D
  : S extends { readonly dtype?: infer D } ? Extract<D, DType | "object"> | "float32"
  : "float32";

/**
 * The dtypes that specifications declare.
 * @category Buffer types
 */
export type TypesOf<S> = { readonly [K in keyof S & string]: Declared<S[K]> };

/**
 * The dtypes of the results that specifications declare: those of all buffers that are not private.
 * @category Buffer types
 */
export type ResultTypesOf<S> = {
  readonly [K in keyof S & string as S[K] extends { readonly use: "private" } ? never : K]: Declared<S[K]>;
};

/**
 * What a UDF may have beside its buffers.
 * @category Buffer types
 */
export interface UdfParts {
  /** What {@link Udf.inputDType} says. */
  readonly input?: DTypeWish;
  /** The arrays of {@link Udf.constants}. */
  readonly constants?: Readonly<Record<string, TypedArray>>;
  /** The dtypes of {@link Udf.scratch}. */
  readonly scratch?: Readonly<Record<string, DType>>;
  /** The dtypes of {@link Udf.aux}. */
  readonly aux?: Readonly<Record<string, DType>>;
  /** What {@link Udf.taskData} gives. */
  readonly taskData?: unknown;
}

/**
 * Arrays by name.
 * @category Buffer types
 */
export type Arrays<T extends Readonly<Record<string, DType>>> = {
  readonly [K in keyof T]: ArrayOf<Extract<T[K], DType>>;
};

/**
 * The constants of a UDF with these parts.
 * @category Buffer types
 */
export type ConstantsOf<P extends UdfParts> = P extends
  { readonly constants: infer C extends Readonly<Record<string, TypedArray>> } ? C
  : Readonly<Record<string, TypedArray>>;

/**
 * Its scratch arrays.
 * @category Buffer types
 */
export type ScratchOf<P extends UdfParts> = P extends
  { readonly scratch: infer T extends Readonly<Record<string, DType>> } ? Arrays<T>
  : Readonly<Record<string, TypedArray>>;

/**
 * Its auxiliary data.
 * @category Buffer types
 */
export type AuxOf<P extends UdfParts> = P extends
  { readonly aux: infer T extends Readonly<Record<string, DType>> } ? Arrays<T>
  : Readonly<Record<string, TypedArray>>;

/**
 * The arrays that `tile.data` may be: the dtype that the UDF wants, combined with the type of the file by NumPy's
 * rules. Floats stay floats; integers may become bigints.
 * @category Buffer types
 */
export type SamplesOf<P extends UdfParts> = P extends { readonly input: infer I extends DTypeWish }
  ? I extends "float64" | "complex128" ? Float64Array
  : I extends "float32" | "complex64" ? FloatArray
  : TypedArray
  : TypedArray;

/**
 * The data of a partition.
 * @category Buffer types
 */
export type TaskDataOf<P extends UdfParts> = P extends { readonly taskData: infer T } ? T : unknown;

/**
 * The dtypes of results, by the keys of a plan and the names of results.
 * @category Buffer types
 */
export type PlanTypes = Readonly<Record<string, BufferTypes>>;

/**
 * The results of a run: per UDF key, per buffer name.
 * @category Buffer types
 */
export type Results<R extends PlanTypes = PlanTypes> = { readonly [K in keyof R]: UdfResult<R[K]> };

// Arrays of JSON values.

/**
 * An array of JSON values: the result of an object buffer.
 * @category Results
 */
export interface ObjectArray {
  /** The values in row-major order; `null` where nothing was computed. */
  readonly data: readonly JsonValue[];
  /** Sizes, slowest dimension first. */
  readonly shape: Shape;
  /** Which entries are valid; absent: all. */
  readonly valid?: Uint8Array;
}
