/**
 * Visibilities of sources, as a kernel of a hypercube.
 *
 * @module
 */

import { registerJobs } from "../../executor/handler.ts";
import type { JobHandler } from "../../executor/task.ts";
import type { CubeKernel, CubeTask } from "../../hypercube/run/run_cube.ts";
import { kernel } from "../../kernels/registry.ts";
import { instantiateKernels } from "../../kernels/wasm.ts";
import { loadRime } from "../geometry/packs.ts";
import { byDirection } from "./directions.ts";
import { type PredictKernelOptions, type PredictSettings, settingsOf } from "./options.ts";
import { type RimeKernels, Tile } from "./tile.ts";

/** Makes the handler that computes tiles: {@link predictKernel} refers to this export. */
export async function predictTiles(
  settings: PredictSettings,
  { memory }: { readonly memory: WebAssembly.Memory },
): Promise<JobHandler<CubeTask, void>> {
  await loadRime();
  const all = instantiateKernels(memory);
  const dtype = settings.precision === "f64" ? "float64" : "float32";
  const kernels: RimeKernels = {
    rime_phasors: kernel(all, "rime_phasors", dtype),
    rime_phasors_even: kernel(all, "rime_phasors_even", dtype),
    rime_brightness: kernel(all, "rime_brightness", dtype),
    rime_weigh: kernel(all, "rime_weigh", dtype),
    rime_products: kernel(all, "rime_products", dtype),
    rime_sums: kernel(all, "rime_sums", dtype),
    rime_jones: kernel(all, "rime_jones", dtype),
    rime_tapers: kernel(all, "rime_tapers", dtype),
    rime_shapelets: kernel(all, "rime_shapelets", dtype),
    smear_tapers: kernel(all, "smear_tapers", dtype),
    rime_correlations: kernel(all, "rime_correlations", dtype),
  };
  const sum = (task: CubeTask) => new Tile({ settings, kernels, memory }, task).predict();
  if (!settings.directions) return { run: sum };
  const [apply, add] = [kernel(all, "apply_gains", dtype), kernel(all, "add", dtype)];
  return { run: byDirection({ memory, apply, add }, sum) };
}

/** The module of the kernel; bundles know it by its name. */
const KERNEL = { name: "tilewise:predict", module: import.meta.url };
registerJobs({ [KERNEL.name]: () => Promise.resolve({ predictTiles }) });

/**
 * The kernel that predicts visibilities, `V = Σ S · B · exp(−2πi (u l + v m + w (n − 1)) ν / c)`, for a cube with the arrays that
 * `predictArrays` gives for the same options. Tiles may cut times, rows, baselines and channels; sources are summed up in
 * groups of 32 inside of a tile, so that the bits of a visibility depend neither on tiles nor on workers. With precision `f64`
 * errors are those of the number of turns, about 1e-16 of it; with `mixed` they are below 4e-7 of the sum of the fluxes
 * (measured with up to 100 sources and baselines of 8 km; they do not grow with the length of baselines).
 *
 * Errors: `invalid` for directions outside of `l² + m² ≤ 1` and for numbers of antennas and times that do not exist.
 *
 * @example One source of 2 Jy in the phase centre
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { predictArrays, predictKernel } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const options = { correlations: ["I"] } as const;
 * const dimensions = { nsrc: 1, ntime: 1, na: 2, nbl: 1, nchan: 1 };
 * const cube = hypercube({ dimensions, arrays: predictArrays(options) });
 * await run(planTiles(cube, { context, tile: ["ntime", "nchan"] }), {
 *   kernel: predictKernel(options),
 *   sources: {
 *     lm: () => Float64Array.of(0, 0),
 *     stokes: () => Float64Array.of(2, 0, 0, 0),
 *     uvw: () => Float64Array.of(0, 0, 0, 100, 10, 1),
 *     antenna1: () => Int32Array.of(0),
 *     antenna2: () => Int32Array.of(1),
 *     frequency: () => Float64Array.of(1.4e9),
 *   },
 *   sinks: { model_vis: ({ data }) => assertEquals([...data.data], [2, 0]) },
 * });
 * ```
 * @category Measurement equation
 */
export function predictKernel(options: PredictKernelOptions = {}): CubeKernel {
  return { ...KERNEL, export: "predictTiles", shared: settingsOf("predictKernel()", options) };
}
