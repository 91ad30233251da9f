/**
 * Sinks that write Zarr: arrays and OME-Zarr pyramids.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames } from "../../options.ts";
import { text } from "../../options/rules.ts";
import { insideOf } from "../../runner/face.ts";
import { type ChosenCodec, codecOf, defaultChunk } from "../../sinks/chunks/chunk_options.ts";
import { ZARR_CODECS } from "../../sinks/zarr/metadata.ts";
import { mustBeStore } from "../../sinks/zarr/replaced.ts";
import { chunksPerShard } from "../../sinks/zarr/shards.ts";
import { ZARR_OPTIONS, type ZarrOptions, zarrTarget } from "../../sinks/zarr/target.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { ArrayFacts } from "../array.ts";
import { arrayOfPlan, type MapPlan } from "../map/facts.ts";
import type { ChunkSink } from "../map/sink.ts";
import type { PartsSink } from "./chunks/parts.ts";
import { storePlan } from "./chunks/store.ts";
import { type ChunkFacts, tilesOfChunks } from "./chunks/tiles.ts";

/**
 * A Zarr array in the folder `path`, for the result of {@link mapViews}. With `levels` it is a pyramid, as
 * {@link omeZarrFile} writes it.
 *
 * Chunks are computed and compressed by workers. Those of zeros only are not stored. The bytes in the folder do not depend
 * on the number of workers. The folder appears when it is complete, and replaces an older Zarr folder of that name; if the
 * run fails, the older one is not changed.
 *
 * Errors: `invalid` for a folder with files that are being read, or that is no Zarr store, and errors of writing.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { boxMean, mapViews, zarrFile } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint8Array(40).fill(7), shape: [4, 10] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sink = zarrFile(`${folder}/mean.zarr`, { chunk: [2, 5], shard: [4, 10], codec: "zstd:3" });
 * await mapViews(image, boxMean(), { sink, context });
 * const { shape, data_type } = JSON.parse(await Deno.readTextFile(`${folder}/mean.zarr/zarr.json`));
 * assertEquals([shape, data_type], [[4, 10], "float32"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function zarrFile(path: string, options: ZarrOptions = {}): ChunkSink {
  const { levels = 1 } = options;
  return zarrSink("zarrFile()", path, { ...options, levels }, levels !== 1);
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
 * import { localMaximum, mapViews, omeZarrFile } from "@tilewise/tilewise/views";
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
  return zarrSink("omeZarrFile()", path, options, true);
}

/** A signal of HyperSpy in the folder `path`, as its `.zspy` are. */
export function zspyFile(path: string, options: ZarrOptions = {}): ChunkSink {
  return zarrSink("fileSink()", path, { ...options, format: 2, levels: 1 }, false, true);
}

function zarrSink(
  call: string,
  path: string,
  options: ZarrOptions,
  isGroup: boolean,
  isSignal: boolean = false,
): ChunkSink {
  text(call, "path", path);
  checkOptionNames(call, options, ZARR_OPTIONS);
  const { chunk, resume = false } = options;
  const codec = codecOf(call, "codec", options.codec ?? "zstd", ZARR_CODECS);
  mustExist(call, codec, options);
  if (isArchive(path)) mustHaveNoShards(call, options);
  const place = { path, resume };
  const sink: PartsSink = {
    takes: "tiles",
    tile: ({ shape, dtype }) => chunk ?? defaultChunk(shape, dtype),
    tiles: (facts, room) => tilesOfChunks(orderOf(call, options, facts), room),
    target(plan) {
      if (isArchive(path)) mustHaveChunks(call, plan.shape);
      const array = { ...arrayOfPlan(plan, stemOf(path)), chunk: chunk ?? chunkOf(call, plan, options) };
      return zarrTarget(call, array, options, { codec, isGroup, isSignal, isArchive: isArchive(path) });
    },
    async store(plan, settings, earlier) {
      const target = sink.target(plan);
      if (!isArchive(path)) await mustBeStore(path);
      await storePlan(plan, settings, target, earlier ? { ...place, earlier } : place);
    },
  };
  return sink;
}

/** The chunks of an array, and those of a shard. */
function orderOf(call: string, options: ZarrOptions, { shape, dtype }: ArrayFacts): ChunkFacts {
  const chunk = options.chunk ?? defaultChunk(shape, dtype);
  const facts = { shape, dtype, chunk };
  if (options.shard === undefined || chunk.length !== shape.length) return facts;
  const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
  return { ...facts, perFile: chunksPerShard(call, options.shard, { chunk, counts, dtype }) };
}

/** Refuses codecs and shards that the version of Zarr does not have. */
function mustExist(call: string, { name }: ChosenCodec, { format = 3, shard }: ZarrOptions): void {
  const wrong = format === 3 && name === "zlib"
    ? ["codec", "zlib", "zlib is a codec of version 2; gzip is its counterpart"]
    : format === 2 && shard !== undefined
    ? ["shard", "given", "version 2 of Zarr has no shards"]
    : undefined;
  if (!wrong) return;
  const [option, found, reason] = wrong as [string, string, string];
  throw new TilewiseError("invalid", `${call}: ${reason}`, { option, found });
}

/** Whether a path is that of an archive. */
function isArchive(path: string): boolean {
  return /\.zip$/i.test(path);
}

/** Archives have chunks as entries; shards would be archives of their own inside. */
function mustHaveNoShards(call: string, { shard }: ZarrOptions): void {
  if (shard === undefined) return;
  const text =
    `${call}: the option "shard" combines chunks in files; a zip archive does so already: leave it out`;
  throw new TilewiseError("invalid", text, { option: "shard", found: "given" });
}

/** An archive has an entry at least. */
function mustHaveChunks(call: string, shape: Shape): void {
  if (sizeOf(shape) > 0) return;
  const text =
    `${call}: cannot write ${showShape(shape)} samples as a zip archive: it would have no chunks; ` +
    ".zarr takes any shape";
  throw new TilewiseError("unsupported", text, { found: showShape(shape) });
}

/** The chunk of a plan: the usual one if its tiles are some of these, else its tile. */
function chunkOf(
  call: string,
  { shape, dtype, blocks: { grid }, context }: MapPlan,
  options: ZarrOptions,
): Shape {
  const order = orderOf(call, options, { shape, dtype, byteOrder: "little" });
  const isUsual = tilesOfChunks(order, insideOf(context)).some((tile) => sameShape(tile, grid.tile));
  return isUsual ? order.chunk : grid.tile;
}

/** The last part of a path, without its ending. */
function stemOf(path: string): string {
  return path.replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "").replace(/((\.ome)?\.zarr(\.zip)?|\.zspy)$/, "");
}
