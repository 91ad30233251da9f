/**
 * Stores the result of an operation over views in chunks: those that workers of this run make, and those that others have
 * made. This thread writes them in the order of the target.
 *
 * @module
 */

import { checksumOfRuntime } from "../../../io/checksum.ts";
import { mustNotBeRead } from "../../../io/file/same_file.ts";
import type { JournalRecord } from "../../../io/write/journal.ts";
import { writerAt } from "../../../io/write/part_file.ts";
import { PartialFolder } from "../../../io/write/partial_folder.ts";
import { type ReadAt, readerAt } from "../../../io/write/scratch.ts";
import { mustBeUnchanged } from "../../../io/unchanged.ts";
import { Runner } from "../../../runner/runner.ts";
import { TileCount } from "../../../runner/tiles.ts";
import { sourcesOfArray } from "../../array.ts";
import type { MapPlan } from "../../map/map_plan.ts";
import type { StoreSettings } from "../../map/sink.ts";
import { ChunkWriter, type IsKept } from "../../../sinks/chunks/chunk_writer.ts";
import { digestOf } from "../../../sinks/chunks/digest.ts";
import type { EncodedChunk } from "../../../sinks/chunks/made.ts";
import { chunksOf, inRows, makeChunks, suited } from "./making.ts";
import { halfAt } from "./halves.ts";
import type { ChunkPlace, ChunkTarget } from "../../../sinks/chunks/target.ts";

/** Chunks that others have made: the first ones of a target, in its order, with their halves. */
export type EarlierChunks = AsyncIterable<EncodedChunk>;

/** Where a result goes. */
export interface StorePlace {
  /** Path of the file or folder. */
  readonly path: string;
  /** Whether to go on with an earlier run of the same plan, and to keep what is complete if this one fails. */
  readonly resume: boolean;
  /** Chunks that need not be made. */
  readonly earlier?: EarlierChunks;
}

/** Runs the plan and stores its result at `place`; what was there stays until the result is complete. */
export async function storePlan(
  given: MapPlan,
  { beside, see, ...settings }: StoreSettings,
  target: ChunkTarget,
  { path, resume, earlier }: StorePlace,
): Promise<void> {
  const plan = suited(given, target);
  const sources = sourcesOfArray(plan.views.array);
  await mustNotBeRead([path], sources);
  const digest = await digestOf(decidesOf(plan, target));
  await using partial = await PartialFolder.open(path, { digest, resume, kind: target.kind });
  const halves = await makeHalves(target, partial);
  const writer = await ChunkWriter.open(target, partial, await keptHalves(plan, target, halves, path));
  const files = { path, halves, ...(target.isPlain ? { file: partial.result } : {}) };
  // what has been made before does not come by again, and is read from the finished file
  const rows = see && !earlier && writer.done === 0 ? inRows(plan, target) : undefined;
  const count = new TileCount(chunksOf(target));
  count.done = writer.done;
  const runner = new Runner(plan.context, settings, () => count.progress());
  const take = async (chunk: EncodedChunk) => {
    await writer.put(chunk);
    count.done = writer.done;
  };
  for await (
    const _ of runner.parts(async function* () {
      runner.mustGoOn();
      try {
        if (earlier) {
          for await (const chunk of withHalves(earlier, plan, target, files)) {
            runner.mustGoOn();
            await take(chunk);
          }
        }
        if (writer.done < count.total) {
          const range = { first: writer.done };
          await makeChunks(rows ?? plan, runner, target, range, files, take, rows && see);
        }
      } finally {
        writer.flush();
      }
      await mustBeUnchanged(sources, runner.signal);
      await writer.finish();
      runner.finish();
      yield* [];
    })
  );
  await partial.finish(writer.files(), await beside?.(partial.result)); // from here on a cancel comes too late
}

/** All on which the bytes of the result depend: array, operation and target. */
function decidesOf({ operation, facts, views, shape, dtype }: MapPlan, target: ChunkTarget): object {
  const { array, halo, borders, fill } = views;
  const { kind, chunk, levels, reduction, steps, sparse, facts: more } = target;
  return {
    operation: { operation: operation.operation, params: operation.params, halo: facts.halo },
    views: { array, halo, borders, fill },
    result: { shape, dtype },
    target: { kind, chunk, levels: levels.length, reduction, steps, sparse, more },
  };
}

/** The chunks, after their halves are in their files. */
async function* withHalves(
  chunks: EarlierChunks,
  { dtype }: MapPlan,
  target: ChunkTarget,
  { path, halves }: { readonly path: string; readonly halves: readonly string[] },
): AsyncGenerator<EncodedChunk, void> {
  const writes = await Promise.all(halves.map((file) => writerAt(file, path)));
  const places = target.places()[Symbol.iterator]();
  for await (const chunk of chunks) {
    const { level, index } = places.next().value as ChunkPlace;
    if (chunk.half) writes[level]?.(chunk.half, halfAt({ ...target, dtype }, level, index).position);
    yield chunk;
  }
}

/** The files for halves of all levels but the last. */
async function makeHalves({ levels }: ChunkTarget, partial: PartialFolder): Promise<string[]> {
  const paths = levels.slice(1).map((_, level) => `${partial.folder}/halves-${level}`);
  for (const path of paths) await partial.makeFile(path);
  return paths;
}

/** Compares the halves of an earlier run with their checksums. */
async function keptHalves(
  { dtype }: MapPlan,
  target: ChunkTarget,
  halves: readonly string[],
  path: string,
): Promise<IsKept> {
  const reads: ReadAt[] = await Promise.all(halves.map((file) => readerAt(file, path)));
  const checksum = await checksumOfRuntime();
  return ({ level, index }: ChunkPlace, { kept }: JournalRecord) => {
    const read = reads[level];
    if (!read) return true;
    const { position, bytes } = halfAt({ ...target, dtype }, level, index);
    const half = new Uint8Array(bytes);
    return read(half, position) === bytes && checksum(half) === kept;
  };
}
