/**
 * The sinks that write files, by their names in the table of all files.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkNames, isNamed, nearest } from "../../options.ts";
import type { DType } from "../../space/dtype.ts";
import { rowsFile } from "../map/rows_file.ts";
import type { ChunkSink, MapSink } from "../map/sink.ts";
import { type Keeps, MEASURED } from "../../sinks/losses.ts";
import { hyperspyTarget } from "../../sinks/rows/hyperspy.ts";
import { type ChunkId, endingsFor, type FileTarget, mustBeTarget, targetAt } from "../../sinks/registry.ts";
import { rowTargetById } from "../../sinks/rows/registry.ts";
import { omeTiffKept, omeTiffKinds, pagesOf } from "../../sinks/tiff/description.ts";
import { tiffKeeps } from "../../sinks/tiff/keeps.ts";
import { TIFF_OPTIONS, type TiffOptions } from "../../sinks/tiff/target.ts";
import { omeKept, omeKinds } from "../../sinks/zarr/ome.ts";
import { ZARR_OPTIONS, type ZarrOptions } from "../../sinks/zarr/target.ts";
import { omeTiffFile, tiffFile } from "./tiff_file.ts";
import { omeZarrFile, zarrFile, zspyFile } from "./zarr_file.ts";

/** How chunks are stored in one kind of files. */
interface ChunkFiles {
  /** Names of the options. */
  readonly options: readonly string[];
  /** What files of this kind keep of the description of an array. */
  readonly keeps: Keeps;
  /** The sink. */
  readonly sink: (path: string, options: ZarrOptions & TiffOptions) => ChunkSink;
}

/** HyperSpy has one level, and version 2 of Zarr. */
const ZSPY_OPTIONS = ["chunk", "codec", "axes", "values", "resume"];

/** Arrays of Zarr say everything in an attribute. */
const ZARR_KEEPS: Keeps = {
  axes: { ...MEASURED, names: true, signal: true },
  kinds: "said",
  scan: "said",
  values: ["kind", "unit", "missing"],
};
const TIFF = tiffKeeps(pagesOf);

const ALL_ZARR = Object.keys(ZARR_OPTIONS), ALL_TIFF = Object.keys(TIFF_OPTIONS);

const CHUNKS: Readonly<Record<ChunkId, ChunkFiles>> = {
  zarr: { options: ALL_ZARR, sink: zarrFile, keeps: ZARR_KEEPS },
  "ome-zarr": {
    options: ALL_ZARR,
    sink: omeZarrFile,
    keeps: { axes: omeKept, kinds: omeKinds, values: ["kind"] },
  },
  zspy: { options: ZSPY_OPTIONS, sink: zspyFile, keeps: hyperspyTarget.keeps },
  tiff: { options: ALL_TIFF, sink: tiffFile, keeps: TIFF },
  "ome-tiff": {
    options: ALL_TIFF,
    sink: omeTiffFile,
    keeps: { ...TIFF, axes: omeTiffKept, kinds: omeTiffKinds },
  },
};

/** The endings of all files that sinks write. */
export const SINK_ENDINGS: readonly string[] = endingsFor("results");

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
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { copySamples, fileSink, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint16Array(60 * 90), shape: [60, 90] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sink = fileSink(`${folder}/image.zarr`, { codec: "none" });
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
  const target = mustBeTarget(path, "results"), kind = chunksOf(target), names = kind?.options ?? [];
  if (!isNamed(options)) checkNames("fileSink() has no option", options, names);
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && !names.includes(option)) throw unknownOption(path, option, names);
  }
  return kind ? kind.sink(path, options) : rowsFile(rowTargetById(target.id), path);
}

/** What the file at `path` keeps of the description of an array. */
export function keptBy(path: string): Keeps {
  const target = targetAt(path, "results") ?? targetAt(path, "frames");
  return target === undefined ? {} : chunksOf(target)?.keeps ?? rowTargetById(target.id).keeps;
}

/** Whether a sink stores chunks at `path`. */
export function isChunkPath(path: string): boolean {
  return targetAt(path, "results")?.results === "chunks";
}

/** Whether a sink writes files with the ending of `path`. */
export function isSinkPath(path: string): boolean {
  return targetAt(path, "results") !== undefined;
}

/** How chunks are stored; `undefined` for files of rows. */
function chunksOf({ id, results }: FileTarget): ChunkFiles | undefined {
  return results === "chunks" ? CHUNKS[id as ChunkId] : undefined;
}

function unknownOption(path: string, option: string, options: readonly string[]): TilewiseError {
  const near = nearest(option, options);
  const others = options.length === 0 ? "it has none" : `it has ${options.join(", ")}`;
  const hint = near ? `did you mean "${near}"?` : others;
  const text = `fileSink(): the option "${option}" does not exist for ${path}; ${hint}`;
  return new TilewiseError("invalid", text, { option, ...(near ? { expected: near } : {}), file: path });
}
