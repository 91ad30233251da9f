/**
 * The interface of operations over views: what an operation declares, and how it computes one tile.
 *
 * An operation is an {@link OperationEntry} in a file of this folder and a line in `views/registry.ts`. Plans ask the entry
 * what it needs; a worker finds it by name, starts it once, and passes it the views one by one.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import type { Places } from "../../memory/places.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import type { ValueFacts, ValueRule } from "../../space/axes.ts";
import type { AxisBorder } from "../../space/border.ts";
import type { Box, Grid } from "../../space/box.ts";
import type { ArrayOf, DType } from "../../space/dtype.ts";
import type { Halo, Radius } from "../../space/halo.ts";
import type { Shape } from "../../space/shape.ts";

export type { Radius } from "../../space/halo.ts";

/**
 * An operation with its parameters, as `boxMean({ radius: 2 })` makes it: plain data, unless it contains a function.
 * @category Views
 */
export interface ViewOperation<D extends DType = DType> {
  /** Its name in messages. */
  readonly name: string;
  /** Its entry in the table of operations. */
  readonly operation: string;
  /** The parameters of that entry. */
  readonly params: object;
  /** URLs of user modules that it imports where it runs. */
  readonly modules?: readonly string[];
  /** Whether it contains a function that cannot travel, so that it runs on the calling thread. */
  readonly here?: boolean;
  /**
   * Work to do before it can travel, such as compiling for samples of `dtype`; the planner calls it and uses the operation
   * that it returns.
   */
  readonly prepare?: (dtype: DType) => Promise<ViewOperation>;
  /** The dimensions along which it works, if it works on images of an array one by one; the planner sets it. */
  readonly along?: Along;
  /** The dtype of its result, used by the compiler only: it is never set. */
  readonly resultType?: D;
}

/**
 * Some dimensions of an array.
 * @category Views
 */
export interface Along {
  /** Their numbers, in order. */
  readonly dims: readonly number[];
  /** Dimensions of the array. */
  readonly rank: number;
}

/**
 * Facts of one use of an operation, before any view is loaded.
 * @category Views
 */
export interface OperationFacts<P extends object> {
  /** Its parameters. */
  readonly params: P;
  /** Type of the samples of views. */
  readonly dtype: DType;
  /** Type of the samples of the result. */
  readonly result: DType;
  /** Samples around a tile that it reads, per dimension; behind the tile as many, unless {@link halo} says otherwise. */
  readonly radius: Shape;
  /** Samples before a tile and behind it that it reads: both are `radius`, unless the operation is `uneven`. */
  readonly halo: Halo;
  /** Samples of a full tile, per dimension. */
  readonly tile: Shape;
  /** Names of the arrays that a view shows one after another, if they were joined. */
  readonly arrays?: readonly string[];
}

/** The array that views are parts of, and what is seen outside of it. */
export interface WholeArray {
  /** Its samples per dimension. */
  readonly shape: Shape;
  /** What is seen outside of it, per dimension. */
  readonly borders: readonly AxisBorder[];
  /** The constant of the border `constant`. */
  readonly fill: number;
}

/** What an operation gets when it starts on a worker. */
export interface OperationSetting<P extends object, S extends string> extends OperationFacts<P> {
  /** The array. */
  readonly whole: WholeArray;
  /** Its name in messages. */
  readonly name: string;
  /** The kernels; views, results and scratch lie in their memory. */
  readonly kernels: Kernels;
  /** Places of the memory that it asked for: parts of no bytes have none. */
  readonly scratch: Places<S>;
}

/** Samples in the memory of the kernels. */
export interface PlacedSamples {
  /** Address of the first sample. */
  readonly pointer: number;
  /** Samples per dimension. */
  readonly shape: Shape;
  /** Bytes from one sample to the next, per dimension; along the last one samples have no gaps. */
  readonly strides: Shape;
  /** Bytes from a sample of one array to that of the next, where a view shows joined arrays. */
  readonly apart?: number;
}

/**
 * Computes one tile. `view` has the samples of the tile, clipped to the array, and `radius` samples of halo on both
 * sides; `out` gets the result, and has the shape of the clipped tile, divided by the factors of the operation if it has
 * any and rounded up; `tile` is the place of the tile in the array.
 */
export type TileWork = (view: PlacedSamples, out: PlacedSamples, tile: Box) => void | Promise<void>;

