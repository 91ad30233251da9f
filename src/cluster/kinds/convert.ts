/**
 * Results that are stored in chunks, such as Zarr and TIFF, part by part: conversions, or what filters make. A part has some
 * chunks of the first level as they lie in the files, in their order, and what the next level needs of them.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/context.ts";
import { type Cut, cutEvenly } from "../../runner/parts.ts";
import type { TileProgress } from "../../runner/progress.ts";
import { joinedBytes } from "../../space/bytes.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { EncodedChunk } from "../../sinks/chunks/made.ts";
import type { ChunkTarget } from "../../sinks/chunks/target.ts";
import { endingAt } from "../../sinks/registry.ts";
import { type MapInput, sourcesOfArray } from "../../views/array.ts";
import { arrayOfPlan, type MapPlan } from "../../views/map/map_plan.ts";
import { planInto } from "../../views/map/plan.ts";
import { isChunkSink, type StoredSink } from "../../views/map/sink.ts";
import type { ViewOperations } from "../../views/operations/chain.ts";
import { bytesPerChunk, firstChunks, halfSizes, makePart } from "../../views/sinks/chunks/store.ts";
import { fileSink, type FileSinkOptions } from "../../views/sinks/registry.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import { nodeName } from "../store/node.ts";
import type { Part } from "../store/part.ts";
import { type NamedData, openedAgain, whatOf } from "./common.ts";
import { type AllMade, misfit, type Opening, type Parted, settingsOf } from "./parted.ts";
import { operationAgain, type PlannedMap, type ViewOptions, viewsManifest } from "./views_manifest.ts";

/** The files that are written, without their path. */
export interface FileKind {
  /** The ending of the path. */
  readonly ending: string;
  /** Options of `fileSink`. */
  readonly options: Omit<FileSinkOptions, "resume">;
}

/** A result in chunks that is planned. */
interface PlannedFile extends Omit<PlannedMap, "command"> {
  /** The files. */
  readonly file: FileKind;
}

/** The kind of the files at `path`. Errors: `unsupported` for paths whose files are not written in chunks. */
export function fileKind(path: string, { resume: _, ...given }: FileSinkOptions): FileKind {
  const file = { ending: endingAt(path, "results") ?? "", options: defined(given) };
  sinkFor(path, file);
  return file;
}

/** The sink that writes files of this kind to `path`. Errors: `invalid` for a path with another ending. */
function sinkFor(path: string, { ending, options }: FileKind): StoredSink {
  const sink = fileSink(path, options);
  if (endingAt(path, "results") !== ending) {
    const text = `the parts are of a ${ending}; give a name with this ending`;
    throw cannot("write", path, "invalid", text, { expected: ending });
  }
  if (isChunkSink(sink)) return sink;
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
  return await planInto("convert", array, operation, { ...options, ...defined({ context }) }, sink);
}

/** How the result of a plan lies in files of this kind, whatever they are called. */
function targetFor(plan: MapPlan, file: FileKind): ChunkTarget {
  return sinkFor(`parts${file.ending}`, file).target(plan);
}

/** The manifest of a planned result, and the arrays that it names. Errors: as those of filters. */
export async function convertManifest(planned: PlannedFile): Promise<NamedData> {
  const { plan, file } = planned;
  const work = chunkWork(plan, targetFor(plan, file));
  return await viewsManifest(planned, { kind: "convert", work, more: { file } });
}

/** The cut of a result; it depends on its shape and type, and on its chunks. */
function chunkWork(plan: MapPlan, target: ChunkTarget): Cut {
  const { array } = plan.views;
  const bytes = sizeOf(array.shape) * dtypeInfo(array.dtype).itemSize;
  return cutEvenly(firstChunks(target), bytesPerChunk(target, plan), 1, bytes);
}

