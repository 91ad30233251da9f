/**
 * The seam of operations over views: what an operation says of itself, and what it does with one tile.
 *
 * An operation is an {@link OperationEntry} in a file of this folder and a line in `registry.ts`. Plans ask it what it needs;
 * a worker finds it by its name, starts it once, and gives it one view after another.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import type { Box } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";

/**
 * Samples of halo on both sides of a tile: one number for all dimensions, or one per dimension.
 * @category Views
 */
export type Radius = number | Shape;

/**
 * An operation with its parameters, as `boxMean({ radius: 2 })` makes it: plain data, unless it is a function itself.
 * @category Views
 */
export interface ViewOperation<D extends DType = DType> {
  /** What messages call it. */
  readonly name: string;
  /** Its entry in the table of operations. */
  readonly operation: string;
  /** The parameters of that entry. */
  readonly params: object;
  /** URLs of modules of the user that it imports where it runs. */
  readonly modules?: readonly string[];
  /** Whether it holds a function that cannot travel: it runs on the calling thread. */
  readonly here?: boolean;
  /** The dtype of its result, for the compiler alone: it is never set. */
  readonly resultType?: D;
}

/**
 * What is known of a use of an operation before any view is loaded.
 * @category Views
 */
export interface OperationFacts<P extends object> {
  /** Its parameters. */
  readonly params: P;
  /** Type of the samples of views. */
  readonly dtype: DType;
  /** Type of the samples of the result. */
  readonly result: DType;
  /** Samples around a tile that it looks at, per dimension. */
  readonly radius: Shape;
  /** Samples of a full tile, per dimension. */
  readonly tile: Shape;
}

/** What an operation starts with on a worker. */
export interface OperationSetting<P extends object, S extends string> extends OperationFacts<P> {
  /** What messages call it. */
  readonly name: string;
  /** The kernels; views, results and scratch lie in their memory. */
  readonly kernels: Kernels;
  /** Addresses of the memory that it asked for. */
  readonly scratch: Readonly<Record<S, number>>;
}

/** Samples in the memory of the kernels. */
export interface PlacedSamples {
  /** Address of the first sample. */
  readonly pointer: number;
  /** Samples per dimension. */
  readonly shape: Shape;
  /** Bytes from a sample to the next, per dimension; along the last one samples have no gaps. */
  readonly strides: Shape;
}

/**
 * Computes one tile. `view` has the samples of the tile, clipped to the array, and `radius` samples of halo on both sides;
 * `out`, of the shape of the clipped tile, gets the result; `tile` says where in the array it is.
 */
export type TileWork = (view: PlacedSamples, out: PlacedSamples, tile: Box) => void | Promise<void>;

/** An operation: what it needs, and how it is started. `P`: its parameters; `S`: names of its scratch memory. */
export interface OperationEntry<P extends object = object, S extends string = string> {
  /** Its name in the table of operations. */
  readonly name: string;
  /** A rule for each of its parameters. */
  readonly params: OptionNames<P>;
  /** Families of kernels that it calls: it takes the sample types that there are kernels for in all of them. */
  readonly kernels: readonly KernelFamily[];
  /** The radius that it uses where nobody says one. */
  readonly usualRadius: number;
  /** Samples of halo that it needs. Nothing: it uses as many as views have. */
  radius(params: P): Radius | undefined;
  /** Type of the result, from that of the samples. */
  result(dtype: DType, params: P): DType;
  /** Refuses what it cannot do, when a run is planned. */
  check?(facts: OperationFacts<P>): void | Promise<void>;
  /** Bytes of memory that it needs beside view and result, by name. */
  scratch(facts: OperationFacts<P>): Readonly<Record<S, number>>;
  /** Makes what computes tiles; called once per worker. */
  start(setting: OperationSetting<P, S>): TileWork | Promise<TileWork>;
}

/** The use of `entry` with `params`, which are checked. */
export function operationOf<D extends DType, P extends object>(
  { name, params: names }: Pick<OperationEntry<P>, "name" | "params">,
  params: P,
): ViewOperation<D> {
  checkOptionNames(`${name}()`, params, names);
  return { name, operation: name, params };
}

/** Whether a value is an operation with its parameters. */
export function isOperation(value: unknown): value is ViewOperation {
  const { name, operation, params } = (value ?? {}) as Partial<ViewOperation>;
  return typeof name === "string" && typeof operation === "string" && typeof params === "object";
}
