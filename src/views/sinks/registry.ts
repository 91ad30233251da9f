/**
 * The table of sinks that write files, by the ending of the path.
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
import { ARRAY_TARGETS } from "../../sinks/rows/registry.ts";
import { omeTiffKept } from "../../sinks/tiff/description.ts";
import { TIFF_OPTIONS, type TiffOptions } from "../../sinks/tiff/target.ts";
import { omeKept } from "../../sinks/zarr/ome.ts";
import { ZARR_OPTIONS, type ZarrOptions } from "../../sinks/zarr/target.ts";
import { omeTiffFile, tiffFile } from "./tiff_file.ts";
import { omeZarrFile, zarrFile, zspyFile } from "./zarr_file.ts";

/** One kind of files. */
interface FileKind {
  /** Endings of paths, lower case; of several that fit, the first in the table counts. */
  readonly endings: readonly string[];
  /** Names of the options. */
  readonly options: readonly string[];
  /** What files of this kind keep of the description of an array. */
  readonly keeps: Keeps;
  /** Whether samples are stored in chunks, and not row by row. */
  readonly isChunked: boolean;
  /** The sink. */
  readonly sink: (path: string, options: ZarrOptions & TiffOptions) => MapSink | ChunkSink;
}

/** An archive combines chunks itself. */
const ARCHIVE_OPTIONS = Object.keys(ZARR_OPTIONS).filter((name) => name !== "shard");

/** HyperSpy has one level, and version 2 of Zarr. */
const ZSPY_OPTIONS = ["chunk", "codec", "axes", "values", "resume"];

/** Arrays of Zarr say everything in an attribute. */
const ZARR_KEEPS: Keeps = {
  axes: { ...MEASURED, names: true, signal: true },
  values: ["kind", "unit", "missing"],
};
const OME_ZARR: Keeps = { axes: omeKept, values: ["kind"] };
const OME_TIFF: Keeps = { axes: omeTiffKept };

const ALL_ZARR = Object.keys(ZARR_OPTIONS), ALL_TIFF = Object.keys(TIFF_OPTIONS);
const CHUNKS: readonly Omit<FileKind, "isChunked">[] = [
  { endings: [".ome.zarr.zip"], options: ARCHIVE_OPTIONS, sink: omeZarrFile, keeps: OME_ZARR },
  { endings: [".zarr.zip"], options: ARCHIVE_OPTIONS, sink: zarrFile, keeps: ZARR_KEEPS },
  { endings: [".ome.zarr"], options: ALL_ZARR, sink: omeZarrFile, keeps: OME_ZARR },
  { endings: [".zarr"], options: ALL_ZARR, sink: zarrFile, keeps: ZARR_KEEPS },
  { endings: [".zspy"], options: ZSPY_OPTIONS, sink: zspyFile, keeps: hyperspyTarget.keeps },
  { endings: [".ome.tif", ".ome.tiff"], options: ALL_TIFF, sink: omeTiffFile, keeps: OME_TIFF },
  { endings: [".tif", ".tiff"], options: ALL_TIFF, sink: tiffFile, keeps: {} },
];

const ROWS = ARRAY_TARGETS.map((target): FileKind => ({
  endings: target.extensions.map((extension) => `.${extension}`),
  options: [],
  keeps: target.keeps,
  isChunked: false,
  sink: (path) => rowsFile(target, path),
}));

const KINDS: readonly FileKind[] = [...CHUNKS.map((kind) => ({ ...kind, isChunked: true })), ...ROWS];

/** The endings of all files that sinks write. */
export const SINK_ENDINGS: readonly string[] = KINDS.flatMap(({ endings }) => endings);

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
  const kind = kindOf(path);
  if (!kind) {
    const expected = SINK_ENDINGS.join(", ");
    const text = `Cannot write results to ${path}: the name must end with one of ${expected}`;
    throw new TilewiseError("unsupported", text, { file: path, expected });
  }
  if (!isNamed(options)) checkNames("fileSink() has no option", options, kind.options);
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && !kind.options.includes(option)) throw unknownOption(path, option, kind);
  }
  return kind.sink(path, options);
}

/** What the file at `path` keeps of the description of an array. */
export function keptBy(path: string): Keeps {
  return kindOf(path)?.keeps ?? {};
}

/** Whether a sink stores chunks at `path`. */
export function isChunkPath(path: string): boolean {
  return kindOf(path)?.isChunked ?? false;
}

/** Whether a sink writes files with the ending of `path`. */
export function isSinkPath(path: string): boolean {
  return kindOf(path) !== undefined;
}

/** The ending of `path` by which its sink is found, in lower case. */
export function sinkEnding(path: string): string | undefined {
  const name = nameOf(path);
  return kindOf(path)?.endings.find((ending) => name.endsWith(ending));
}

function kindOf(path: string): FileKind | undefined {
  const name = nameOf(path);
  return KINDS.find(({ endings }) => endings.some((ending) => name.endsWith(ending)));
}

/** A path in lower case, without slashes at its end. */
function nameOf(path: string): string {
  return path.toLowerCase().replace(/[/\\]+$/, "");
}

function unknownOption(path: string, option: string, { options }: FileKind): TilewiseError {
  const near = nearest(option, options);
  const others = options.length === 0 ? "it has none" : `it has ${options.join(", ")}`;
  const hint = near ? `did you mean "${near}"?` : others;
  const text = `fileSink(): the option "${option}" does not exist for ${path}; ${hint}`;
  return new TilewiseError("invalid", text, { option, ...(near ? { expected: near } : {}), file: path });
}
