/**
 * The whole measurement equation as a kernel of a cube: the code that runs on workers.
 *
 * @module
 */

import { registerJobs } from "../../executor/handler.ts";
import type { JobHandler } from "../../executor/task.ts";
import type { CubeKernel, CubeTask } from "../../hypercube/run/run_cube.ts";
import { instantiateKernels, type Kernels } from "../../kernels/wasm.ts";
import { loadRime } from "../geometry/packs.ts";
import { kernel } from "../../kernels/registry.ts";
import { byDirection, placeIndices } from "../predict/directions.ts";
import { predictTiles } from "../predict/kernel.ts";
import { type FinishTile, startFinish } from "../terms/finish.ts";
import { arrayOf, realOf } from "../terms/term.ts";
import { startTerms, termArrays } from "../terms/terms.ts";
import { type EquationSettings, hasMatrices } from "./settings.ts";
import { MatrixTile } from "./tile.ts";

/** Makes the handler that computes tiles: {@link equationKernel} refers to this export. */
export async function equationTiles(
  settings: EquationSettings,
  { memory }: { readonly memory: WebAssembly.Memory },
): Promise<JobHandler<CubeTask, void>> {
  await loadRime();
  const kernels = instantiateKernels(memory);
  const sum = await startSum(settings, kernels);
  const { predict: { precision }, finish } = settings;
  const toEnd = startFinish(finish, { kernels, precision });
  return {
    async run(task) {
      await sum(task);
      toEnd(finishTile(settings, memory, task));
    },
  };
}

/** The sum over sources: with matrices, or the faster one without. */
async function startSum(settings: EquationSettings, kernels: Kernels): Promise<(task: CubeTask) => unknown> {
  const { terms, predict } = settings;
  if (!hasMatrices(settings)) {
    const plain = await predictTiles(predict, kernels);
    return (task) => plain.run(task);
  }
  const { precision } = predict;
  const start = await startTerms(terms, { kernels, precision });
  const timed = termArrays(terms, precision).filter(({ shape }) => shape[0] === "ntime").map(({ name }) =>
    name
  );
  const thread = { settings, kernels, start, timed: new Set(timed) };
  const one = (task: CubeTask) => new MatrixTile(thread, task).predict();
  if (!predict.directions) return one;
  const [apply, add] = [
    kernel(kernels, "apply_gains", realOf(precision)),
    kernel(kernels, "add", realOf(precision)),
  ];
  return byDirection({ memory: kernels.memory, apply, add }, one);
}

/** The rows of a tile with their antennas and times. */
function finishTile(
  { finish }: EquationSettings,
  memory: WebAssembly.Memory,
  { arrays }: CubeTask,
): FinishTile {
  const { pointer: vis, shape } = arrayOf({ arrays }, "model_vis");
  const [channels, correlations] = shape.slice(-2) as [number, number];
  const rows = shape.slice(0, -2).reduce((a, b) => a * b, 1);
  const tile = { vis, rows, channels, correlations, arrays, antennas: arrays["uvw"]!.shape[1]! };
  if (!finish.gains) return { ...tile, antenna1: 0, antenna2: 0, times: 0 };
  const [antenna1, antenna2, times] = ["work_antenna1", "work_antenna2", "work_times"]
    .map((name) => arrayOf({ arrays }, name).pointer) as [number, number, number];
  placeIndices(memory, arrays, rows, [antenna1, antenna2, times]);
  return { ...tile, antenna1, antenna2, times };
}

/** The module of the kernel; bundles know it by its name. */
const KERNEL = { name: "tilewise:equation", module: import.meta.url };
registerJobs({ [KERNEL.name]: () => Promise.resolve({ equationTiles }) });

/** The kernel for a cube with the arrays for the same settings. */
export function equationKernel(settings: EquationSettings): CubeKernel {
  return { ...KERNEL, export: "equationTiles", shared: settings };
}
