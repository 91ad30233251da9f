/**
 * Sources and sinks: the functions that provide the inputs of a tile and take its outputs; and providers, which are
 * named groups of them with a life cycle.
 *
 * @module
 */

import type { OptionNames, OptionRule } from "../../options.ts";
import { callable, each, either, must, needed, text } from "../../options/rules.ts";
import { type DType, type TypedArray, typedArray } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import type { ArraySchema } from "../cube/cube.ts";
import type { DimensionChange } from "../cube/dimension.ts";
import type { InitContext, ProviderContext, SinkContext, StartContext, StopContext } from "./context.ts";
import { isWorkerSource, type WorkerSource } from "./worker_source.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

export type { ProviderContext, SinkContext } from "./context.ts";

/**
 * Provides an array of exactly `context.shape` samples of its dtype (complex samples as pairs), dense, row-major.
 * @category Hypercubes
 */
export type Source = (context: ProviderContext) => TypedArray | NDArray | Promise<TypedArray | NDArray>;

/**
 * Takes an output of a tile. Sinks are called for one tile after another: in the order of the tiles, unless the run has
 * the option `ordered: false`.
 * @category Hypercubes
 */
export type Sink = (context: SinkContext) => void | Promise<void>;

/**
 * Sources by the names of inputs.
 * @category Hypercubes
 */
export type Sources = Readonly<Record<string, Source | WorkerSource>>;

/**
 * Sinks by the names of outputs; an output may have several.
 * @category Hypercubes
 */
export type Sinks = Readonly<Record<string, Sink | readonly Sink[]>>;

/**
 * A named group of sources and sinks. Its sources are used for the inputs that the cube has, the others are ignored;
 * sources of later providers replace those of earlier ones. All handlers are optional, and may be asynchronous.
 *
 * `init` and `start` are called in the order of the providers, `stop` and `close` in the opposite order. `stop` is
 * called after every `start`, and `close` after every `init`, also if these or the run have failed. The first error
 * counts: a later one in `stop` or `close` does not replace it.
 * @category Hypercubes
 */
export interface Provider {
  /** Its name in messages. */
  readonly name: string;
  /** Its sources; they are looked up after `init`. */
  readonly sources?: Sources;
  /** Its sinks; they are looked up after `init`. */
  readonly sinks?: Sinks;
  /** Called first, before the tiles are planned. */
  init?(context: InitContext): void | Promise<void>;
  /** Sizes of dimensions, or other changes, that it knows of. Two providers must not disagree. */
  dimensions?(context: InitContext): DimensionUpdates | Promise<DimensionUpdates>;
  /** Schemas of arrays that it adds or replaces. Two providers must not disagree. */
  arrays?(context: InitContext): readonly ArraySchema[] | Promise<readonly ArraySchema[]>;
  /**
   * Bytes that it needs outside of the arrays of the run, such as buffers to read and decode. They count in the budget of the
   * context: tiles are planned so that there is room for them, and the run reserves them. Called for every plan that is tried.
   */
  memory?(context: StartContext): number | Promise<number>;
  /** Called when the tiles are planned, before the first source. */
  start?(context: StartContext): void | Promise<void>;
  /**
   * Tiles, from the first on, that its sinks have kept of an earlier run and that need not be computed again; called after
   * `start`. A run begins with the first tile that a sink lacks, and with the first of all if a provider of sinks does not say.
   */
  completed?(context: StartContext): number | Promise<number>;
  /** Called after the last sink, or when the run has failed. */
  stop?(context: StopContext): void | Promise<void>;
  /** Called last. */
  close?(context: InitContext): void | Promise<void>;
}

/**
 * Changes of dimensions by name: new sizes, or what {@link DimensionChange} has.
 * @category Hypercubes
 */
export type DimensionUpdates = Readonly<Record<string, number | DimensionChange>>;

const source = either(
  "a function, or a source as workerSource() makes it",
  callable,
  must<WorkerSource>("", isWorkerSource),
);

const sink = either(
  "a function, or a list of functions",
  callable,
  must<readonly Sink[]>(
    "",
    (value) => Array.isArray(value) && value.every((one) => typeof one === "function"),
  ),
);

const SOURCES = each("an object of functions by the names of inputs", source);
const SINKS = each("an object of functions by the names of outputs", sink);

/** The rules of providers. */
// deno-fmt-ignore: written by `deno task build`
export const PROVIDER_NAMES: OptionNames<Provider> = {
  name: needed(text), sources: SOURCES, sinks: SINKS, init: callable, dimensions: callable, arrays: callable,
  memory: callable, start: callable, completed: callable, stop: callable, close: callable,
};

/** Rule for sources: an object of them, or a list of such objects and of providers. */
export const sourcesRule: OptionRule<Sources | readonly (Sources | Provider)[]> = recordOrList(SOURCES);

/** Rule for sinks: an object of them, or a list of such objects and of providers. */
export const sinksRule: OptionRule<Sinks | readonly (Sinks | Provider)[]> = recordOrList(SINKS);

function recordOrList<T>(record: OptionRule<T>): OptionRule<T | readonly (T | Provider)[]> {
  return (call, option, value) => {
    if (!Array.isArray(value)) return record(call, option, value);
    value.forEach((one, i) => {
      if (!isProvider(one)) record(call, `${option}[${i}]`, one);
    });
  };
}

/** Whether a value is a provider, and no plain object of sources or sinks. */
export function isProvider(value: unknown): value is Provider {
  return typeof (value as Partial<Provider> | null)?.name === "string";
}

/** The place of an array of a tile; plain data for the worker. */
export interface CubeArray {
  /** Address of the first sample. */
  readonly pointer: number;
  /** Sizes in this tile. */
  readonly shape: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
}

/** The samples of an array in memory. */
export function viewOf(memory: WebAssembly.Memory, { pointer, shape, dtype }: CubeArray): NDArray {
  return ndarray(typedArray(dtype, memory.buffer, pointer, sizeOf(shape)), shape, dtype);
}
