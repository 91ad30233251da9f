/**
 * Sources are fitted to visibilities by gradient descent.
 *
 * Each parameter is counted in units in which χ² is equally bent along all of them (the diagonal of its second derivatives),
 * so that a plain gradient points towards the minimum. The length of a step is that of Barzilai and Borwein (1988, IMA J.
 * Numer. Anal. 8, 141), and is halved while χ² does not fall enough:
 *
 *     g = gradient in these units; a = 1
 *     repeat: halve a until χ²(x − a g) ≤ χ²(x) − a g·g / 10⁴; x −= a g
 *             a = Δx·Δx / Δx·Δg, of the last step
 *     until a step can be expected to change χ² by less than a share of it
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../../errors.ts";
import { BRIGHTNESS, type Brightness } from "../../observations/meaning/correlations.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { callable, inner, list, oneOf, positive, signal, whole } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import { CIRCULAR, LINEAR } from "../predict/correlations.ts";
import { predict } from "../predict/predict.ts";
import type { PredictInput, SkyModel } from "../predict/problem.ts";
import type { Feed } from "../terms/term.ts";
import { chiSquaredGradient } from "../terms/gradient/gradient.ts";
import { type FitParameter, PARAMETERS, type ParameterVector, parameterVector } from "./parameters.ts";

/**
 * Visibilities, and the sources from which a fit starts.
 * @category Measurement equation
 */
export interface FitInput extends PredictInput {
  /** Observed visibilities (nrow, nchan, 4) as pairs: XX, XY, YX, YY or RR, RL, LR, LL. */
  readonly observed: Float64Array;
  /** Weights of squares in χ²: (nrow, nchan, 4), 0 where flagged. Default 1. */
  readonly weight?: Float64Array;
}

/**
 * What is fitted, and how.
 * @category Measurement equation
 */
export interface FitOptions {
  /** What is changed of each source: `lm`, its direction, and Stokes parameters. Default `lm` and `I`. */
  readonly parameters?: readonly FitParameter[];
  /** Most steps. Whole, at least 1. Default 200. */
  readonly steps?: number;
  /** The fit ends when a step can be expected to change χ² by less than this share of it. Above 0. Default 1e-9. */
  readonly tolerance?: number;
  /** The feeds. Default `linear`. */
  readonly feed?: Feed;
  /** The sign of the phase. Default `fourier`. */
  readonly convention?: PhaseConvention;
  /** How Stokes parameters become correlations of feeds. Default: as in Measurement Sets. */
  readonly brightness?: Brightness;
  /** Called after each step. */
  readonly onStep?: (step: FitStep) => void;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
  /** Cancels the fit. */
  readonly signal?: AbortSignal;
}

/**
 * A step of a fit.
 * @category Measurement equation
 */
export interface FitStep {
  /** Its number, from 1. */
  readonly step: number;
  /** χ² after it. */
  readonly chiSquared: number;
}

/**
 * What was fitted.
 * @category Measurement equation
 */
export interface SourceFit {
  /** The sources: those of the start, with other directions and Stokes parameters. */
  readonly sky: SkyModel;
  /** χ² of them. */
  readonly chiSquared: number;
  /** Steps that were taken. */
  readonly steps: number;
  /** Whether the last step changed next to nothing; false: there were no more steps. */
  readonly converged: boolean;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<FitOptions> = {
  parameters: list, steps: whole(1), tolerance: positive, feed: oneOf("linear", "circular"),
  convention: oneOf("fourier", "casa"), brightness: inner(BRIGHTNESS), onStep: callable,
  context: contextRule, signal,
};

/** A step must bring this share of what its gradient promises. */
const ENOUGH = 1e-4;
/** Halvings after which no smaller step is tried. */
const MOST_HALVINGS = 40;

/**
 * Fits sources to visibilities: the directions and Stokes parameters for which `χ² = Σ weight |observed − model|²` is least,
 * near those of the start. A start should be closer to the truth than half of the smallest fringe, such as the brightest
 * pixel of an image; other minima are further away. Bits depend on the budget, as those of gradients do, but not on workers.
 *
 * Errors: `invalid` for arrays that do not fit together; `over-budget`; `aborted`.
 *
 * @example A source that is brighter than it was thought to be, and elsewhere
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { predict } from "@tilewise/tilewise/rime";
 * import { fitSources } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const rows = { uvw: Float64Array.of(100, 0, 0, 0, 150, 0, 80, 80, 10), frequency: Float64Array.of(1e9, 1.1e9) };
 * const truth = { lm: Float64Array.of(2e-4, -1e-4), stokes: Float64Array.of(3, 0, 0, 0) };
 * const observed = Float64Array.from((await predict({ ...rows, sky: truth }, { context })).data);
 * const start = { lm: Float64Array.of(0, 0), stokes: Float64Array.of(2, 0, 0, 0) };
 * const { sky } = await fitSources({ ...rows, sky: start, observed }, { context });
 * assertAlmostEquals(sky.lm[0] ?? NaN, 2e-4, 1e-9);
 * assertAlmostEquals(sky.stokes[0] ?? NaN, 3, 1e-4);
 * ```
 * @category Measurement equation
 */
export async function fitSources(input: FitInput, options: FitOptions = {}): Promise<SourceFit> {
  checkOptionNames("fitSources()", options, OPTIONS);
  const fit = new Fit(input, options);
  return await fit.run();
}

/** A place in the space of the parameters. */
interface FitPoint {
  readonly x: Float64Array;
  readonly chiSquared: number;
  /** Observed less model visibilities, 0 where nothing counts. */
  readonly residual: Float64Array;
}

class Fit {
  readonly #vector: ParameterVector;
  readonly #feed: Feed;
  readonly #convention: PhaseConvention;
  readonly #context: Context;
  readonly #problem: PredictInput;

