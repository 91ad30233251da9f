/**
 * The manifest of a result that is stored in chunks, such as Zarr and TIFF: a conversion, or what filters make.
 *
 * A unit is a stretch of chunks of the first level, in the order in which they lie in the files.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/face.ts";
import type { Cut } from "../../runner/parts.ts";
import { pieces } from "../../runner/pieces.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { MapInput } from "../../views/array.ts";
import type { MapPlan } from "../../views/map/map_plan.ts";
import { planInto } from "../../views/map/plan.ts";
import type { ViewOperations } from "../../views/operations/chain.ts";
import { bytesPerChunk, firstChunks, isPartsSink, type PartsSink } from "../../views/sinks/chunks/parts.ts";
import type { ChunkTarget } from "../../sinks/chunks/target.ts";
import { endingAt } from "../../sinks/registry.ts";
import { fileSink, type FileSinkOptions } from "../../views/sinks/registry.ts";
import type { PartStore } from "../store/store.ts";
import type { Json } from "../manifest/json.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { Data } from "../manifest/values.ts";
import { openedAgain } from "./common.ts";
import { operationAgain, type PlannedMap, type ViewOptions, viewsManifest } from "./views_manifest.ts";

/** The files that are written, without their path. */
export interface FileKind {
  /** The ending of the path. */
  readonly ending: string;
  /** Options of `fileSink`. */
  readonly options: Omit<FileSinkOptions, "resume">;
}

/** A result in chunks that is planned. */
export interface PlannedFile extends Omit<PlannedMap, "command"> {
  /** The files. */
  readonly file: FileKind;
}

/** The kind of the files at `path`. Errors: `unsupported` for paths whose files are not written in chunks. */
export function fileKind(path: string, { resume: _, ...given }: FileSinkOptions): FileKind {
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const file = { ending: endingAt(path, "results") ?? "", options };
  sinkFor(path, file);
  return file;
}

/** The sink that writes files of this kind to `path`. Errors: `invalid` for a path with another ending. */
export function sinkFor(path: string, { ending, options }: FileKind): PartsSink {
  const sink = fileSink(path, options);
  if (endingAt(path, "results") !== ending) {
    const text = `Cannot write ${path}: the parts are of a ${ending}; give a name with this ending`;
    throw new TilewiseError("invalid", text, { file: path, expected: ending });
  }
  if (isPartsSink(sink)) return sink;
  throw new TilewiseError("unsupported", `Files as ${path} are not written in chunks`, { file: path });
}

/** Plans `operation` over an array, for files of this kind. */
export async function plannedFor(
  array: MapInput,
  operation: ViewOperations,
  options: ViewOptions,
  file: FileKind,
  context: Context | undefined,
): Promise<MapPlan> {
  const sink = sinkFor(`parts${file.ending}`, file);
  return await planInto("convert", array, operation, { ...options, ...(context ? { context } : {}) }, sink);
}

/** How the result of a plan lies in files of this kind, whatever they are called. */
export function targetFor(plan: MapPlan, file: FileKind): ChunkTarget {
  return sinkFor(`parts${file.ending}`, file).target(plan);
}

/** The manifest of a planned result, and the arrays that it names. Errors: as those of filters. */
export async function convertManifest(
  planned: PlannedFile,
): Promise<{ manifest: ClusterManifest; data: Data }> {
  const { plan, file } = planned;
  const work = chunkWork(plan, targetFor(plan, file));
  return await viewsManifest(planned, { kind: "convert", work, more: { file: file as unknown as Json } });
}

/** The cut of a result; it depends on its shape and type, and on its chunks. */
export function chunkWork(plan: MapPlan, target: ChunkTarget): Cut {
  const { array } = plan.views;
  const bytes = sizeOf(array.shape) * dtypeInfo(array.dtype).itemSize;
  return pieces(firstChunks(target), bytesPerChunk(target, plan), 1, bytes);
}

/** The plan of a manifest in `context`, and the files; the source is opened. */
export async function conversionAgain(
  store: PartStore,
  manifest: ClusterManifest,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<{ plan: MapPlan; file: FileKind }> {
  const dataset = await openedAgain(store, manifest, signal);
  const { operation, options } = await operationAgain(store, manifest);
  const { file } = manifest.what as unknown as { readonly file: FileKind };
  return { plan: await plannedFor(dataset, operation, options, file, context), file };
}
