/**
 * Cuts a run of UDFs into units: nodes of the merge tree over its partitions.
 *
 * @module
 */

import { floorPowerOfTwo } from "../../dataset/tiling/tiling_scheme.ts";
import type { FactsOf } from "../../runner/plan.ts";
import { type Cut, MOST_UNITS, type Unit, WANTED_UNITS } from "../../runner/parts.ts";
import { planBuffers } from "../buffers/buffers.ts";
import { countIn } from "../buffers/positions.ts";
import type { UdfPlan } from "./plan_facts.ts";

const MiB = 2 ** 20;

/** Bytes of samples beyond which units are not made larger than they must be. */
const LARGE_UNIT = 256 * MiB;

/** Bytes of samples per byte of the part: parts are at most a tenth of the input, where there are enough of them. */
const PER_PART = 10;

/** Most parts that one merge takes. */
const FAN_IN = 16;

/** Units that are left when parts are large. */
const LEAST_UNITS = 16;

/** What a unit is cut by. */
interface Sized {
  readonly start: number;
  readonly stop: number;
  readonly frames: number;
}

/**
 * The cut of a plan: its units, in order. They depend on data and results, never on shards or workers, so that all shards,
 * however many, make parts of the same nodes.
 */
export function cutOf(plan: FactsOf<UdfPlan>): Cut {
  const { partitions, selection, leaf, dataset, bytesToRead: bytes } = plan;
  const all = partitions.map(({ start, stop }) => ({ start, stop, frames: countIn(selection, start, stop) }));
  const parts = all.filter(({ frames }) => frames > 0);
  const most = framesPerUnit(plan, framesIn(parts));
  let level = 0;
  while (leaf * 2 ** level < dataset.frames) level++;
  const units: Unit[] = [];
  cut(parts, leaf, level, 0, most, units);
  return { leaf, bytes, units, fanIn: FAN_IN };
}

function framesIn(parts: readonly Sized[]): number {
  return parts.reduce((sum, part) => sum + part.frames, 0);
}

/** Cuts the node `level`, `index` until each piece has at most `most` frames, or is a single partition. */
function cut(
  parts: readonly Sized[],
  leaf: number,
  level: number,
  index: number,
  most: number,
  units: Unit[],
): void {
  const frames = framesIn(parts);
  if (frames === 0) return;
  if (parts.length === 1 || frames <= most) return void units.push([level, index, frames]);
  const middle = leaf * 2 ** (level - 1) * (2 * index + 1);
  cut(parts.filter(({ start }) => start < middle), leaf, level - 1, 2 * index, most, units);
  cut(parts.filter(({ start }) => start >= middle), leaf, level - 1, 2 * index + 1, most, units);
}

function framesPerUnit(plan: FactsOf<UdfPlan>, frames: number): number {
  const { bytesToRead, udfs, dataset } = plan;
  if (frames === 0) return 1;
  const bytes = Math.max(1, bytesToRead);
  const result = planBuffers(udfs, 0, dataset.pixels).bytes;
  const wanted = Math.max(
    Math.min(bytes / WANTED_UNITS, LARGE_UNIT),
    bytes / MOST_UNITS,
    Math.min(PER_PART * result, bytes / LEAST_UNITS),
  );
  return floorPowerOfTwo(Math.max(1, wanted * frames / bytes));
}
