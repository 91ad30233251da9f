/**
 * The sink that writes a file or folder, by the ending of its path.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkNames, isNamed, nearest } from "../../options.ts";
import { mustBeTarget } from "../../sinks/registry.ts";
import { chunkKind } from "../../sinks/stored/registry.ts";
import type { TiffOptions } from "../../sinks/tiff/target.ts";
import type { ZarrOptions } from "../../sinks/zarr/target.ts";
import type { DType } from "../../space/dtype.ts";
import { rowsFile } from "../map/rows_file.ts";
import type { ChunkSink, MapSink } from "../map/map_plan.ts";
import { chunkSink } from "./chunks/store.ts";

/**
 * Options of {@link fileSink}: those of all kinds of files.
 * @category Views
 */
export type FileSinkOptions = ZarrOptions & TiffOptions;

/**
 * The sink that writes the file or folder `path`; its ending decides: `.ome.zarr`, `.zarr`, the same with `.zip` for one archive,
 * `.ome.tif`, `.tif`, `.npy`, `.hspy` or `.zspy` (HyperSpy), `.emd` (py4DSTEM) or `.nxs` (NeXus).
 * Options that this kind does not have are refused.
 *
 * @param path where; its ending says the format
 * @param options of the format
 * @returns the sink, for `mapViews` and `run`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { copySamples } from "@tilewise/tilewise/unstable/views";
 * import { fileSink, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint16Array(60 * 90), shape: [60, 90] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sink = fileSink(`${folder}/image.zarr`, { compression: "none" });
 * await mapViews(image, copySamples(), { sink, context });
 * assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["image.zarr"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function fileSink<D extends DType>(
  path: string,
  options: FileSinkOptions = {},
): MapSink<D> | ChunkSink {
  const target = mustBeTarget(path, "results"), kind = chunkKind(target), names = kind?.options ?? [];
  if (!isNamed(options)) checkNames("fileSink() has no option", options, names);
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && !names.includes(option)) throw unknownOption(path, option, names);
  }
  return kind ? chunkSink(kind.file(path, options)) : rowsFile(target, path);
}

function unknownOption(path: string, option: string, options: readonly string[]): TilewiseError {
  const near = nearest(option, options);
  const others = options.length === 0 ? "it has none" : `it has ${options.join(", ")}`;
  const hint = near ? `did you mean "${near}"?` : others;
  const text = `fileSink(): the option "${option}" does not exist for ${path}; ${hint}`;
  return new TilewiseError("invalid", text, { option, ...(near ? { expected: near } : {}), file: path });
}
