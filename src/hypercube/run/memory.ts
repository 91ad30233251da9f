/**
 * The memory of a run: arrays that exist once, slots of tiles, windows of merged outputs, scratch of the kernel.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { Slab } from "../../memory/slab.ts";
import { Slots } from "../../memory/slots.ts";
import { insideOf } from "../../runner/face.ts";
import type { Leases } from "../../runner/leases.ts";
import { formatBytes } from "../../space/size.ts";
import type { CubePlan } from "../plan/budget.ts";
import type { PreparedKernel } from "./kernel.ts";
import { MergedArray, type MergedOutput } from "./merge.ts";

/** A plan with what its run needs beside the arrays. */
export interface Ready {
  /** The plan. */
  readonly plan: CubePlan;
  /** Its merged outputs. */
  readonly merged: readonly MergedOutput[];
  /** The kernel that was prepared for it. */
  readonly prepared?: PreparedKernel;
  /** Bytes that providers need outside of the arrays. */
  readonly beside: number;
}

/** Bytes that a run needs beside those of its plan. */
export function extraOf(
  { plan, merged, prepared, beside }: Ready,
  workers: number,
): Readonly<Record<"windows" | "scratch" | "holders" | "all", number>> {
  const { copies, bytes } = plan;
  const windows = merged.reduce((sum, output) => sum + output.windows * output.bytes, 0);
  const scratch = Math.max(1, workers) * roundUp(prepared?.scratch ?? 0, ALIGNMENT);
  const holders = copies > 0 ? bytes / (bytes - copies) : 1;
  return { windows, scratch, holders, all: holders * (windows + scratch) + beside };
}

/** The memory of a run. */
export interface Placement {
  /** The slab of the arrays that exist once. */
  readonly once: Slab;
  /** The slabs of the tiles in flight. */
  readonly slots: Slots<Slab>;
  /** The windows of merged outputs. */
  readonly merged: readonly MergedArray[];
  /** Addresses of the memory that the kernel has in each worker. */
  readonly scratch: readonly number[];
}

/** Bytes that a run needs beside those of its plan. Errors: `over-budget` if there is not as much. */
export function besideIn(ready: Ready, workers: number): number {
  const { plan } = ready, { windows, scratch, all } = extraOf(ready, workers);
  const { arenaBudget } = insideOf(plan.context);
  if (plan.bytes + all > arenaBudget && all > 0) throw overBudget(ready, windows, scratch, arenaBudget);
  return all;
}

/** Takes all memory of a run. */
export function placementOf(ready: Ready, workers: number, leases: Leases): Placement {
  const { plan, merged, prepared, beside } = ready;
  const { onceBytes, tileBytes, inFlight, copies } = plan;
  besideIn(ready, workers);
  const { holders, all } = extraOf(ready, workers);
  const apart = copies + (all - beside) * (holders - 1) / holders;
  if (apart > 0) leases.lease(apart, "copies of workers"); // only reserved: nothing is put there
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

function overBudget(
  { plan, beside }: Ready,
  windows: number,
  scratch: number,
  budget: number,
): TilewiseError {
  const sum = plan.bytes + windows + scratch + beside;
  const text =
    `Cannot run the plan in ${formatBytes(budget)}: beside its ${formatBytes(plan.bytes)}, merged outputs ` +
    `need ${formatBytes(windows)}, the kernel ${formatBytes(scratch)} and providers ${formatBytes(beside)}, ${
      formatBytes(sum)
    } in all; a larger ` +
    "budget, smaller tiles, or tiles whose last dimensions are the merged ones would work";
  return new TilewiseError("over-budget", text, { option: "memory", expected: sum, found: budget });
}
