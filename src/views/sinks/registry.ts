/**
 * The table of sinks that write files, by the ending of the path.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkNames, isNamed, nearest } from "../../options.ts";
import type { DType } from "../../space/dtype.ts";
import { npyFile } from "../map/npy_file.ts";
import type { ChunkSink, MapSink } from "../map/sink.ts";
import { omeTiffFile, TIFF_OPTIONS, tiffFile, type TiffOptions } from "./tiff/tiff_file.ts";
import { omeZarrFile, ZARR_OPTIONS, zarrFile, type ZarrOptions } from "./zarr/zarr_file.ts";

/** One kind of files. */
interface FileKind {
  /** Endings of paths, lower case; of several that fit, the first in the table counts. */
  readonly endings: readonly string[];
  /** Names of the options. */
  readonly options: readonly string[];
  /** The sink. */
  readonly sink: (path: string, options: ZarrOptions & TiffOptions) => MapSink | ChunkSink;
}

/** An archive combines chunks itself. */
const ARCHIVE_OPTIONS = Object.keys(ZARR_OPTIONS).filter((name) => name !== "shard");

const KINDS: readonly FileKind[] = [
  { endings: [".ome.zarr.zip"], options: ARCHIVE_OPTIONS, sink: omeZarrFile },
  { endings: [".zarr.zip"], options: ARCHIVE_OPTIONS, sink: zarrFile },
  { endings: [".ome.zarr"], options: Object.keys(ZARR_OPTIONS), sink: omeZarrFile },
  { endings: [".zarr"], options: Object.keys(ZARR_OPTIONS), sink: zarrFile },
  { endings: [".ome.tif", ".ome.tiff"], options: Object.keys(TIFF_OPTIONS), sink: omeTiffFile },
  { endings: [".tif", ".tiff"], options: Object.keys(TIFF_OPTIONS), sink: tiffFile },
  { endings: [".npy"], options: [], sink: (path) => npyFile(path) },
];

/** The endings of all files that sinks write. */
export const SINK_ENDINGS: readonly string[] = KINDS.flatMap(({ endings }) => endings);

/**
 * Options of {@link fileSink}: those of all kinds of files.
 * @category Views
 */
export type FileSinkOptions = ZarrOptions & TiffOptions;

/**
 * The sink that writes the file or folder `path`; its ending decides: `.ome.zarr`, `.zarr`, the same with `.zip` for one archive,
 * `.ome.tif`, `.tif` or `.npy`.
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
