/**
 * A compiled kernel over cubes: this code runs in workers, which do not load the compiler.
 *
 * @module
 */

import { during } from "../../../activity.ts";
import { TilewiseError } from "../../../errors.ts";
import type { JobHandler, WorkerContext } from "../../../executor/task.ts";
import { reasonOf } from "../../../reason.ts";
import type { CompiledKernel } from "../../../user_kernels/compile.ts";
import { instantiate, placeOf, shiftOf } from "../../../user_kernels/instance.ts";
import type { CubeTask } from "../kernel.ts";

/** What all tiles share. */
export interface AssemblyShared {
  /** The name of the kernel in messages. */
  readonly name: string;
  /** The module. */
  readonly kernel: CompiledKernel;
  /** The export to call. */
  readonly call: "tile" | "tileAt";
  /** The dimensions that it takes, with the windows of the cube. */
  readonly windows: readonly (readonly [name: string, lower: number, upper: number])[];
  /** The arrays that it takes. */
  readonly arrays: readonly string[];
  /** Its parameters. */
  readonly params: readonly number[];
  /** Addresses of its static data, one per worker. */
  readonly places: readonly number[];
}

/** Makes the handler that calls the kernel. */
export function assemblyJob(
  { name, kernel, call, windows, arrays, params, places }: AssemblyShared,
  { memory, index }: WorkerContext,
): JobHandler<CubeTask, void> {
  const run = instantiate(kernel, call, memory, { name, statics: places[index] });
  const doing = { text: `kernel "${name}" over a cube`, details: { kernel: name } };
  return {
    run({ tile, extents, arrays: placed }) {
      const now = windows.map(([dimension, lower, upper]) => extents[dimension] ?? [lower, upper]);
      const sizes = now.map(([lower, upper]) => upper - lower);
      const positions = call === "tileAt" ? now.map(([lower]) => lower) : [];
      const pointers = arrays.map((array) => placed[array]!.pointer);
      try {
        during(doing, () => run(...sizes, ...positions, ...pointers, ...params));
      } catch (error) {
        const place = placeOf(error, kernel, shiftOf(kernel, memory));
        const source = place ? ` (${place.file}:${place.line}:${place.column})` : "";
        const text = `Kernel "${name}" failed for tile ${tile}: ${reasonOf(error)}${source}`;
        throw new TilewiseError("udf", text, { kernel: name, tile, ...place }, { cause: error });
      }
    },
  };
}
