/**
 * Results in Zarr: arrays, OME-Zarr pyramids, and signals of HyperSpy, in folders and archives.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames } from "../../options.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { type ChosenCodec, codecOf, defaultChunk } from "../chunks/chunk_options.ts";
import type { ChunkedArray, ChunkFile, ChunkKind } from "../chunks/file.ts";
import { HYPERSPY_KEEPS } from "../hyperspy_signal.ts";
import { MEASURED } from "../losses.ts";
import { mustBeStore, ZARR_CODECS } from "./metadata.ts";
import { omeKept, omeKinds } from "./ome.ts";
import { chunksPerShard } from "./shards.ts";
import { ZARR_OPTIONS, type ZarrOptions, zarrTarget, type ZarrWay } from "./target.ts";

const ALL = Object.keys(ZARR_OPTIONS);

/** An array, which says everything in an attribute; with levels, a pyramid as OME-Zarr has it. */
export const zarrKind: ChunkKind<ZarrOptions> = {
  options: ALL,
  keeps: {
    axes: { ...MEASURED, names: true, signal: true, upwards: true },
    kinds: "said",
    scan: "said",
    values: ["kind", "unit", "missing", "of"],
  },
  file(path, { levels = 1, ...options }) {
    return zarrStore(path, { ...options, levels }, { isGroup: levels !== 1 });
  },
};

/** A pyramid. */
export const omeZarrKind: ChunkKind<ZarrOptions> = {
  options: ALL,
  keeps: {
    axes: omeKept,
    kinds: omeKinds,
    values: (array) => {
      if (array.values?.kind === "label") return ["kind"];
      return omeKinds(array).includes("channel") ? [] : ["channel"];
    },
  },
  file: (path, options) => zarrStore(path, options, { isGroup: true }),
};

/** A signal: HyperSpy has one level, and version 2 of Zarr. */
export const zspyKind: ChunkKind<ZarrOptions> = {
  options: ["chunk", "compression", "axes", "values", "resume"],
  keeps: HYPERSPY_KEEPS,
  file: (path, options) =>
    zarrStore(path, { ...options, format: 2, levels: 1 }, { isGroup: false, isSignal: true }),
};

function zarrStore(
  path: string,
  options: ZarrOptions,
  way: Pick<ZarrWay, "isGroup" | "isSignal">,
): ChunkFile {
  checkOptionNames("fileSink()", options, ZARR_OPTIONS);
  const { chunk: asked, shard, resume = false } = options;
  const codec = codecOf("fileSink()", "compression", options.compression ?? "zstd", ZARR_CODECS);
  const isArchive = /\.zip$/i.test(path);
  mustAgree(codec, options, isArchive);
  return {
    path,
    resume,
    takesAnyChunk: asked === undefined,
    chunked({ shape, dtype }): ChunkedArray {
      const chunk = asked ?? defaultChunk(shape, dtype);
      mustFit(chunk, shape);
      if (shard === undefined) return { shape, dtype, chunk };
      const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
      return { shape, dtype, chunk, perFile: chunksPerShard(shard, { chunk, counts, dtype }) };
    },
    target(array) {
      if (isArchive) mustHaveChunks(array.shape);
      return zarrTarget(array, options, { ...way, codec, isArchive });
    },
    ...(isArchive ? {} : { mayReplace: () => mustBeStore(path) }),
  };
}

function mustFit(chunk: Shape, shape: Shape): void {
  if (chunk.length === shape.length) return;
  const text =
    `fileSink(): the option "chunk" is ${showShape(chunk)}; it must have one size for each dimension of ` +
    showShape(shape);
  throw new TilewiseError("invalid", text, { option: "chunk", expected: shape.length, found: chunk.length });
}

/** Refuses options that do not go together: versions of Zarr have other codecs, archives have chunks as entries. */
function mustAgree(
  { name }: ChosenCodec,
  { format = 3, shard }: ZarrOptions,
  isArchive: boolean,
) {
  const refused = (option: string, found: string, reason: string) =>
    new TilewiseError("invalid", `fileSink(): ${reason}`, { option, found });
  if (format === 3 && name === "zlib") {
    throw refused("compression", name, "zlib is a codec of version 2; gzip is its counterpart");
  }
  if (shard === undefined) return;
  if (format === 2) throw refused("shard", "given", "version 2 of Zarr has no shards");
  const reason = 'the option "shard" combines chunks in files; a zip archive does so already: leave it out';
  if (isArchive) throw refused("shard", "given", reason);
}

/** An archive has an entry at least. */
function mustHaveChunks(shape: Shape): void {
  if (sizeOf(shape) > 0) return;
  const text =
    `fileSink(): cannot write ${showShape(shape)} samples as a zip archive: it would have no chunks; ` +
    ".zarr takes any shape";
  throw new TilewiseError("unsupported", text, { found: showShape(shape) });
}