/** The run of a manifest. */
export async function openConversion({ store, manifest, context, signal }: Opening): Promise<Parted> {
  const dataset = await openedAgain(store, manifest, signal);
  const { operation, options } = await operationAgain(store, manifest);
  const { file } = await whatOf<{ readonly file: FileKind }>(store, manifest);
  return convertParts(await plannedFor(dataset, operation, options, file, context), file);
}

/** The parts of a plan for files of this kind. */
export function convertParts(plan: MapPlan, file: FileKind): Parted {
  const target = targetFor(plan, file);
  return {
    cut: chunkWork(plan, target),
    result: arrayOfPlan(plan, ""),
    inputs: () => identitiesOf(sourcesOfArray(plan.views.array)),
    async compute({ start: first, frames }, { signal, onProgress }) {
      const chunks = new Gathered(), halves = new Gathered();
      const checksums: number[] = [], kept: number[] = [];
      const range = { first, stop: first + frames };
      await makePart(plan, defined({ signal }), target, range, (chunk) => {
        chunks.add(chunk.bytes as Uint8Array); // no file is given to workers
        halves.add(chunk.half ?? NOTHING);
        checksums.push(chunk.checksum);
        kept.push(chunk.kept);
        onProgress?.(checksums.length);
      });
      const arrays = {
        sizes: Float64Array.from(chunks.sizes),
        checksums: Float64Array.from(checksums),
        kept: Float64Array.from(kept),
        chunks: chunks.joined(),
        halves: halves.joined(),
      };
      return { arrays };
    },
    results() {
      const text =
        "The result of this run is written to files, not to memory: mergeInto(), or tilewise merge -o";
      return Promise.reject(new TilewiseError("unsupported", text, { expected: file.ending }));
    },
    files(path) {
      sinkFor(path, file);
      return [path];
    },
    /** Writes the chunks in the order of the files, and makes the smaller levels. */
    async into(path, all, control) {
      const settings = settingsOf(control, ({ tiles }: TileProgress) => tiles);
      await sinkFor(path, file).store(plan, settings, chunksOf(all, halfSizes(plan, target)));
    },
  };
}

/** The chunks of all parts, in order. */
async function* chunksOf({ units }: AllMade, sizes: Iterator<number>): AsyncGenerator<EncodedChunk, void> {
  for (const { frames, read } of units) {
    const own = Array.from({ length: frames }, () => sizes.next().value ?? 0);
    yield* chunksIn(await read(), own);
  }
}

const NOTHING = new Uint8Array(0);

/** Bytes one after another. */
class Gathered {
  readonly sizes: number[] = [];
  readonly #all: Uint8Array[] = [];

  /** Adds a copy. */
  add(bytes: Uint8Array): void {
    this.sizes.push(bytes.length);
    if (bytes.length > 0) this.#all.push(bytes.slice());
  }

  joined(): Uint8Array {
    return joinedBytes(this.#all);
  }
}

/** The chunks of a part; `halfSizes` are the bytes of their halves. */
function* chunksIn({ node, arrays }: Part, halfSizes: readonly number[]): Generator<EncodedChunk> {
  const { sizes = [], checksums = [], kept = [], chunks = NOTHING, halves = NOTHING } = arrays as Partial<
    Record<string, Float64Array> & Record<"chunks" | "halves", Uint8Array>
  >;
  const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((all, n) => all + n, 0);
  const count = halfSizes.length;
  const fits = [sizes, checksums, kept].every(({ length }) => length === count) &&
    sum(sizes) === chunks.length && sum(halfSizes) === halves.length;
  if (!fits) throw misfit(nodeName(node), "it has other chunks");
  let [at, half] = [0, 0];
  for (const [i, size] of halfSizes.entries()) {
    const bytes = chunks.subarray(at, at += sizes[i] ?? 0);
    const own = size > 0 ? { half: halves.subarray(half, half += size) } : {};
    yield { bytes, checksum: checksums[i] ?? 0, kept: kept[i] ?? 0, ...own };
  }
}
