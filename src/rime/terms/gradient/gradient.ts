/**
 * The gradient of χ² by the parameters of sources.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { hypercube } from "../../../hypercube/cube/cube.ts";
import { planTiles, runCube } from "../../../hypercube/run/run_cube.ts";
import type { Source } from "../../../hypercube/providers/provider.ts";
import { BRIGHTNESS, type Brightness } from "../../../observations/meaning/correlations.ts";
import { checkOptionNames, defined, type OptionNames } from "../../../options.ts";
import { inner, oneOf } from "../../../options/rules.ts";
import { type Context, insideOf } from "../../../runner/context.ts";
import { context as contextRule } from "../../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../../runner/runner.ts";
import type { TileProgress } from "../../../runner/progress.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import type { PhaseConvention } from "../../geometry/constants.ts";
import type { Feed } from "../term.ts";
import { checkTravel, prepareTerms } from "../terms.ts";
import { gradientKernel } from "./kernel.ts";
import {
  gradientArrays,
  type GradientInput,
  type GradientSettings,
  hasAntennas,
  RESULTS,
  type SkyGradient,
} from "./problem.ts";

/**
 * How a gradient is computed, and where.
 * @category Measurement equation
 */
export interface ChiSquaredOptions extends RunSettings<TileProgress> {
  /** The feeds: correlations are XX, XY, YX, YY or RR, RL, LR, LL. Default `linear`. */
  readonly feed?: Feed;
  /** The sign of the phase. Default `fourier`. */
  readonly convention?: PhaseConvention;
  /** How Stokes parameters become correlations of feeds. Default: as in Measurement Sets. */
  readonly brightness?: Brightness;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ChiSquaredOptions> = {
  ...RUN_SETTINGS, feed: oneOf("linear", "circular"), convention: oneOf("fourier", "casa"),
  brightness: inner(BRIGHTNESS), context: contextRule,
};

/**
 * The derivatives of `χ² = Σ weight |observed − model|²` by the parameters of all sources: l and m, Stokes parameters,
 * coefficients of spectra, shapes. The residuals are those of the model for which they are computed, 0 where flagged, such as
 * `residual_vis` of a prediction.
 *
 * Terms count as they are: that a source which moves is seen in another part of the beam adds nothing to its derivatives by l
 * and m. Memory does not grow with the number of rows. The same bits for any number of workers; sums over rows are cut where
 * tiles end, so that another budget may give other last digits.
 *
 * Errors: `invalid` for arrays that do not fit together and directions outside of `l² + m² ≤ 1`; `over-budget`; `aborted`.
 *
 * @example The flux of a source at the phase centre is 3 Jy, the model says 2 Jy
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { chiSquaredGradient } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const gradient = await chiSquaredGradient({
 *   sky: { lm: Float64Array.of(0, 0), stokes: Float64Array.of(2, 0, 0, 0) },
 *   uvw: Float64Array.of(100, 0, 0),
 *   frequency: Float64Array.of(1e9),
 *   residual: Float64Array.of(1, 0, 0, 0, 0, 0, 1, 0), // XX, XY, YX, YY: observed less model
 * }, { context });
 * assertEquals([...gradient.stokes], [-4, 0, 0, 0]); // χ² = 2 (3 - I)²
 * ```
 * @category Measurement equation
 */
export async function chiSquaredGradient(
  input: GradientInput,
  options: ChiSquaredOptions = {},
): Promise<SkyGradient> {
  checkOptionNames("chiSquaredGradient()", options, OPTIONS);
  const { feed = "linear", convention = "fourier", brightness = {}, context, ...rest } = options;
  checkTravel("chiSquaredGradient()", input.terms ?? [], (context ?? insideOf(undefined)).workers);
  const sizes = sizesOf(input);
  const settings: GradientSettings = {
    feed,
    convention,
    brightness,
    stokesByChannel: sizes.stokesByChannel,
    spectrum: input.sky.spectrum?.kind ?? "none",
    weights: input.weight !== undefined,
    gains: input.gains !== undefined,
    terms: await prepareTerms(input.terms ?? [], feed, brightness),
  };
  const arrays = gradientArrays(settings);
  const used = new Set(arrays.flatMap(({ shape }) => shape));
  const dimensions = Object.fromEntries(
    Object.entries({ ...input.termDimensions, ...sizes.dimensions }).filter(([name]) => used.has(name)),
  );
  const cube = hypercube({ dimensions, arrays });
  const plan = planTiles(cube, { ...defined({ context }), tile: ["nrow"] });
  const found = emptyLike(cube);
  const add =
    (name: keyof SkyGradient) => ({ data: { data } }: { readonly data: { readonly data: TypedArray } }) => {
      found[name].forEach((value, i) => found[name][i] = value + Number(data[i]));
    };
  await runCube("chiSquaredGradient()", plan, {
    ...rest,
    kernel: gradientKernel(settings),
    sources: sourcesOf(input, settings, cube.arrays.keys()),
    sinks: Object.fromEntries(
      Object.entries(RESULTS).map(([name, array]) => [array, add(name as keyof SkyGradient)]),
    ),
  });
  return found;
}

/** Zeros for all results. */
function emptyLike(cube: ReturnType<typeof hypercube>): SkyGradient {
  const zeros = (name: string) => new Float64Array(cube.arrayShape(name).reduce((a, b) => a * b, 1));
  return {
    lm: zeros(RESULTS.lm),
    stokes: zeros(RESULTS.stokes),
    spectralTerms: zeros(RESULTS.spectralTerms),
    gaussianShape: zeros(RESULTS.gaussianShape),
    sersicShape: zeros(RESULTS.sersicShape),
  };
}

/** Sizes that follow from the lengths of arrays. */
interface Sizes {
  readonly stokesByChannel: boolean;
  readonly dimensions: Readonly<Record<string, number>>;
}

function sizesOf(input: GradientInput): Sizes {
  const { sky, uvw, antenna1, antenna2, timeIndex, frequency, residual, weight, gains } = input;
  const [nsrc, nchan] = [whole("sky.lm", sky.lm.length, 2), frequency.length];
  const na = antenna1 ? input.antennas ?? antennasOf(antenna1, antenna2 ?? []) : 1;
  const ntime = antenna1 ? whole("uvw", uvw.length, 3 * na) : 1;
  const nrow = antenna1 ? timeIndex ? antenna1.length : antenna1.length * ntime : whole("uvw", uvw.length, 3);
  const nterm = sky.spectrum && nsrc > 0 ? whole("sky.spectrum.terms", sky.spectrum.terms.length, nsrc) : 0;
  const ngsrc = whole("sky.gaussianShape", sky.gaussianShape?.length ?? 0, 3);
  const nssrc = whole("sky.sersicShape", sky.sersicShape?.length ?? 0, 3);
  const stokesByChannel = sky.stokes.length !== 4 * nsrc;
  mustHave("sky.stokes", sky.stokes.length, 4 * nsrc * (stokesByChannel ? nchan : 1));
  mustHave("residual", residual.length, 8 * nrow * nchan);
  if (weight) mustHave("weight", weight.length, 4 * nrow * nchan);
  if (gains) mustHave("gains", gains.length, 8 * ntime * na * nchan);
  if (antenna1) mustHave("antenna2", antenna2?.length ?? 0, antenna1.length);
  if (timeIndex && antenna1) mustHave("timeIndex", timeIndex.length, nrow);
  if (sky.spectrum) mustHave("sky.spectrum.referenceFrequency", sky.spectrum.referenceFrequency.length, nsrc);
  if (ngsrc + nssrc > nsrc) mustHave("sky.gaussianShape and sky.sersicShape", ngsrc + nssrc, nsrc);
  if ((gains || input.terms?.length) && !antenna1) {
    throw new TilewiseError("invalid", "chiSquaredGradient(): gains and terms need antenna1 and antenna2", {
      option: "antenna1",
    });
  }
  checkIndices("antenna1", antenna1, na);
  checkIndices("antenna2", antenna2, na);
  checkIndices("timeIndex", timeIndex, ntime);
  return { stokesByChannel, dimensions: { nsrc, nchan, nrow, na, ntime, nterm, ngsrc, nssrc } };
}

function whole(option: string, length: number, unit: number): number {
  if (length % unit === 0) return length / unit;
  const text = `chiSquaredGradient(): ${option} has ${length} numbers, which is not a multiple of ${unit}`;
  throw new TilewiseError("invalid", text, { option, found: length, expected: unit });
}

function mustHave(option: string, found: number, expected: number): void {
  if (found === expected) return;
  const text = `chiSquaredGradient(): ${option} has ${found} numbers; it must have ${expected}`;
  throw new TilewiseError("invalid", text, { option, found, expected });
}

function checkIndices(option: string, values: Int32Array | undefined, limit: number): void {
  const wrong = values?.findIndex((value) => value < 0 || value >= limit) ?? -1;
  if (wrong < 0) return;
  const text = `chiSquaredGradient(): ${option}[${wrong}] is ${values![wrong]}; it must be from 0 to ${
    limit - 1
  }`;
  throw new TilewiseError("invalid", text, { option, index: wrong, found: values![wrong]! });
}

/** Sources of all inputs: those with rows give the rows of the tile. */
function sourcesOf(
  input: GradientInput,
  settings: GradientSettings,
  names: Iterable<string>,
): Record<string, Source> {
  const { sky, frequency, residual, weight, gains, termInputs = {} } = input;
  const rows = rowsOf(input);
  const count = 8 * frequency.length;
  const part = (values: TypedArray, unit: number): Source => ({ extents: [axis] }) =>
    values.subarray(unit * axis![0], unit * axis![1]) as TypedArray;
  const empty = new Float64Array(0);
  const all: Record<string, Source | undefined> = {
    ...Object.fromEntries(Object.entries(termInputs).map(([name, values]) => [name, () => values])),
    lm: () => sky.lm,
    stokes: () => sky.stokes,
    frequency: () => frequency,
    uvw: part(rows.uvw, 3),
    residual_vis: part(residual, count),
    gaussian_shape: () => sky.gaussianShape ?? empty,
    sersic_shape: () => sky.sersicShape ?? empty,
    weight: weight && part(weight, count / 2),
    reference_frequency: sky.spectrum && (() => sky.spectrum!.referenceFrequency),
    spectral_terms: sky.spectrum && (() => sky.spectrum!.terms),
    direction_independent_effects: gains && (() => gains),
    ...(hasAntennas(settings)
      ? {
        antenna1: part(rows.antenna1, 1),
        antenna2: part(rows.antenna2, 1),
        time_index: part(rows.times, 1),
      }
      : {}),
  };
  const wanted = new Set(names);
  return Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, Source] =>
      pair[1] !== undefined && wanted.has(pair[0])
    ),
  );
}

