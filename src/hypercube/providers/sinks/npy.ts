/**
 * A sink that writes outputs to `.npy` files.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, text } from "../../../options/rules.ts";
import { npyTiles } from "../../../sinks/tiles/npy.ts";
import { globalShape } from "../arrays.ts";
import type { Provider } from "../provider.ts";
import { type ResumeOptions, tiledFiles } from "./resume.ts";
import { writing } from "./under_way.ts";

const OPTIONS: OptionNames<ResumeOptions> = { resume: text };

/**
 * A provider whose sinks write outputs to NumPy files, in the shape of the whole problem: an object of paths by the names of
 * outputs. The files appear together when the run is complete, and replace older files; if it fails, older files are not
 * changed. Tiles are written as they come; what no tile has given is zero. With `resume` a run that is stopped can go on.
 *
 * @param paths paths by the names of outputs
 * @param options whether a run that was stopped goes on
 * @returns the provider
 *
 * @example
 * ```ts
 * import { createContext, open, run } from "@tilewise/tilewise";
 * import { hypercube, planTiles, toNpy } from "@tilewise/tilewise/hypercube";
 * import { cubeExpression } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { y: 4, z: 6 },
 *   arrays: [{ name: "table", shape: ["y", "z"], dtype: "float64", role: "output" }],
 * });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sinks = [toNpy({ table: `${folder}/table.npy` })];
 * await run(planTiles(cube, { context, tile: ["y"] }), { kernel: cubeExpression({ table: "y * z" }), sources: {}, sinks });
 * const { shape, dtype } = await open(`${folder}/table.npy`);
 * assertEquals([shape, dtype], [[4, 6], "float64"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Hypercubes
 */
export function toNpy(paths: Readonly<Record<string, string>>, options: ResumeOptions = {}): Provider {
  each("an object of paths by the names of outputs", text)("toNpy()", "paths", paths);
  checkOptionNames("toNpy()", options, OPTIONS);
  const names = Object.keys(paths);
  return writing({
    name: "npy files",
    outputs: names,
    resumes: options.resume !== undefined,
    open: (context) => {
      const files = names.map((name) => {
        const { dtype } = context.cube.array(name);
        const array = npyTiles(dtype, globalShape(context.cube, name));
        return { path: paths[name]!, outputs: [name], files: array, facts: { kind: "npy" } };
      });
      return tiledFiles("toNpy()", context, files, options.resume);
    },
  });
}
