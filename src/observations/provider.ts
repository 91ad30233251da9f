/**
 * Observations as providers of the inputs of hypercubes.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Hypercube } from "../hypercube/cube/cube.ts";
import { globalShape, largestShape } from "../hypercube/providers/arrays.ts";
import type { StartContext } from "../hypercube/providers/context.ts";
import type { Provider, Source } from "../hypercube/providers/provider.ts";
import { inputsOf, type ObservedInput } from "./inputs.ts";
import type { Observation } from "./observation.ts";
import { pairsOf } from "./pairs.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { list, text, truth } from "../options/rules.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { showShape, sizeOf } from "../space/shape.ts";

/**
 * Options of {@link fromObservation}.
 * @category Observations
 */
export interface FromObservationOptions {
  /**
   * The correlations of `observed_vis`, `flag` and `weight`, in this order: some of those of the observation. Default: all,
   * as they are stored.
   */
  readonly correlations?: readonly string[];
  /** Whether dimensions of the cube get the sizes of the observation. Default true. With false its first rows are used. */
  readonly dimensions?: boolean;
  /** The name of the provider in messages. Default: the source of the observation. */
  readonly name?: string;
}

const OPTIONS: OptionNames<FromObservationOptions> = { correlations: list, dimensions: truth, name: text };

/**
 * A provider of what was observed, for any kernel over rows and channels. It has a source for each of these inputs, which a
 * cube takes by their names:
 *
 * | input                               | axes               | is                                              |
 * | ----------------------------------- | ------------------ | ----------------------------------------------- |
 * | `uvw`                               | nrow, 3            | baselines in m, with `observation.uvwSign`      |
 * | `antenna1`, `antenna2`, `time_index`| nrow               | numbers of antennas and of the time             |
 * | `interval`                          | nrow               | seconds                                         |
 * | `time`                              | ntime              | seconds of UTC, MJD · 86400                     |
 * | `frequency`, `channel_width`        | nchan              | Hz                                              |
 * | `antenna_position`                  | na, 3              | m from the centre of the Earth                  |
 * | `feed_angles`                       | na                 | position angle of the receptor X or R in radians; unknown: 0 |
 * | `feed_skews`                        | na                 | by how much Y is not perpendicular to X, or L turned from R |
 * | `phase_centre`                      | 2                  | right ascension and declination in radians      |
 * | `observed_vis`                      | nrow, nchan, ncorr | visibilities                                    |
 * | `flag`                              | nrow, nchan, ncorr | 1 where flagged; 0 if nothing has flags         |
 * | `weight`                            | nrow, nchan, ncorr | weights; 1 if there are none                    |
 *
 * Rows are read tile by tile, on the calling thread; the memory for that counts in the budget. Samples are converted to the type of the input. The dimensions `nrow`, `nchan`, `ncorr`,
 * `ntime` and `na`, as far as the cube has them, get the sizes of the observation; `nbl` that of its pairs of antennas. The
 * observation must stay open until the run has ended.
 *
 * Errors: `invalid` for correlations that it does not have, and, in a run, for inputs with other axes or types.
 *
 * @example The power of each row
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { cubeFunction, hypercube, toMemory } from "@tilewise/tilewise/hypercube";
 * import { openObservation } from "@tilewise/tilewise/observations";
 * import { fromObservation } from "@tilewise/tilewise/unstable/observations";
 * import { assertEquals } from "@std/assert";
 * await using observation = await openObservation({ // or "3c286.ms"
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9, 1.5e9],
 *   correlations: ["XX"],
 *   phaseCentre: [0.1, -0.5],
 *   time: [5e9, 5e9 + 10],
 *   antenna1: [0, 0],
 *   antenna2: [1, 1],
 *   uvw: [3, 4, 0, 4, 3, 0],
 *   visibility: Float32Array.of(1, 0, 0, 1, 2, 2, 0, 1),
 * });
 * const cube = hypercube({
 *   dimensions: { nrow: 1, nchan: 1, ncorr: 1 }, // the observation says how many
 *   arrays: [
 *     { name: "observed_vis", shape: ["nrow", "nchan", "ncorr"], dtype: "complex128" },
 *     { name: "power", shape: ["nrow"], dtype: "float64", role: "output" },
 *   ],
 * });
 * const kernel = cubeFunction(({ arrays: { observed_vis, power } }) => {
 *   const each = observed_vis.data.length / power.data.length;
 *   power.data.fill(0);
 *   for (const [i, value] of observed_vis.data.entries()) power.data[Math.floor(i / each)]! += value * value;
 * }, { arrays: { observed_vis: "complex128", power: "float64" } });
 * await using context = createContext({ workers: 0 });
 * const result = toMemory("power");
 * const sources = [fromObservation(observation)];
 * await run(cube, { kernel, sources, sinks: [result], plan: { context, tile: ["nrow"] } });
 * assertEquals([...result.array("power", "float64").data], [2, 9]);
 * ```
 * @category Observations
 */
