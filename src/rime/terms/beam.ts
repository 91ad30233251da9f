/**
 * The term E: the beam of antennas, a cube of Jones matrices over l, m and frequency.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import { kernel } from "../../kernels/registry.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { oneOf, truth } from "../../options/rules.ts";
import {
  ANGLES,
  arrayOf,
  eachAngle,
  FREQUENCY,
  type JonesTerm,
  numbersIn,
  realOf,
  type TermEntry,
  type TermTile,
} from "./term.ts";

/**
 * Options of {@link beam}.
 * @category Measurement equation
 */
export interface BeamOptions {
  /**
   * What channels outside of the frequencies of the cube see: the nearest slice (`clamp`), or that slice with l and m
   * multiplied by ν / ν of the slice (`scale`), so that the beam becomes wider below and narrower above. Default `clamp`.
   */
  readonly outside?: "clamp" | "scale";
  /** Whether the beam turns with the feeds, by parallactic angle + feed angle. Default true. */
  readonly rotate?: boolean;
  /** Whether there are `pointing_errors` (ntime, na, nchan, 2), which are added to l and m. Default false. */
  readonly pointingErrors?: boolean;
  /** Whether there is `antenna_scaling` (na, nchan, 2), with which l and m are multiplied. Default false. */
  readonly antennaScaling?: boolean;
}

// deno-fmt-ignore: written by `deno task build`
const BEAM_OPTIONS: OptionNames<BeamOptions> = {
  outside: oneOf("clamp", "scale"), rotate: truth, pointingErrors: truth, antennaScaling: truth,
};

/** The cube, and where its samples are. */
const CUBE: readonly ArraySchema[] = [
  {
    name: "beam_extents",
    shape: [6],
    dtype: "float64",
    role: "input",
    description: "of the cube: lowest l, m, frequency, then highest; frequencies are those of beam_freq_map",
  },
  {
    name: "beam_freq_map",
    shape: ["beam_nud"],
    dtype: "float64",
    role: "input",
    description: "frequencies of the slices of the cube, ascending",
    units: "Hz",
  },
  {
    name: "ebeam",
    shape: ["beam_lw", "beam_mh", "beam_nud", 4],
    dtype: "complex128",
    role: "input",
    description: "Jones matrices of the beam",
  },
  FREQUENCY,
];

const POINTING: ArraySchema = {
  name: "pointing_errors",
  shape: ["ntime", "na", "nchan", 2],
  dtype: "float64",
  role: "input",
  description: "offsets of l and m",
};

const SCALING: ArraySchema = {
  name: "antenna_scaling",
  shape: ["na", "nchan", 2],
  dtype: "float64",
  role: "input",
  description: "factors of l and m",
};

const WORK = {
  turns: "beam_turns",
  channels: "beam_channels",
  matrix: "beam_matrix",
} as const;

const TEMPORARY: readonly ArraySchema[] = [
  { name: WORK.turns, shape: ["ntime", "na", 2], dtype: "float64", role: "temporary" },
  { name: WORK.channels, shape: ["nchan", 2], dtype: "float64", role: "temporary" },
  { name: WORK.matrix, shape: [4], dtype: "complex128", role: "temporary" },
];

/**
 * The term E: a beam that is interpolated in a cube of Jones matrices, `ebeam` (beam_lw, beam_mh, beam_nud, 4), for each
 * source, time, antenna and channel.
 *
 * Pointing errors are added to l and m; both are rotated by ψ, `(l cos ψ − m sin ψ, l sin ψ + m cos ψ)`, multiplied by the
 * scaling of the antenna, and clamped to `beam_extents`. Interpolation is trilinear; slices need not be evenly spaced, and
 * one is enough. The phase is that of the mean of the matrices, the magnitude the mean of their magnitudes, for each
 * correlation by itself, so that a phase that changes from sample to sample does not dim the beam.
 *
 * @example
 * ```ts
 * import { beam } from "@tilewise/tilewise/unstable/rime";
 * import { assert } from "@std/assert";
 * const { arrays } = beam({ pointingErrors: true });
 * assert(arrays.some(({ name }) => name === "ebeam") && arrays.some(({ name }) => name === "pointing_errors"));
 * ```
 * @category Measurement equation
 */
export function beam(options: BeamOptions = {}): JonesTerm {
  checkOptionNames("beam()", options, BEAM_OPTIONS);
  const { outside = "clamp", rotate = true, pointingErrors = false, antennaScaling = false } = options;
  const arrays = [
    ...CUBE,
    ...(rotate ? ANGLES : []),
    ...(pointingErrors ? [POINTING] : []),
    ...(antennaScaling ? [SCALING] : []),
    ...TEMPORARY,
  ];
  return { name: "beam", term: "beam", arrays, params: { outside, rotate, pointingErrors, antennaScaling } };
}

