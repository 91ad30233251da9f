/**
 * From what is given to a cube, its kernel and its sources.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Hypercube, hypercube } from "../../hypercube/cube/cube.ts";
import type { Source } from "../../hypercube/providers/provider.ts";
import { checkOptionNames } from "../../options.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { CIRCULAR, LINEAR } from "../predict/correlations.ts";
import { type PredictSettings, settingsOf } from "../predict/options.ts";
import { evenChannels } from "../predict/predict.ts";
import type { PredictInput, PredictSizes } from "../predict/problem.ts";
import { sizesOf, stokesAxesOf } from "../predict/sizes.ts";
import { shapesOf, skyArrays } from "../predict/sky_arrays.ts";
import { kernelSmearing, smearingInputs } from "../predict/smearing.ts";
import { prepareTerms } from "../terms/terms.ts";
import { sourceOf } from "./boxes.ts";
import { SIMULATE_INPUT, type SimulateInput, type SimulateOptions } from "./problem.ts";
import { correlationsOf, equationArrays, type EquationSettings, feedWith } from "./settings.ts";

/** A checked problem. */
export interface Prepared {
  readonly cube: Hypercube;
  readonly settings: EquationSettings;
  readonly sizes: PredictSizes;
}

/** Checks what is given, and makes a cube of it. */
export async function prepared(input: SimulateInput, options: SimulateOptions): Promise<Prepared> {
  const { terms = [], termInputs: _, termDimensions, gains, base, flags, weights, observed, ...problem } =
    input;
  checkOptionNames("simulate()", input, SIMULATE_INPUT);
  const sizes = sizesOf("simulate()", problem, options.correlations?.length ?? 4);
  const predict = predictSettings(problem, options, sizes);
  checkPossible(input, predict);
  const settings: EquationSettings = {
    predict,
    terms: await prepareTerms(terms, feedWith(predict), predict.brightness),
    finish: {
      gains: gains !== undefined,
      base: base ? options.base ?? "after" : "none",
      flags: flags !== undefined,
      weights: weights !== undefined,
      observed: observed !== undefined,
    },
  };
  const arrays = equationArrays(settings);
  const named = new Set(arrays.flatMap(({ shape }) => shape));
  const all = { ...termDimensions, ...sizes, ncorr: predict.correlations.length };
  const dimensions = Object.fromEntries(Object.entries(all).filter(([name]) => named.has(name)));
  return { cube: hypercube({ dimensions, arrays }), settings, sizes };
}

function predictSettings(
  problem: PredictInput,
  { feed = "linear", correlations, convention = "fourier", brightness = {}, precision = "f64", smearing }:
    SimulateOptions,
  sizes: PredictSizes,
): PredictSettings {
  const channels = evenChannels(problem.frequency);
  return settingsOf("simulate()", {
    ...(channels ? { channels } : {}),
    ...(smearing ? { smearing: kernelSmearing(smearing) } : {}),
    convention,
    brightness,
    precision,
    correlations: correlations ?? correlationsOf(feed),
    uvw: problem.antenna1 ? "antenna" : "baseline",
    rows: problem.timeIndex ? "ragged" : "dense",
    stokesAxes: stokesAxesOf("simulate()", problem, sizes),
    spectrum: problem.sky.spectrum?.kind ?? "none",
    shapes: shapesOf(sizes),
    jones: problem.jones !== undefined && !problem.jones.direction,
    directions: problem.jones?.direction !== undefined,
  });
}

/** Refuses what belongs to antennas where there are none, and matrices where there are not four correlations. */
function checkPossible(
  { terms = [], gains }: SimulateInput,
  { correlations, uvw, jones }: PredictSettings,
): void {
  const [isTerms, names] = [terms.length > 0, correlations.join()];
  const isFour = [LINEAR, CIRCULAR].some((four) => four.join() === names);
  const refuse = (option: string, text: string) => {
    throw new TilewiseError("invalid", `simulate(): ${text}`, { option });
  };
  if (uvw === "baseline" && (isTerms || gains)) {
    refuse("antenna1", "terms and gains belong to antennas; give antenna1, antenna2, and uvw (ntime, na, 3)");
  }
  if (isTerms && !isFour) {
    const found = correlations.join(", ");
    refuse(
      "correlations",
      `terms are matrices of both feeds, which need all four correlations; found ${found}`,
    );
  }
  if (gains && correlations.length === 4 && !isFour) {
    refuse("correlations", "gains are matrices of both feeds; I, Q, U and V are not correlations of feeds");
  }
  if (jones && isTerms) {
    const text =
      "with terms, jones needs the direction of each source; number the sources where each has matrices of its own";
    refuse("jones.direction", text);
  }
}

/** Sources of all inputs of the cube. */
export function sourcesOf(
  input: SimulateInput,
  { smearing }: SimulateOptions,
  cube: Hypercube,
  { nchan }: PredictSizes,
): Record<string, Source> {
  const { sky, jones } = input;
  const all: Readonly<Record<string, TypedArray | undefined>> = {
    ...input.termInputs,
    jones: jones?.matrices,
    direction_jones: jones?.matrices,
    direction: jones?.direction,
    ...skyArrays(sky),
    frequency: input.frequency,
    uvw: input.uvw,
    antenna1: input.antenna1,
    antenna2: input.antenna2,
    time_index: input.timeIndex,
    ...(smearing ? smearingInputs(smearing, nchan) : {}),
    direction_independent_effects: input.gains,
    base_vis: input.base,
    flag: input.flags,
    weight: input.weights,
    observed_vis: input.observed,
  };
  const inputs = [...cube.arrays.values()].filter(({ role = "input" }) => role === "input");
  return Object.fromEntries(inputs.map(({ name }) => {
    const values = all[name];
    if (values) return [name, sourceOf("simulate()", cube, name, values)];
    throw new TilewiseError("invalid", `simulate(): the terms need ${name}; give it in termInputs`, {
      option: `termInputs.${name}`,
    });
  }));
}
