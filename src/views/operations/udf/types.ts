/**
 * UDFs over views: what they declare, and what they get and give.
 *
 * @module
 */

import type { ArrayOf, DType } from "../../../space/dtype.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import type { NumberRule } from "../../../space/number_rules.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Radius } from "../operation.ts";
import type { FunctionParams, FunctionView } from "../view_function.ts";

/**
 * A result of a UDF over views. What a view adds to it begins at zero, or at the greatest or the least number of its type
 * for the rules `min` and `max`.
 * @category Views
 */
export interface ViewBuffer<D extends DType = DType> {
  /** `tile`: an entry per tile. `single`: one entry, merged from those of all tiles, in row-major order. */
  readonly kind: "tile" | "single";
  /** Type of the numbers. Default `float32`. */
  readonly dtype?: D;
  /** Shape of one entry. Default: a number. */
  readonly extraShape?: Shape;
  /** How entries of `single` buffers are merged; without a rule, {@link ViewUdf.merge} does it. */
  readonly merge?: NumberRule;
}

/**
 * The buffers of a UDF over views, by name.
 * @category Views
 */
export type ViewBuffers = Readonly<Record<string, ViewBuffer>>;

/**
 * The type of the numbers of a buffer.
 * @category Views
 */
export type ViewBufferType<S> = S extends { readonly dtype: infer D extends DType } ? D : "float32";

/**
 * One entry of each buffer, as typed arrays.
 * @category Views
 */
export type ViewEntries<B extends ViewBuffers> = { readonly [K in keyof B]: ArrayOf<ViewBufferType<B[K]>> };

/**
 * The results of a UDF over views: of `tile` buffers tiles × entry, of `single` buffers an entry.
 * @category Views
 */
export type ViewResults<B extends ViewBuffers> = { readonly [K in keyof B]: NDArray<ViewBufferType<B[K]>> };

/**
 * A UDF over views: buffers, a function of a view that fills an entry of each, and how entries are merged.
 * @category Views
 */
export interface ViewUdf<
  B extends ViewBuffers = ViewBuffers,
  I extends DType = DType,
  N extends string = never,
> {
  /** Its name in messages. */
  readonly name?: string;
  /** Its results. */
  readonly buffers: B;
  /** Type of the samples that it gets; data that would lose digits are refused. Default `float32`. */
  readonly input?: I;
  /** Samples of halo that it reads. Default: the radius of the views, or 0 if they have none. */
  readonly radius?: Radius;
  /** Names of the arrays that it takes, as {@link joinArrays} joins them. Default: one array. */
  readonly inputs?: readonly N[];
  /** Fills the entries of one view; sizes of its tile are those of the view without `radius` and `back`. */
  processView(view: FunctionView<I, FunctionParams, N>, entries: ViewEntries<B>): void;
  /** Adds the entries of a later tile to those of the tiles before; needed for `single` buffers without a rule. */
  merge?(into: ViewEntries<B>, from: ViewEntries<B>): void;
}

/**
 * Options of {@link viewUdf} for UDFs in modules.
 * @category Views
 */
export interface ViewUdfOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** The argument of the export, if it is a function that makes the UDF; passed to it as `view.params` as well. */
  readonly params?: FunctionParams;
}

/** A UDF of unknown types. */
export type AnyViewUdf = Omit<ViewUdf, "processView" | "merge" | "inputs"> & {
  readonly inputs?: readonly string[];
  processView(view: FunctionView<DType>, entries: object): unknown;
  merge?(into: object, from: object): unknown;
};
