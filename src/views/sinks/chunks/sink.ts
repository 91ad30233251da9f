/**
 * Sinks that store results in chunks, in files and folders of any kind.
 *
 * @module
 */

import { insideOf } from "../../../runner/context.ts";
import { type ChunkFile, stemOfResult } from "../../../sinks/chunks/file.ts";
import { sameShape, type Shape } from "../../../space/shape.ts";
import { arrayOfPlan } from "../../map/facts.ts";
import type { MapPlan } from "../../map/map_plan.ts";
import type { PartsSink } from "./parts.ts";
import { inRows, suited } from "./making.ts";
import { storePlan } from "./store.ts";
import { tilesOfChunks } from "./tiles.ts";

/** The sink that stores a result in `file`. */
export function chunkSink(file: ChunkFile): PartsSink {
  const { path, resume } = file, stem = stemOfResult(path);
  const sink: PartsSink = {
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
      await storePlan(plan, settings, target, { path, resume, ...(earlier ? { earlier } : {}) });
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
