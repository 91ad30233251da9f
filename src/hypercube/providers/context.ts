/**
 * What sources, sinks and the handlers of the life cycle are told: the array, the tile, the cube, the run.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import type { ArraySchema, Extent, Hypercube } from "../cube/cube.ts";
import type { Stride } from "../cube/iterate.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { truth } from "../../options/rules.ts";

/**
 * Options of the help of a context.
 * @category Hypercubes
 */
export interface HelpOptions {
  /** Whether to add the tables of the whole cube. Default false. */
  readonly cube?: boolean;
}

const HELP_NAMES: OptionNames<HelpOptions> = { cube: truth };

/** What the text is made from. */
interface HelpFacts {
  /** The name of the array. */
  readonly name: string;
  /** Its schema. */
  readonly schema: ArraySchema;
  /** Its sizes in the tile. */
  readonly shape: Shape;
  /** Its ranges in the whole problem. */
  readonly extents: readonly Extent[];
  /** The cube with its window on the tile. */
  readonly cube: Hypercube;
  /** The tiled dimensions. */
  readonly strides: readonly Stride[];
  /** Who supplies it. */
  readonly provider: string;
}

/** The text. */
function helpText(facts: HelpFacts, options: HelpOptions = {}): string {
  checkOptionNames("help()", options, HELP_NAMES);
  return [
    summary(facts),
    ...sizes(facts),
    ...iteration(facts),
    `  supplied by: ${facts.provider}`,
    ...(options.cube ? [String(facts.cube)] : []),
  ].join("\n");
}

/** The array in one line. */
function summary({ name, schema, extents, cube }: HelpFacts): string {
  const axes = schema.shape.map((axis, d) => {
    const [lower, upper] = extents[d]!;
    if (typeof axis === "number") return `${axis}`;
    const { size, description } = cube.dimension(axis);
    return `${axis} ${lower} to ${upper} of ${size}${description && ` (${description})`}`;
  });
  const { description, units, dtype } = schema;
  const what = [description, units && `in ${units}`].filter((part) => part).join(", ");
  return `${name}: ${dtype} of [${axes.join("; ")}]${what && `: ${what}`}`;
}

function sizes({ schema, shape, extents, cube }: HelpFacts): string[] {
  const whole = schema.shape.map((axis) => typeof axis === "number" ? axis : cube.dimension(axis).size);
  return [
    `  abstract shape: ${schema.shape.join(" × ") || "scalar"}`,
    `  global shape: ${showShape(whole)}`,
    `  local shape: ${showShape(shape)}`,
    `  lower extents: ${extents.map(([lower]) => lower).join(", ") || "none"}`,
    `  upper extents: ${extents.map(([, upper]) => upper).join(", ") || "none"}`,
  ];
}

function iteration({ cube, strides }: HelpFacts): string[] {
  const steps = strides.map(([name, extent]) => `${name} of ${cube.dimension(name).size} by ${extent}`);
  return [`  iteration: ${steps.join(", ") || "one tile"}`];
}

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
