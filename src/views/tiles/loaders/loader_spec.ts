/**
 * How a thread gets a tile loader.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { inWords } from "../../../options.ts";
import { importExport } from "../../../runner/import_export.ts";
import type { SingleLayout } from "../../plan.ts";
import { isLoader, type TileLoader, type TileLoaderModule } from "./tile_loader.ts";

/** How a thread gets a loader. */
export type LoaderSpec =
  | { readonly kind: "arrays"; readonly levels: readonly SingleLayout[] }
  | { readonly kind: "module"; readonly loader: TileLoaderModule; readonly levels: readonly number[] }
  | { readonly kind: "here"; readonly loader: TileLoader; readonly levels: readonly number[] };

/** Makes the loader of a module on this thread. */
export async function makeLoader(
  { module, export: name, params, dtype }: TileLoaderModule,
): Promise<TileLoader> {
  const make = await importExport(module, name, "tile loader");
  const loader = typeof make === "function" ? await make(params) : undefined;
  if (isLoader(loader)) {
    if (dtype === undefined || loader.dtype === dtype) return loader;
    const text = `Cannot use "${name}" of ${module}: it loads ${loader.dtype}, not ${dtype}`;
    throw new TilewiseError("udf", text, { option: "dtype", expected: loader.dtype, found: dtype });
  }
  const found = inWords(typeof make === "function" ? loader : make);
  const text = `Cannot use "${name}" of ${module}: it must be a function that gives a tile loader; ` +
    (typeof make === "function" ? `it gave ${found}` : `it is ${found}`);
  throw new TilewiseError("udf", text, { file: module, found });
}
