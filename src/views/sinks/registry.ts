/**
 * The sink that writes a file or folder, by the ending of its path.
 *
 * @module
 */

import { checkNames } from "../../options.ts";
import { text } from "../../options/rules.ts";
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
 * `.ome.tif`, `.tif`, `.npy`, `.hspy` or `.zspy` (HyperSpy), `.emd` (py4DSTEM), `.nxs` (NeXus) or `.fits`.
 * Options that this kind does not have are refused.
 *
 * Chunks and tiles of files are computed and compressed by workers; the bytes do not depend on their number. The file or folder
 * appears when it is complete, and replaces an older one of that name; if the run fails, the older one is not changed.
 *
 * @param path where; its ending says the format
 * @param options of the format
 * @returns the sink, for `mapViews` and `run`
 * @throws {TilewiseError} `invalid` for options that this kind does not have, and, when it runs, for files that are being read and
 *   folders that are no Zarr store; `unsupported` for other endings, and for arrays that the kind cannot hold
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
  text("fileSink()", "path", path);
  const target = mustBeTarget(path, "results"), kind = chunkKind(target);
  checkNames(`fileSink() for ${path} has no option`, options, kind?.options ?? [], undefined, { file: path });
  return kind ? chunkSink(kind.file(path, options)) : rowsFile(target, path);
}