/** An operation: what it needs, and how it is started. `P`: its parameters; `S`: names of its scratch memory. */
export interface OperationEntry<P extends object = object, S extends string = string> {
  /** Its name in the table of operations. */
  readonly name: string;
  /** A rule for each of its parameters. */
  readonly params: OptionNames<P>;
  /** Families of kernels that it calls: it takes the sample types for which all of them have kernels. */
  readonly kernels: readonly KernelFamily[];
  /** Further families that it calls; they do not limit which sample types it takes. */
  readonly calls?: readonly KernelFamily[];
  /** The default radius. */
  readonly usualRadius: number | Shape;
  /** Whether it sees arrays in all their dimensions, as functions of users do. Absent: it can work on images one by one. */
  readonly whole?: true;
  /** Whether it looks along two dimensions alone: the last two of those that it may look along. */
  readonly images?: true;
  /** Whether it can read a halo with other sizes behind a tile than before it. Absent: its views have a radius. */
  readonly uneven?: true;
  /** Samples of halo that it needs. Undefined: as many as views have. */
  radius(params: P): Radius | undefined;
  /**
   * Samples of the array that become one sample of the result, if that is less than the array: one number for all
   * dimensions, or one per dimension. Tiles are cut at multiples of it; at the end of the array, fewer samples are left.
   */
  factors?(params: P): number | Shape;
  /** Which of the samples that become one its place is that of. Absent: the middle of them. */
  place?(params: P): "first" | "middle";
  /** Names of the arrays that it takes, if they are to be joined. */
  arrays?(params: P): readonly string[] | undefined;
  /** Type of the result, from that of the samples. */
  result(dtype: DType, params: P): DType;
  /** What the samples of the result mean; throws where they would have no meaning. */
  values(given: ValueFacts, params: P): ValueRule;
  /**
   * Samples of the partial result of a tile, where the result is not an array: `out` is a list of that many then, the same
   * for all tiles, and what is in it before is undefined. Partial results are merged in the order of their tiles.
   */
  partial?(facts: OperationFacts<P>): number;
  /** Refuses uses that it does not support, when a run is planned. */
  check?(facts: OperationFacts<P>): void | Promise<void>;
  /** Bytes of memory that it needs besides view and result, by name. */
  scratch(facts: OperationFacts<P>): Readonly<Record<S, number>>;
  /** Makes the function that computes tiles; called once per worker. */
  start(setting: OperationSetting<P, S>): TileWork | Promise<TileWork>;
}

/** An operation from `entry` and `params`, after checking them. */
export function operationOf<D extends DType, P extends object>(
  { name, params: names }: Pick<OperationEntry<P>, "name" | "params">,
  params: P,
): ViewOperation<D> {
  checkOptionNames(`${name}()`, params, names);
  return { name, operation: name, params };
}

/** Where the arrays that an operation takes are among those of its views; one array has no name. */
export function orderOfArrays(
  takes: readonly string[],
  { arrays }: Pick<OperationFacts<object>, "arrays">,
): number[] {
  return takes.length === 0 ? [0] : takes.map((name) => arrays?.indexOf(name) ?? 0);
}

/** Whether a value is an operation with its parameters. */
export function isOperation(value: unknown): value is ViewOperation {
  const { name, operation, params } = (value ?? {}) as Partial<ViewOperation>;
  return typeof name === "string" && typeof operation === "string" && typeof params === "object";
}

// The interface of reductions: operations whose result is not an array.
//
// A reduction is an entry of the table of operations with `partial`, and a function that merges.

/**
 * The partial result of one tile; its samples are valid until the next one is requested.
 * @category Views
 */
export interface TileResult<D extends DType = DType> {
  /** The samples. */
  readonly data: ArrayOf<D>;
  /** The place of the tile in the array. */
  readonly tile: Box;
}

/**
 * The array that is reduced.
 * @category Views
 */
export interface ReducedArray {
  /** Type of its samples. */
  readonly dtype: DType;
  /** Its shape, in tiles. */
  readonly grid: Grid;
}

/**
 * A reduction, such as {@link sampleRange}: an operation that makes a partial result of every tile, and what becomes
 * of them.
 * @category Views
 */
export interface ViewReduction<R, D extends DType = DType> {
  /** The operation. */
  readonly operation: ViewOperation<D>;
  /** Merges the partial results, which come in row-major order of their tiles, whatever the traversal. */
  readonly merge: (partials: AsyncIterable<TileResult<D>>, array: ReducedArray) => R | Promise<R>;
}

/** What operations of users have in common: they see whole arrays, and their options say the halo and the arrays. */
export const OF_USERS = {
  kernels: [],
  usualRadius: 0,
  whole: true,
  uneven: true,
  radius: ({ radius }: { readonly radius?: Radius }): Radius | undefined => radius,
  arrays: ({ inputs }: { readonly inputs?: readonly string[] }): readonly string[] | undefined => inputs,
} as const;