  constructor(private readonly input: FitInput, private readonly options: FitOptions) {
    const { observed: _o, weight: _w, ...problem } = input;
    const { parameters = ["lm", "I"], feed = "linear", convention = "fourier" } = options;
    const odd = parameters.find((name) => !PARAMETERS.includes(name));
    if (odd !== undefined || parameters.length === 0) {
      const text = `fitSources(): the option "parameters" takes some of ${PARAMETERS.join(", ")}, not ${
        odd ?? "none"
      }`;
      throw new TilewiseError("invalid", text, { option: "parameters", found: odd ?? "" });
    }
    this.#problem = problem;
    [this.#feed, this.#convention] = [feed, convention];
    this.#context = options.context ?? insideOf(undefined);
    this.#vector = parameterVector(input, parameters);
  }

  async run(): Promise<SourceFit> {
    const { steps = 200, tolerance = 1e-9, onStep = () => {} } = this.options;
    let place = await this.#at(new Float64Array(this.#vector.length));
    if (!place) throw new TilewiseError("invalid", "fitSources(): the start is not a sky", { option: "sky" });
    const least = tolerance * place.chiSquared * 1e-6; // without noise, χ² falls to rounding
    let gradient = await this.#gradient(place), length = 1, step = 0;
    while (step < steps) {
      if (dot(gradient, gradient) * length / 2 <= Math.max(least, tolerance * place.chiSquared)) break;
      const next = await this.#step(place, gradient, length);
      if (!next) break; // rounding is larger than what any step would bring
      step++;
      onStep({ step, chiSquared: next.chiSquared });
      const slope = await this.#gradient(next);
      const moved = next.x.map((value, i) => value - place!.x[i]!);
      const bent = dot(moved, slope.map((value, i) => value - gradient[i]!));
      length = bent > 0 ? dot(moved, moved) / bent : 1;
      [place, gradient] = [next, slope];
    }
    const { chiSquared, x } = place;
    return { sky: this.#vector.skyAt(x), chiSquared, steps: step, converged: step < steps };
  }

  /** A step against the gradient that lowers χ² enough; nothing if there is none. */
  async #step(from: FitPoint, gradient: Float64Array, first: number): Promise<FitPoint | undefined> {
    const promised = dot(gradient, gradient);
    for (let n = 0, length = first; n < MOST_HALVINGS; n++, length /= 2) {
      const place = await this.#at(from.x.map((value, i) => value - length * gradient[i]!));
      if (place && place.chiSquared < from.chiSquared - ENOUGH * length * promised) return place;
    }
    return undefined;
  }

  /** χ² at a place; nothing where a source would be outside of the sky. */
  async #at(x: Float64Array): Promise<FitPoint | undefined> {
    throwIfAborted(this.options.signal);
    const sky = this.#vector.skyAt(x);
    if (!isOnSky(sky.lm)) return undefined;
    const { signal } = this.options;
    const { data } = await predict({ ...this.#problem, sky }, {
      context: this.#context,
      convention: this.#convention,
      brightness: this.options.brightness ?? {},
      correlations: this.#feed === "linear" ? LINEAR : CIRCULAR,
      ...defined({ signal }),
    });
    return { x, ...compared(this.input.observed, data as Float64Array, this.input.weight) };
  }

  async #gradient({ x, residual }: FitPoint): Promise<Float64Array> {
    const { weight } = this.input;
    const { signal } = this.options;
    const { timeIndex, ...problem } = this.#problem;
    const found = await chiSquaredGradient({
      ...problem,
      ...(timeIndex && problem.antenna1 ? { timeIndex } : {}),
      sky: this.#vector.skyAt(x),
      residual,
      ...defined({ weight }),
    }, {
      context: this.#context,
      convention: this.#convention,
      brightness: this.options.brightness ?? {},
      feed: this.#feed,
      ...defined({ signal }),
    });
    return this.#vector.gradientOf(found);
  }
}

function isOnSky(lm: Float64Array): boolean {
  for (let i = 0; i < lm.length; i += 2) if (!(lm[i]! ** 2 + lm[i + 1]! ** 2 <= 1)) return false;
  return true;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** Residuals, and their weighted squares. */
interface Compared {
  /** Observed less model, 0 for what does not count. */
  readonly residual: Float64Array;
  /** `Σ weight |observed − model|²`. */
  readonly chiSquared: number;
}

/** Compares pairs. Samples with the weight 0 do not count, whatever they are. Errors: `invalid` for other lengths. */
export function compared(
  observed: Float64Array,
  model: Float64Array,
  weight: Float64Array | undefined,
): Compared {
  mustHave("observed", observed.length, model.length);
  if (weight) mustHave("weight", weight.length, model.length / 2);
  const residual = new Float64Array(model.length);
  let chiSquared = 0;
  for (let i = 0; i < model.length; i += 2) {
    const w = weight ? weight[i >> 1]! : 1;
    if (w === 0) continue;
    const [re, im] = [observed[i]! - model[i]!, observed[i + 1]! - model[i + 1]!];
    residual[i] = re;
    residual[i + 1] = im;
    chiSquared += w * (re * re + im * im);
  }
  return { residual, chiSquared };
}

function mustHave(option: string, found: number, expected: number): void {
  if (found === expected) return;
  const text =
    `fitSources(): ${option} has ${found} numbers; it must have ${expected}: rows, channels, 4 correlations`;
  throw new TilewiseError("invalid", text, { option, found, expected });
}