export function fromObservation(
  observation: Observation,
  options: FromObservationOptions = {},
): Provider {
  checkOptionNames("fromObservation()", options, OPTIONS);
  const { dimensions = true, name = observation.source } = options;
  const inputs = inputsOf(observation, placesOf(observation, options.correlations));
  return {
    name,
    sources: Object.fromEntries(
      Object.entries(inputs).map(([input, found]) => [input, checked(found, name)]),
    ),
    memory: (context) => observation.memory + copiesOf(context, Object.keys(inputs)),
    dimensions: async ({ cube }) => dimensions ? await sizesFor(observation, options, cube) : {},
  };
}

/** Copies of a sample that sources have at a time: as it was read, the part that is wanted, and as the input needs it. */
const COPIES = 3;

/** Bytes of the samples of a tile while they are read. Inputs of one tile are read at the same time, tiles one after another. */
function copiesOf(context: StartContext, inputs: readonly string[]): number {
  const { cube } = context;
  const bytes = inputs.map((name) => {
    const schema = cube.arrays.get(name);
    if (!schema || (schema.role ?? "input") !== "input") return 0;
    return sizeOf(largestShape(context, name)) * dtypeInfo(schema.dtype).itemSize;
  });
  return COPIES * bytes.reduce((sum, n) => sum + n, 0);
}

/** Where each of the wanted correlations is among those that are stored. */
function placesOf({ correlations, source }: Observation, wanted: readonly string[] = correlations): number[] {
  const places = wanted.map((name) => correlations.indexOf(name));
  const missing = places.indexOf(-1);
  if (missing < 0) return places;
  const text = `${source} has no correlation ${wanted[missing]}; it has ${correlations.join(", ")}`;
  throw new TilewiseError("invalid", text, {
    option: "correlations",
    found: wanted[missing]!,
    expected: correlations.join(),
  });
}

/** The sizes of the dimensions that the cube has, as far as they do not follow from others. */
async function sizesFor(
  observation: Observation,
  { correlations }: FromObservationOptions,
  cube: Hypercube,
): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {
    nrow: observation.rows,
    nchan: observation.frequencies.length,
    ncorr: correlations?.length ?? observation.correlations.length,
    ntime: observation.times.length,
    na: observation.antennas.length,
  };
  if (isFree(cube, "nbl")) sizes["nbl"] = (await pairsOf(observation)).size;
  return Object.fromEntries(Object.entries(sizes).filter(([name]) => isFree(cube, name)));
}

/** Whether the cube has a dimension, which does not follow from others. */
function isFree(cube: Hypercube, name: string): boolean {
  return cube.dimensions.has(name) && !cube.derivations.has(name);
}

/** The source of an input, which must have the axes in the cube that it has here, and no more along them. */
function checked({ axes, sizes, hint = "", source }: ObservedInput, provider: string): Source {
  return (context) => {
    const { name, schema, cube } = context;
    const isSame = schema.shape.length === axes.length &&
      schema.shape.every((axis, d) => axis === axes[d] || axis === sizes[d]);
    const shape = globalShape(cube, name);
    if (isSame && shape.every((size, d) => size <= sizes[d]!)) return source(context);
    const found = isSame ? showShape(shape) : schema.shape.join(", ") || "none";
    const expected = isSame ? showShape(sizes) : axes.join(", ");
    const text = isSame
      ? `${provider} has ${expected} samples of ${name}; the cube asks for ${found}`
      : `${provider} provides ${name} with the axes ${expected}; in the cube they are ${found}${hint}`;
    throw new TilewiseError("invalid", text, { array: name, provider, expected, found });
  };
}
