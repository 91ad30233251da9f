/**
 * The memory of a run: arrays that exist once, slots of tiles, windows of merged outputs, scratch of the kernel.
 *
 * @module
 */

import { accountWith, fits, type MemoryAccount, overBudget } from "../../memory/account.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { Slab } from "../../memory/slab.ts";
import { Slots } from "../../memory/slots.ts";
import { insideOf } from "../../runner/context.ts";
import type { Leases } from "../../runner/leases.ts";
import type { TilePlan } from "../plan/budget.ts";
import { COPIES, cubeMemory, holdersOf } from "../plan/tile_bytes.ts";
import type { PreparedKernel } from "./kernel.ts";
import { MergedArray, type MergedOutput } from "./merge.ts";

/** A plan with what its run needs beside the arrays. */
export interface Ready {
  /** The plan. */
  readonly plan: TilePlan;
  /** Its merged outputs. */
  readonly merged: readonly MergedOutput[];
  /** The kernel that was prepared for it. */
  readonly prepared?: PreparedKernel;
  /** Bytes that providers need outside of the arrays. */
  readonly beside: number;
}

/** All memory of a run. */
export function memoryOf({ plan, merged, prepared, beside }: Ready, workers: number): MemoryAccount {
  const more = merged.map(({ name, bytes, windows }) => {
    return { what: `windows of the merged ${name}`, each: bytes, count: windows };
  });
  const scratch = roundUp(prepared?.scratch ?? 0, ALIGNMENT);
  const kernel = { what: "scratch of the kernel", each: scratch, count: Math.max(1, workers) };
  return accountWith(
    cubeMemory(plan, holdersOf(insideOf(plan.context)), [...more, kernel]),
    { what: "sources and sinks", each: beside, count: 1 },
  );
}

/** All memory of a run. Errors: `over-budget` if there is not as much. */
export function fittingMemory(ready: Ready, workers: number): MemoryAccount {
  const memory = memoryOf(ready, workers), limits = insideOf(ready.plan.context);
  if (fits(memory, limits)) return memory;
  const instead = "smaller tiles, tiles whose last dimensions are the merged ones, or ";
  throw overBudget("Cannot run the plan", memory, limits, instead);
}

/** The memory of a run. */
export interface CubePlacement {
  /** The slab of the arrays that exist once. */
  readonly once: Slab;
  /** The slabs of the tiles in flight. */
  readonly slots: Slots<Slab>;
  /** The windows of merged outputs. */
  readonly merged: readonly MergedArray[];
  /** Addresses of the memory that the kernel has in each worker. */
  readonly scratch: readonly number[];
}

/** Takes all memory of a run. */
export function placementOf(ready: Ready, workers: number, leases: Leases): CubePlacement {
  const { plan, merged, prepared, beside } = ready;
  const { onceBytes, tileBytes, inFlight } = plan;
  const copies = fittingMemory(ready, workers).holdings.find(({ what }) => what === COPIES);
  if (copies) leases.lease(copies.each * copies.count, "copies of workers"); // only reserved: nothing is put there
  if (beside > 0) leases.lease(beside, "providers"); // the same: they have memory of their own
  const { memory } = leases.arena;
  const slab = (bytes: number, label: string) =>
    bytes === 0 ? new Slab(memory, 0, 0) : new Slab(memory, leases.lease(bytes, label).offset, bytes);
  const once = slab(onceBytes, "arrays that are not tiled");
  const tiles = Array.from({ length: inFlight }, (_, i) => slab(tileBytes, `tile slot ${i}`));
  const arrays = merged.map((output) => {
    const slabs = Array.from({ length: output.windows }, () => slab(output.bytes, `merged ${output.name}`));
    return new MergedArray(output, slabs);
  });
  const each = roundUp(prepared?.scratch ?? 0, ALIGNMENT);
  const scratch = each === 0
    ? []
    : leases.many(workers, each, "scratch of the kernel").map(({ offset }) => offset);
  return { once, slots: new Slots(tiles), merged: arrays, scratch };
}
