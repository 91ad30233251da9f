/**
 * The complex phase of the measurement equation, for every source, antenna and channel.
 *
 * `K = exp(-2πi (u l + v m + w (n − 1)) ν / c)` with `n = sqrt(1 − l² − m²)` and `uvw` per antenna, so that a baseline
 * has the phase `K_p conj(K_q)`. In double precision the error grows with the number of turns: below 1e-9 up to 5e4
 * turns, below 2e-8 up to 2.7e6 turns. With precision `mixed`, delays and turns are in double precision, the rest in single:
 * the error is below 4e-7 for any number of turns up to 2.7e6.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { registerJobs } from "../executor/handler.ts";
import type { JobHandler } from "../executor/task.ts";
import type { ArraySchema } from "../hypercube/cube/cube.ts";
import type { CubeKernel, CubeTask } from "../hypercube/run/run_cube.ts";
import { kernel } from "../kernels/registry.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { oneOf } from "../options/rules.ts";
import { instantiateKernels } from "../kernels/wasm.ts";
import { loadRime } from "./geometry/packs.ts";
import { checkDirectionsFrom } from "./geometry/directions.ts";
import { type PhaseConvention, SPEED_OF_LIGHT } from "./geometry/constants.ts";

/**
 * The inputs and outputs of the phase, as array schemas of a hypercube: {@link phaseArrays} without options.
 * @category Measurement equation
 */
export const PHASE_ARRAYS: readonly ArraySchema[] = [
  {
    name: "lm",
    shape: ["nsrc", 2],
    dtype: "float64",
    role: "input",
    description: "direction cosines from the phase centre",
  },
  {
    name: "uvw",
    shape: ["ntime", "na", 3],
    dtype: "float64",
    role: "input",
    description: "positions of the antennas",
    units: "m",
  },
  {
    name: "frequency",
    shape: ["nchan"],
    dtype: "float64",
    role: "input",
    description: "of channels",
    units: "Hz",
  },
  {
    name: "complex_phase",
    shape: ["nsrc", "ntime", "na", "nchan"],
    dtype: "complex128",
    role: "output",
    description: "phase of every source at every antenna",
  },
];

/**
 * What all tiles share.
 * @category Measurement equation
 */
export interface PhaseOptions {
  /** The sign; default `fourier`. */
  readonly convention?: PhaseConvention;
  /** `f64`, or `mixed`: delays and turns in double precision, phases in single, complex64. Default `f64`. */
  readonly precision?: "f64" | "mixed";
}

// deno-fmt-ignore: written by `deno task build`
const PHASE_OPTIONS: OptionNames<PhaseOptions> = {
  convention: oneOf("fourier", "casa"), precision: oneOf("f64", "mixed"),
};

/**
 * The inputs and outputs of {@link phaseKernel} with the same options, as array schemas of a hypercube.
 *
 * @example Phases of half the size
 * ```ts
 * import { phaseArrays } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * assertEquals(phaseArrays({ precision: "mixed" }).at(-1)?.dtype, "complex64");
 * ```
 * @category Measurement equation
 */
export function phaseArrays(options: PhaseOptions = {}): readonly ArraySchema[] {
  checkOptionNames("phaseArrays()", options, PHASE_OPTIONS);
  const dtype = dtypeOf(options);
  return PHASE_ARRAYS.map((array) => array.role === "output" ? { ...array, dtype } : array);
}

function dtypeOf({ precision = "f64" }: PhaseOptions): "complex128" | "complex64" {
  return precision === "f64" ? "complex128" : "complex64";
}

/**
 * Makes the handler that computes tiles: {@link phaseKernel} refers to this export.
 *
 * @example One source, one antenna, half a turn
 * ```ts
 * import { SPEED_OF_LIGHT } from "@tilewise/tilewise/unstable/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * const memory = new WebAssembly.Memory({ initial: 1 });
 * new Float64Array(memory.buffer, 1024, 6).set([0.6, 0, 1, 0, 0, SPEED_OF_LIGHT / 1.2]);
 * const { run } = await complexPhase({}, { memory });
 * await run({
 *   tile: 0,
 *   extents: {},
 *   arrays: {
 *     lm: { pointer: 1024, shape: [1, 2], dtype: "float64" },
 *     uvw: { pointer: 1040, shape: [1, 1, 3], dtype: "float64" },
 *     frequency: { pointer: 1064, shape: [1], dtype: "float64" },
 *     complex_phase: { pointer: 2048, shape: [1, 1, 1, 1], dtype: "complex128" },
 *   },
 * });
 * const [re = NaN, im = NaN] = new Float64Array(memory.buffer, 2048, 2);
 * assertAlmostEquals(re, -1, 1e-15);
 * assertAlmostEquals(im, 0, 1e-15);
 * ```
 */
export async function complexPhase(
  options: PhaseOptions = {},
  { memory }: { readonly memory: WebAssembly.Memory },
): Promise<JobHandler<CubeTask, void>> {
  await loadRime();
  const { convention = "fourier", precision = "f64" } = options;
  const real = precision === "f64" ? "float64" : "float32";
  const phase = kernel(instantiateKernels(memory), "complex_phase", real);
  const speed = convention === "fourier" ? -SPEED_OF_LIGHT : SPEED_OF_LIGHT;
  return {
    run({ arrays, extents }) {
      const { pointer, shape } = arrays["lm"]!;
      const directions = new Float64Array(memory.buffer, pointer, 2 * shape[0]!);
      checkDirectionsFrom(extents["nsrc"]?.[0] ?? 0, directions, "phaseKernel()");
      checkDtype(arrays["complex_phase"]!.dtype, dtypeOf(options), precision);
      const [lm, uvw, frequency, out] = PHASE_ARRAYS.map(({ name }) => arrays[name]!.pointer) as Four;
      const [sources, times, antennas, channels] = arrays["complex_phase"]!.shape as Four;
      phase(out, lm, uvw, frequency, sources, times * antennas, channels, speed);
    },
  };
}

/** Refuses phases of another type, which would be written over other arrays, or with gaps. */
function checkDtype(found: string, expected: string, precision: string): void {
  if (found === expected) return;
  const text =
    `phaseKernel({ precision: "${precision}" }) writes ${expected}; the cube has complex_phase as ${found}; ` +
    `take its arrays from phaseArrays({ precision: "${precision}" })`;
  throw new TilewiseError("invalid", text, { option: "precision", found, expected });
}

type Four = [number, number, number, number];

/** The module of the kernel; bundles know it by its name. */
const KERNEL = { name: "tilewise:phase", module: import.meta.url };
registerJobs({ [KERNEL.name]: () => Promise.resolve({ complexPhase }) });

/**
 * The kernel for a cube that has the {@link phaseArrays} for the same options.
 *
 * Errors: `invalid` for directions outside of `l² + m² ≤ 1`, and if `complex_phase` is of another type than these options
 * give.
 * @category Measurement equation
 */
export function phaseKernel(options: PhaseOptions = {}): CubeKernel {
  checkOptionNames("phaseKernel()", options, PHASE_OPTIONS);
  return { ...KERNEL, export: "complexPhase", shared: options };
}