/** How many antennas there are, of which rows name the numbers. */
function antennasOf(...numbers: readonly ArrayLike<number>[]): number {
  let most = -1;
  for (const some of numbers) for (let row = 0; row < some.length; row++) most = Math.max(most, some[row]!);
  return most + 1;
}

/** All rows, each with its antennas, its time, and the position of the first antenna minus that of the second. */
function rowsOf({ uvw, antenna1, antenna2, timeIndex, antennas }: GradientInput) {
  if (!antenna1 || !antenna2) {
    const none = new Int32Array(0);
    return { uvw, antenna1: none, antenna2: none, times: none };
  }
  const na = antennas ?? antennasOf(antenna1, antenna2);
  const nbl = antenna1.length, nrow = timeIndex ? nbl : nbl * (uvw.length / 3 / na);
  const list = (of: (row: number) => number) => Int32Array.from({ length: nrow }, (_, row) => of(row));
  const first = list((row) => antenna1[row % nbl]!), second = list((row) => antenna2[row % nbl]!);
  const times = timeIndex ?? list((row) => Math.floor(row / nbl));
  const across = Float64Array.from({ length: 3 * nrow }, (_, i) => {
    const [row, k] = [Math.floor(i / 3), i % 3];
    const at = (list: Int32Array) => uvw[3 * (times[row]! * na + list[row]!) + k]!;
    return at(first) - at(second);
  });
  return { uvw: across, antenna1: first, antenna2: second, times };
}
