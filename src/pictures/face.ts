/**
 * The call that saves an array. What it needs to write files and pictures is loaded with the first call.
 *
 * @module
 */

import type { NDArray } from "../space/ndarray.ts";
import type { SaveOptions } from "./save.ts";

/**
 * Saves an array. A file of that name is replaced in one step; if saving fails, it is not changed.
 *
 * Entries that are not valid are NaN in the `.npy` of a float array, transparent in a PNG and empty in CSV. The `.npy`
 * of an integer array cannot mark them, so their mask is written to `NAME.valid.npy` beside it.
 *
 * @returns the paths written
 * @param array what to save, such as a buffer of a result; vectors over a plane become a picture of hues unless the options say colours
 * @param path where; its ending says the format
 * @param options of pictures and of formats
 *
 * @example
 * ```ts no-assert
 * import { save } from "@tilewise/tilewise";
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * const folder = await Deno.makeTempDir();
 * const image = ndarray(Float64Array.of(1, 2, 3, 4), [2, 2], "float64");
 * await save(image, `${folder}/image.npy`);
 * await save(image, `${folder}/image.png`, { colormap: "magma", percentile: [1, 99] });
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Results
 */
export async function save(array: NDArray, path: string, options: SaveOptions = {}): Promise<string[]> {
  const inside = await import("./save.ts");
  return await inside.save(array, path, options);
}
