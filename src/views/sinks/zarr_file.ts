/**
 * Sinks that write Zarr: arrays and OME-Zarr pyramids.
 *
 * @module
 */

import { omeZarrKind, zarrKind } from "../../sinks/zarr/file.ts";
import type { ZarrOptions } from "../../sinks/zarr/target.ts";
import type { ChunkSink } from "../map/map_plan.ts";
import { chunkSink } from "./chunks/sink.ts";

/**
 * A Zarr array in the folder `path`, for the result of {@link mapViews}. With `levels` it is a pyramid, as
 * {@link omeZarrFile} writes it.
 *
 * Chunks are computed and compressed by workers. Those of zeros only are not stored. The bytes in the folder do not depend
 * on the number of workers. The folder appears when it is complete, and replaces an older Zarr folder of that name; if the
 * run fails, the older one is not changed.
 *
 * Errors: `invalid` for a folder with files that are being read, or that is not a Zarr store, and errors of writing.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { zarrFile } from "@tilewise/tilewise/unstable/views";
 * import { boxMean, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint8Array(40).fill(7), shape: [4, 10] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sink = zarrFile(`${folder}/mean.zarr`, { chunk: [2, 5], shard: [4, 10], compression: "zstd:3" });
 * await mapViews(image, boxMean(), { sink, context });
 * const { shape, data_type } = JSON.parse(await Deno.readTextFile(`${folder}/mean.zarr/zarr.json`));
 * assertEquals([shape, data_type], [[4, 10], "float32"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function zarrFile(path: string, options: ZarrOptions = {}): ChunkSink {
  return chunkSink(zarrKind.file(path, options));
}

/**
 * An OME-Zarr pyramid in the folder `path`: as {@link zarrFile}, with the levels in arrays `0`, `1`, … of a group, which
 * describes axes, units and scales. By default there are as many levels as needed until one fits into a chunk.
 *
 * It takes two to five dimensions.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { omeZarrFile } from "@tilewise/tilewise/unstable/views";
 * import { localMaximum, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint16Array(60 * 90), shape: [60, 90] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sink = omeZarrFile(`${folder}/max.ome.zarr`, { chunk: [32, 32] });
 * await mapViews(image, localMaximum(), { sink, context });
 * const { attributes } = JSON.parse(await Deno.readTextFile(`${folder}/max.ome.zarr/zarr.json`));
 * assertEquals(attributes.ome.multiscales[0].datasets.length, 3);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function omeZarrFile(path: string, options: ZarrOptions = {}): ChunkSink {
  return chunkSink(omeZarrKind.file(path, options));
}
