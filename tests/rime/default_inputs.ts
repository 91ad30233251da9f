/**
 * Defaults for missing inputs of the measurement equation: a source of 1 Jy in the phase centre, antennas that do nothing.
 *
 * @module
 */

import { TilewiseError } from "../../src/errors.ts";
import type { Provider, ProviderContext, Source } from "../../src/hypercube/providers/provider.ts";
import { dtypeInfo, type TypedArray, typedArray } from "../../src/space/dtype.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { baselinePairs, type Baselines } from "../../src/rime/geometry/antennas.ts";

/** Sample `at` of the box of a tile, in row-major order; of complex arrays, the number `at` of their pairs. */
type Pattern = (at: number, context: ProviderContext) => number;

const all = (value: number): Pattern => () => value;
/** The same numbers over and over, along the last axes. */
const repeated = (...values: readonly number[]): Pattern => (at) => values[at % values.length]!;
/** A matrix for four correlations, a factor of its own for each of fewer. */
const identity: Pattern = (at, { shape }) => {
  const values = shape.at(-1) === 4 ? [1, 0, 0, 0, 0, 0, 1, 0] : [1, 0];
  return values[at % values.length]!;
};
/** A number for each of the first axis. */
const rows = (...values: readonly number[]): Pattern => (at, { shape, extents }) =>
  values[extents[0]![0] + Math.floor(at / sizeOf(shape.slice(1)))]!;
/** Evenly from the first to the last sample of the whole axis, wherever a tile begins. */
const range = (first: number, last: number): Pattern => (at, { schema, extents, cube }) => {
  const [axis] = schema.shape;
  const size = typeof axis === "number" ? axis : cube.dimension(axis!).size;
  return first + (last - first) * (extents[0]![0] + at) / Math.max(1, size - 1);
};

/** The row of the dense grid of baselines, times after times. */
const ofRow = (pick: (pairs: Baselines, baseline: number, time: number) => number): Pattern => {
  const known = new Map<string, Baselines>();
  return (at, context) => {
    const { schema, extents: [[first] = [0]], cube } = context;
    const sizes = [cube.dimension("na").size, cube.dimension(`${schema.shape[0]}`).size] as const;
    const pairs = known.get(sizes.join()) ?? pairsOf(context, ...sizes);
    known.set(sizes.join(), pairs);
    const count = pairs.antenna1.length;
    return pick(pairs, (first + at) % count, Math.floor((first + at) / count));
  };
};

const PATTERNS: Readonly<Record<string, Pattern>> = {
  antenna_position: all(0),
  time: range(0, 100),
  phase_centre: all(0),
  lm: all(0),
  stokes: repeated(1, 0, 0, 0),
  gaussian_shape: rows(0, 0, 1),
  sersic_shape: rows(0, 0, 1),
  reference_frequency: all(1e9),
  spectral_terms: all(0),
  uvw: all(0),
  antenna1: ofRow(({ antenna1 }, baseline) => antenna1[baseline]!),
  antenna2: ofRow(({ antenna2 }, baseline) => antenna2[baseline]!),
  time_index: ofRow((_, _baseline, time) => time),
  frequency: range(1e9, 2e9),
  channel_width: all(0),
  interval: all(0),
  parallactic_angles: all(0),
  feed_angles: all(0),
  feed_skews: all(0),
  pointing_errors: all(0),
  antenna_scaling: all(1),
  beam_extents: repeated(-1, -1, 1e9, 1, 1, 2e9),
  beam_freq_map: range(1e9, 2e9),
  ebeam: identity,
  jones: identity,
  direction: all(0),
  direction_jones: identity,
  direction_independent_effects: identity,
  base_vis: all(0),
  flag: all(0),
  weight: all(1),
  observed_vis: all(0),
};

/**
 * A provider of all inputs of the measurement equation that have a neutral value: one source of 1 Jy in the phase centre; antennas
 * at one place; channels and times evenly from 1 to 2 GHz and from 0 to 100 s over the whole problem; all pairs of antennas, with
 * or without autocorrelations as the number of baselines says; beams, gains and Jones matrices that change nothing; no
 * flags, weights of 1. Name it first: sources of later providers replace its own.
 *
 * @example Only the sky is given
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { predictArrays, predictKernel } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const dimensions = { nsrc: 2, ntime: 1, na: 3, nbl: 3, nchan: 4 };
 * const cube = hypercube({ dimensions, arrays: predictArrays({ correlations: ["I"] }) });
 * await run(planTiles(cube, { context, tile: ["ntime"] }), {
 *   kernel: predictKernel({ correlations: ["I"] }),
 *   sources: [defaultInputs(), { stokes: () => Float64Array.of(2, 0, 0, 0, 3, 0, 0, 0) }],
 *   sinks: { model_vis: ({ data }) => assertEquals([data.data[0], data.data[1]], [5, 0]) },
 * });
 * ```
 * @category Measurement equation
 */
export function defaultInputs(): Provider {
  const sources = Object.entries(PATTERNS).map(([name, pattern]) => [name, sourceOf(pattern)] as const);
  return { name: "defaults", sources: Object.fromEntries(sources) };
}

function sourceOf(pattern: Pattern): Source {
  return (context): TypedArray => {
    const { dtype, shape } = context;
    const count = sizeOf(shape);
    const out = typedArray(dtype, new ArrayBuffer(count * dtypeInfo(dtype).itemSize), 0, count);
    for (let at = 0; at < out.length; at++) out[at] = pattern(at, context);
    return out;
  };
}

/** The pairs of the antennas, of which there must be one per baseline, or per row of a time. */
function pairsOf({ name, schema }: ProviderContext, antennas: number, count: number): Baselines {
  for (const autoCorrelations of [false, true]) {
    const pairs = baselinePairs(antennas, { autoCorrelations });
    const { length } = pairs.antenna1;
    if (length === count || schema.shape[0] === "nrow" && length > 0 && count % length === 0) return pairs;
  }
  const [least, most] = [antennas * (antennas - 1) / 2, antennas * (antennas + 1) / 2];
  const text =
    `There is no default for ${name}: ${antennas} antennas form ${least} baselines, or ${most} with ` +
    `autocorrelations; the cube has ${count}. Give ${name}, or another size of ${schema.shape[0]}`;
  throw new TilewiseError("invalid", text, { option: `${schema.shape[0]}`, found: count, expected: least });
}
