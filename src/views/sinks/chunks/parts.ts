/**
 * Results in chunks that many machines make: each makes some chunks of the first level, encoded and with what the next level
 * needs of them; one machine writes them in their order, and makes the smaller levels.
 *
 * @module
 */

import { mustBeUnchanged } from "../../../io/unchanged.ts";
import { Runner } from "../../../runner/runner.ts";
import { TileCount } from "../../../runner/tiles.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import { sourcesOfArray } from "../../array.ts";
import type { MapPlan, MapRunOptions } from "../../map/map_plan.ts";
import type { TilingSink } from "../../map/sink.ts";
import { type ChunkRange, makeChunks, suited, type TakeChunk } from "./making.ts";
import { halfAt } from "./halves.ts";
import type { EarlierChunks } from "./store.ts";
import type { ChunkTarget } from "../../../sinks/chunks/target.ts";

/** A sink of chunks whose chunks may be made elsewhere. */
export interface PartsSink extends TilingSink {
  /** How the result of a plan lies in files. */
  target(plan: MapPlan): ChunkTarget;
  /** Stores the result of a plan; the chunks of `earlier` are not made again. */
  store(plan: MapPlan, options: MapRunOptions, earlier?: EarlierChunks): Promise<void>;
}

/** Whether chunks of a sink may be made elsewhere. */
export function isPartsSink(sink: unknown): sink is PartsSink {
  return typeof (sink as Partial<PartsSink> | undefined)?.target === "function";
}

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