/** See {@link beam}. */
export const BEAM: TermEntry<Required<BeamOptions>> = {
  start({ params, kernels, precision }) {
    const { memory } = kernels;
    const multiply = kernel(kernels, "beam_jones", realOf(precision));
    return (tile) => {
      const { times, antennas, channels } = tile;
      const grid = gridOf(memory, tile);
      const at = (wanted: boolean, name: string) => wanted ? arrayOf(tile, name).pointer : 0;
      const table = placeChannels(memory, tile, params.outside);
      const turns = params.rotate ? placeTurns(memory, tile) : 0;
      const [offsets, scaling] = [
        at(params.pointingErrors, POINTING.name),
        at(params.antennaScaling, SCALING.name),
      ];
      const [cube, work] = [arrayOf(tile, "ebeam").pointer, arrayOf(tile, WORK.matrix).pointer];
      const rows = times * antennas;
      return ({ jones, lm, sources }) => {
        const places = [jones, lm, offsets, turns, scaling, table, cube, work] as const;
        multiply(...places, sources, rows, antennas, channels, ...grid);
      };
    };
  },
};

/** Where the samples of the cube are: lowest l and steps per unit, the same of m, and its sizes. */
type Grid = readonly [
  l0: number,
  lStep: number,
  m0: number,
  mStep: number,
  width: number,
  height: number,
  slices: number,
];

function gridOf(memory: WebAssembly.Memory, tile: TermTile): Grid {
  const [l0, m0, , l1, m1] = numbersIn(memory, arrayOf(tile, "beam_extents"));
  const [width, height, slices] = arrayOf(tile, "ebeam").shape;
  if (!width || !height || !slices) {
    throw new TilewiseError(
      "invalid",
      `The beam has ${width} × ${height} × ${slices} samples; it needs one at least`,
    );
  }
  return [l0!, stepsPer("l", l0!, l1!, width), m0!, stepsPer("m", m0!, m1!, height), width, height, slices];
}

/** Samples per unit of l or m. One sample is seen from everywhere. */
function stepsPer(axis: string, low: number, high: number, count: number): number {
  if (Number.isFinite(low) && Number.isFinite(high) && low < high) return (count - 1) / (high - low);
  if (count === 1 && Number.isFinite(low)) return 0;
  const text =
    `beam_extents go from ${low} to ${high} in ${axis}; ${count} samples need a lower and a higher end`;
  throw new TilewiseError("invalid", text, { option: "beam_extents", found: `${low}, ${high}` });
}

/** Places the cosine and sine of the angles of all times and antennas; their address. */
function placeTurns(memory: WebAssembly.Memory, tile: TermTile): number {
  const place = arrayOf(tile, WORK.turns);
  const turns = numbersIn(memory, place);
  eachAngle(memory, tile, (angle, i) => {
    turns[2 * i] = Math.cos(angle);
    turns[2 * i + 1] = Math.sin(angle);
  });
  return place.pointer;
}

/** Places the position among the slices, and the scale of l and m, of each channel; their address. */
function placeChannels(memory: WebAssembly.Memory, tile: TermTile, outside: "clamp" | "scale"): number {
  const map = numbersIn(memory, checkedMap(memory, arrayOf(tile, "beam_freq_map")));
  const place = arrayOf(tile, WORK.channels);
  const entries = numbersIn(memory, place);
  numbersIn(memory, arrayOf(tile, FREQUENCY.name)).forEach((frequency, c) => {
    const inside = Math.max(map[0]!, Math.min(frequency, map.at(-1)!));
    entries[2 * c] = positionIn(map, inside);
    entries[2 * c + 1] = outside === "scale" ? frequency / inside : 1;
  });
  return place.pointer;
}

function checkedMap(memory: WebAssembly.Memory, array: CubeArray): CubeArray {
  const map = numbersIn(memory, array);
  const wrong = map.findIndex((frequency, i) =>
    !(frequency > (i === 0 ? 0 : map[i - 1]!) && frequency < Infinity)
  );
  if (wrong < 0) return array;
  const text = `beam_freq_map[${wrong}] is ${map[wrong]}` + (wrong > 0 ? ` after ${map[wrong - 1]}` : "") +
    "; frequencies of slices must ascend from above 0";
  throw new TilewiseError("invalid", text, { option: "beam_freq_map", index: wrong });
}

/** The position of a frequency among the slices: 1.25 is a quarter of the way from slice 1 to slice 2. */
function positionIn(map: Float64Array, frequency: number): number {
  let [low, high] = [0, map.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (map[middle]! <= frequency) low = middle;
    else high = middle;
  }
  return high === low ? low : low + (frequency - map[low]!) / (map[high]! - map[low]!);
}
