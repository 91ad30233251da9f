/**
 * Stores the result of an operation over views in chunks: those that workers of this run make, and those that others have
 * made. This thread writes them in the order of the target.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { checksumOfRuntime } from "../../../io/checksum.ts";
import { mustNotBeRead } from "../../../io/file/same_file.ts";
import { mustBeUnchanged } from "../../../io/unchanged.ts";
import type { JournalRecord } from "../../../io/write/journal.ts";
import { writerAt } from "../../../io/write/part_file.ts";
import { PartialFolder } from "../../../io/write/partial_folder.ts";
import { cutOff, type ReadAt, readerAt } from "../../../io/write/scratch.ts";
import { insideOf } from "../../../runner/context.ts";
import { Runner } from "../../../runner/runner.ts";
import { TileCount } from "../../../runner/progress.ts";
import { ChunkWriter, type IsKept } from "../../../sinks/chunks/chunk_writer.ts";
import { digestOf } from "../../../sinks/chunks/digest.ts";
import { type ChunkFile, stemOfResult } from "../../../sinks/chunks/file.ts";
import type { EncodedChunk } from "../../../sinks/chunks/made.ts";
import type { ChunkPlace, ChunkTarget } from "../../../sinks/chunks/target.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sameShape, type Shape, sizeOf } from "../../../space/shape.ts";
import { sourcesOfArray } from "../../array.ts";
import { arrayOfPlan, type MapPlan, type MapRunOptions } from "../../map/map_plan.ts";
import type { EarlierChunks, SeeSamples, StoredSink, StoreSettings } from "../../map/sink.ts";
import { halfAt, tilesOfChunks } from "./halves.ts";
import {
  type ChunkRange,
  chunksOf,
  inRows,
  makeChunks,
  suited,
  type TakeBlock,
  type TakeChunk,
} from "./making.ts";
import { SamplesInOrder } from "./samples_in_order.ts";

/** Where a result goes. */
interface StorePlace {
  /** Path of the file or folder. */
  readonly path: string;
  /** Whether to go on with an earlier run of the same plan, and to keep what is complete if this one fails. */
  readonly resume: boolean;
  /** Chunks that need not be made. */
  readonly earlier?: EarlierChunks;
}

/** Runs the plan and stores its result at `place`; what was there stays until the result is complete. */
async function storePlan(
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
          const put = rows && see && inOrder(rows, see, partial);
          await makeChunks(rows ?? plan, runner, target, range, files, take, put);
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

/** What shows the samples of blocks; those that come too early wait in the hidden folder. */
function inOrder(plan: MapPlan, see: SeeSamples, partial: PartialFolder): TakeBlock {
  const { folder, path } = partial, file = `${folder}/waiting`;
  const samples = new SamplesInOrder(plan, see, async () => {
    await partial.makeFile(file);
    const read = await readerAt(file, path);
    return {
      write: await writerAt(file, path),
      read(into, position) {
        if (read(into, position) < into.length) throw cutOff(file, path);
      },
    };
  });
  return (block) => samples.put(block);
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

// Results in chunks that many machines make: each makes some chunks of the first level, encoded and with what the next level
// needs of them; one machine writes them in their order, and makes the smaller levels.

/** Makes the chunks of the first level in `range`, and gives them to `take` in the order of the target. */
export async function makePart(
  given: MapPlan,
  settings: MapRunOptions,
  target: ChunkTarget,
  range: Required<ChunkRange>,
  take: TakeChunk,
): Promise<void> {
  const plan = suited(given, target);
  const count = new TileCount(range.stop - range.first);
  const runner = new Runner(plan.context, settings, () => count.progress());
  const taken: TakeChunk = async (chunk) => {
    await take(chunk);
    count.done++;
  };
  for await (
    const _ of runner.parts(async function* () {
      runner.mustGoOn();
      await makeChunks(plan, runner, target, range, { path: "", halves: [] }, taken);
      await mustBeUnchanged(sourcesOfArray(plan.views.array), runner.signal);
      runner.finish();
      yield* [];
    })
  );
}

/** Chunks of the first level. */
export function firstChunks({ levels: [first] }: ChunkTarget): number {
  return first ? sizeOf(first.counts) : 0;
}

/** Bytes of the samples of a chunk. */
export function bytesPerChunk({ chunk }: ChunkTarget, { dtype }: MapPlan): number {
  return sizeOf([...chunk, dtypeInfo(dtype).itemSize]);
}

/** Bytes of the halves of the chunks of the first level, one by one; zeros if there is one level. */
export function* halfSizes({ dtype }: MapPlan, target: ChunkTarget): Generator<number, void> {
  const { chunk, levels } = target;
  for (const { level, index } of target.places()) {
    if (level > 0) return;
    yield levels.length > 1 ? halfAt({ chunk, levels, dtype }, level, index).bytes : 0;
  }
}

// Sinks that store results in chunks, in files and folders of any kind.

/** The sink that stores a result in `file`. */
export function chunkSink(file: ChunkFile): StoredSink {
  const { path, resume } = file, stem = stemOfResult(path);
  const sink: StoredSink = {
    takes: "tiles",
    tile: (facts) => file.chunked(facts).chunk,
    tiles: (facts, room) => tilesOfChunks(file.chunked(facts), room),
    target: (plan) => file.target({ ...arrayOfPlan(plan, stem), chunk: chunkOf(plan, file) }),
    planned(plan, sees) {
      const target = sink.target(plan), own = suited(plan, target);
      const rows = sees ? inRows(own, target) : undefined;
      return rows ? { ...own, memory: { ...own.memory, ...accountOf(rows.memory) } } : own;
    },
    async store(plan, settings, earlier) {
      const target = sink.target(plan);
      await file.mayReplace?.();
      await storePlan(plan, settings, target, { path, resume, ...defined({ earlier }) });
    },
  };
  return sink;
}

/** What is held, without how many of what there are. */
function accountOf({ holdings, total, leased }: MapPlan["memory"]) {
  return { holdings, total, leased };
}

/** The chunk of a plan: the usual one if its tiles are some of these, else its tile. */
function chunkOf(plan: MapPlan, file: ChunkFile): Shape {
  const { blocks: { grid }, context } = plan, usual = file.chunked(plan);
  if (!file.takesAnyChunk) return usual.chunk;
  const isUsual = tilesOfChunks(usual, insideOf(context)).some((tile) => sameShape(tile, grid.tile));
  return isUsual ? usual.chunk : grid.tile;
}
