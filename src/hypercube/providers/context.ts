/**
 * What sources, sinks and the handlers of the life cycle are told: the array, the tile, the cube, the run.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Shape } from "../../space/shape.ts";
import type { ArraySchema, Extent, Hypercube } from "../cube/cube.ts";
import type { Stride } from "../cube/iterate.ts";
import { type HelpOptions, helpText } from "./help.ts";

/**
 * The facts about array and tile that a source or sink gets.
 * @category Hypercubes
 */
export interface ProviderContext {
  /** The name of the array. */
  readonly name: string;
  /** Its schema, with abstract shape, description and units. */
  readonly schema: ArraySchema;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Its sizes in this tile. */
  readonly shape: Shape;
  /** Its ranges in the whole problem, axis by axis. */
  readonly extents: readonly Extent[];
  /** The cube with its window on this tile. */
  readonly cube: Hypercube;
  /** The number of the tile, from 0; -1 for inputs that are requested once. */
  readonly tile: number;
  /** The tiled dimensions, the slowest first, and the extent of a full tile along each. */
  readonly strides: readonly Stride[];
  /** The name of the provider that was chosen for the array. */
  readonly provider: string;
  /** The value of the option `config` of the run. */
  readonly config: unknown;
  /** Fires when the run is cancelled or has failed. */
  readonly signal: AbortSignal;
  /** What the array is, and what is asked for, as text. */
  help(options?: HelpOptions): string;
}

/**
 * The argument of a sink.
 * @category Hypercubes
 */
export interface SinkContext extends ProviderContext {
  /** The samples of this tile. The memory is reused after the sink has returned: `data.slice()` keeps them. */
  readonly data: NDArray;
  /** An input from which this tile was computed; its memory is reused as well. */
  input(name: string): NDArray;
}

/**
 * What a provider is told when a run begins, before its tiles are planned.
 * @category Hypercubes
 */
export interface InitContext {
  /** The cube, before updates. */
  readonly cube: Hypercube;
  /** The value of the option `config` of the run. */
  readonly config: unknown;
  /** Fires when the run is cancelled or has failed. */
  readonly signal: AbortSignal;
}

/**
 * What a provider is told when the tiles are planned.
 * @category Hypercubes
 */
export interface StartContext extends InitContext {
  /** The cube, after updates. */
  readonly cube: Hypercube;
  /** The tiled dimensions, the slowest first, and the extent of a full tile along each. */
  readonly strides: readonly Stride[];
  /** Number of tiles. */
  readonly tiles: number;
}

/**
 * What a provider is told when the tiles are done, or the run has failed.
 * @category Hypercubes
 */
export interface StopContext extends StartContext {
  /** Why the run has failed; absent: it has not. */
  readonly error?: unknown;
}

/** The facts of a run that all contexts of its arrays have. */
export interface RunFacts extends Pick<ProviderContext, "strides" | "config" | "signal"> {
  /** The name of the provider of each array. */
  readonly suppliers: ReadonlyMap<string, string>;
}

/** The context of an array for a tile. */
export function contextOf(cube: Hypercube, name: string, tile: number, run: RunFacts): ProviderContext {
  const schema = cube.array(name);
  const { strides, config, signal, suppliers } = run;
  const context = {
    name,
    schema,
    dtype: schema.dtype,
    shape: cube.arrayShape(name),
    extents: cube.arrayExtents(name),
    cube,
    tile,
    strides,
    provider: suppliers.get(name) ?? "nobody",
    config,
    signal,
  };
  return { ...context, help: (options) => helpText(context, options) };
}
