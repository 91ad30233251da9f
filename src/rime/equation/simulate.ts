/**
 * The whole measurement equation, from sources in memory to residuals in memory, in one call.
 *
 * @module
 */

import type { Provider, Sink, Sinks } from "../../hypercube/providers/provider.ts";
import { type SharedMemorySink, toSharedMemory } from "../../hypercube/providers/sinks/shared.ts";
import { runCube } from "../../hypercube/run/run_cube.ts";
import { checkOptionNames } from "../../options.ts";
import { insideOf } from "../../runner/context.ts";
import { predictionTiles } from "../predict/tiles.ts";
import { checkTravel } from "../terms/terms.ts";
import { equationKernel } from "./kernel.ts";
import { prepared, sourcesOf } from "./prepare.ts";
import { SIMULATE_OPTIONS, type SimulateInput, type SimulateOptions, type Simulation } from "./problem.ts";

/**
 * Simulates visibilities by the whole measurement equation, `V = base + G_p (Σ_s S · J_p B J_q^H) G_q^H` with
 * `J = E · L · … · K`, and compares them with observed ones: flags, residuals, χ². Without terms the sum is that of
 * {@link predict}.
 *
 * Memory does not grow with the number of sources. The same bits for any number of workers.
 *
 * Errors: `invalid` for arrays that do not fit together; `udf` for terms of users that fail; `over-budget`; `aborted`.
 *
 * @example A feed that is turned by 90° exchanges X and Y
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { feedRotation, simulate } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const { model } = await simulate({
 *   sky: { lm: Float64Array.of(0, 0), stokes: Float64Array.of(2, 1, 0, 0) }, // XX is 3 Jy, YY is 1 Jy
 *   uvw: Float64Array.of(0, 0, 0, 100, 0, 0),
 *   antenna1: Int32Array.of(0),
 *   antenna2: Int32Array.of(1),
 *   frequency: Float64Array.of(1e9),
 *   terms: [feedRotation("linear")],
 *   termInputs: { parallactic_angles: Float64Array.of(0, 0), feed_angles: new Float64Array(2).fill(Math.PI / 2) },
 * }, { context });
 * assertAlmostEquals(model[0] ?? NaN, 1, 1e-12);
 * assertAlmostEquals(model[6] ?? NaN, 3, 1e-12);
 * ```
 * @category Measurement equation
 */
export async function simulate(input: SimulateInput, options: SimulateOptions = {}): Promise<Simulation> {
  checkOptionNames("simulate()", options, SIMULATE_OPTIONS);
  const {
    feed: _f,
    correlations: _r,
    convention: _c,
    brightness: _br,
    precision: _p,
    base: _b,
    smearing: _s,
    context,
    ...rest
  } = options;
  checkTravel("simulate()", input.terms ?? [], (context ?? insideOf(undefined)).workers);
  const { cube, settings, sizes } = await prepared(input, options);
  const { timeIndex } = input;
  const plan = predictionTiles(cube, settings.predict, sizes, {
    ...(context ? { context } : {}),
    ...(timeIndex && settings.predict.uvw === "antenna" ? { timeIndex } : {}),
  });
  const results = new Results(settings.finish.observed === true);
  await runCube("simulate()", plan, {
    ...rest,
    kernel: equationKernel(settings),
    sources: sourcesOf(input, options, cube, sizes),
    sinks: results.sinks,
  });
  return results.simulation;
}

/** The results: arrays, and what tiles say of χ². */
class Results {
  readonly #memory: SharedMemorySink;
  readonly #tiles: number[] = [];

  constructor(private readonly compared: boolean) {
    const names = ["model_vis", ...(compared ? ["residual_vis"] : [])];
    this.#memory = toSharedMemory(names, "complex128");
  }

  /** Sinks of all results. */
  get sinks(): (Provider | Sinks)[] {
    const chi: Sink = ({ data }) => void this.#tiles.push(Number(data.data[0]));
    return [this.#memory, ...(this.compared ? [{ chi_squared: chi }] : [])];
  }

  /** What was simulated. */
  get simulation(): Simulation {
    const model = this.#memory.array("model_vis").data as Float64Array;
    if (!this.compared) return { model };
    const residual = this.#memory.array("residual_vis").data as Float64Array;
    const chiSquared = this.#tiles.reduce((sum, one) => sum + one, 0);
    return { model, residual, chiSquared, chiSquaredTiles: this.#tiles };
  }
}
