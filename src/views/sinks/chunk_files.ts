/**
 * Sinks that write Zarr and tiled TIFF: arrays, and OME pyramids.
 *
 * @module
 */

import { omeTiffKind, tiffKind } from "../../sinks/tiff/file.ts";
import type { TiffOptions } from "../../sinks/tiff/target.ts";
import { omeZarrKind, zarrKind } from "../../sinks/zarr/file.ts";
import type { ZarrOptions } from "../../sinks/zarr/target.ts";
import type { ChunkSink } from "../map/map_plan.ts";
import { chunkSink } from "./chunks/store.ts";

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

// Sinks that write tiled TIFF files: plain ones, and OME-TIFF pyramids.

/**
 * A tiled TIFF file at `path`, for the result of {@link mapViews}: one page per image of the last two dimensions, with the
 * sample type of the result, and BigTIFF if it could be larger than 4 GiB. With `levels` each page has smaller versions as
 * sub-directories. A last dimension of 2 to 4, named `s`, `c` or `sample`, holds the samples of a pixel.
 *
 * Tiles are computed and compressed by workers. The bytes of the file do not depend on the number of workers. The file
 * appears when it is complete and replaces an older file of that name; if the run fails, the older file is not changed.
 *
 * Errors: `invalid` for a file that is being read, `unsupported` for arrays of less than two dimensions, and errors of
 * writing.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { tiffFile } from "@tilewise/tilewise/unstable/views";
 * import { boxMean, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint8Array(1200).fill(7), shape: [30, 40] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * await mapViews(image, boxMean(), { sink: tiffFile(`${folder}/mean.tif`, { tile: 16, levels: 2 }), context });
 * const start = await Deno.readFile(`${folder}/mean.tif`);
 * assertEquals([...start.subarray(0, 4)], [0x49, 0x49, 42, 0]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function tiffFile(path: string, options: TiffOptions = {}): ChunkSink {
  return chunkSink(tiffKind.file(path, options));
}

/**
 * An OME-TIFF file at `path`: as {@link tiffFile}, with OME-XML that says what the dimensions are and how large pixels are.
 * By default it is a pyramid with as many levels as needed until one fits into a tile.
 *
 * It takes two to five dimensions; those before the last two are time, channel and depth.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { omeTiffFile } from "@tilewise/tilewise/unstable/views";
 * import { localMaximum, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint16Array(60 * 90), shape: [60, 90] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * await mapViews(image, localMaximum(), { sink: omeTiffFile(`${folder}/max.ome.tif`, { tile: 32 }), context });
 * const text = new TextDecoder().decode(await Deno.readFile(`${folder}/max.ome.tif`));
 * assertEquals(text.includes('DimensionOrder="XYZCT" Type="uint16" SizeX="90"'), true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function omeTiffFile(path: string, options: TiffOptions = {}): ChunkSink {
  return chunkSink(omeTiffKind.file(path, options));
}
