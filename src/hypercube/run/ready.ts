/**
 * What is known before the first tile: the plan, with what its run needs beside the arrays, and its memory.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { insideOf, workersFor } from "../../runner/context.ts";
import { Hypercube } from "../cube/cube.ts";
import { type CubePlanOptions, IN_FLIGHT, type TilePlan, tilePlan } from "../plan/budget.ts";
import { CALL_TIMEOUT } from "../providers/calls.ts";
import type { InitContext } from "../providers/context.ts";
import { ProviderSet } from "../providers/provider_set.ts";
import { MergedArray, type MergedOutput, mergedOutputs } from "./merge.ts";
import type { CubeRunOptions } from "./options.ts";
import { accountWith, fits, type MemoryAccount, overBudget } from "../../memory/account.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { Slab } from "../../memory/slab.ts";
import { Slots } from "../../memory/slots.ts";
import type { Leases } from "../../runner/leases.ts";
import { COPIES, cubeMemory, holdersOf } from "../plan/tile_bytes.ts";
import type { PreparedKernel } from "./kernel.ts";

/** How often a cube is planned again with more memory left free for merged outputs, whose sizes depend on the plan. */
const ROUNDS = 8;

/** How often it is planned again with tiles of half the size, if that did not suffice. */
const HALVES = 24;

/** Calls `use` with the cube as its providers change it, and with what they need for a plan; nothing is read or written. */
export async function withProviders<T>(
  call: string,
  cube: Hypercube,
  { sources, sinks, callTimeout = CALL_TIMEOUT, config, signal = new AbortController().signal }: Pick<
    CubeRunOptions,
    "sources" | "sinks" | "callTimeout" | "config" | "signal"
  >,
  use: (updated: Hypercube, memory: (plan: TilePlan) => Promise<number>) => Promise<T>,
): Promise<T> {
  const providers = new ProviderSet(call, sources, sinks, callTimeout);
  const init: InitContext = { cube, config, signal };
  try {
    await providers.init(init);
    const updated = await providers.updated(init);
    return await use(
      updated,
      ({ cube, strides, tiles }) => providers.memory({ ...init, cube, strides, tiles }),
    );
  } finally {
    await providers.close(init);
  }
}

/**
 * What `ready` makes for as many tiles in flight as there is memory for, at most `most`. Where not even one fits, it is that of one,
 * or its error.
 */
export async function mostInFlight(
  most: number,
  options: CubeRunOptions,
  ready: (inFlight: number) => Promise<Ready>,
): Promise<Ready> {
  for (let inFlight = most; inFlight > 1; inFlight--) {
    try {
      const one = await ready(inFlight);
      if (fits(memoryOf(one, workersOf(one.plan, options)), insideOf(one.plan.context))) return one;
    } catch (error) {
      if (!isTilewiseError(error, "over-budget")) throw error;
    }
  }
  return await ready(1);
}

/**
 * The plan of a run, its merged outputs, and the kernel that was prepared for it; `memory`: what providers need. Where not even the
 * smallest tiles fit, fewer of them are in flight, on fewer workers.
 */
export async function readyFor(
  call: string,
  given: TilePlan | Hypercube,
  cube: Hypercube,
  options: CubeRunOptions,
  memory: (plan: TilePlan) => Promise<number>,
): Promise<Ready> {
  if (!(given instanceof Hypercube)) return await readyWith(call, given, cube, options, memory);
  return await mostInFlight(
    options.plan?.inFlight ?? IN_FLIGHT,
    options,
    (inFlight) => readyWith(call, given, cube, { ...options, plan: { ...options.plan, inFlight } }, memory),
  );
}

async function readyWith(
  call: string,
  given: TilePlan | Hypercube,
  cube: Hypercube,
  options: CubeRunOptions,
  memory: (plan: TilePlan) => Promise<number>,
): Promise<Ready> {
  let plan = planned(call, given, cube, options);
  for (let round = 0;; round++) {
    const merged = mergedOutputs(call, plan, options.merge ?? {});
    const prepared = await options.kernel.prepare?.(plan);
    const ready = { plan, merged, beside: await memory(plan), ...defined({ prepared }) };
    const lacking = memoryOf(ready, workersOf(plan, options)).total - insideOf(plan.context).arenaBudget;
    if (lacking <= 0 || !(given instanceof Hypercube)) return ready;
    const next = smallerPlan(cube, options.plan!, plan, lacking, round);
    if (!next) return ready;
    plan = next;
  }
}

/**
 * A plan that leaves more memory free: half of what is lacking at first, as smaller tiles can need more windows. After some
 * rounds, one with smaller tiles, of which more may be in one window. Nothing after the last round.
 */
function smallerPlan(
  cube: Hypercube,
  options: CubePlanOptions,
  { memory, tileBytes, strategy, context }: TilePlan,
  lacking: number,
  round: number,
): TilePlan | undefined {
  const canHalve = strategy === "joint";
  if (round < ROUNDS) {
    const smaller = memory.total - (round < ROUNDS / 2 ? Math.ceil(lacking / 2) : lacking);
    const reserve = Math.max(0, insideOf(context).arenaBudget - Math.max(1, smaller));
    try {
      return tilePlan(cube, { ...options, reserve });
    } catch (error) {
      if (!isTilewiseError(error, "over-budget")) throw error;
    }
  }
  if (!canHalve || round >= ROUNDS + HALVES) return undefined;
  return tilePlan(cube, { ...options, largestTile: Math.max(1, Math.floor(tileBytes / 2)) });
}

/** The number of workers of a run; 0: the calling thread. */
export function workersOf({ context, inFlight, tiles }: TilePlan, { kernel }: CubeRunOptions): number {
  return kernel.here ? 0 : workersFor(insideOf(context), Math.min(inFlight, tiles));
}

/** The plan that is run. A plan that was given must be that of the cube with all updates. */
function planned(
  call: string,
  given: TilePlan | Hypercube,
  cube: Hypercube,
  options: CubeRunOptions,
): TilePlan {
  if (given instanceof Hypercube) return tilePlan(cube, options.plan!);
  const changes = cube.differences(given.cube);
  if (changes.length === 0) return given;
  const changed = changes.join("; ");
  const text =
    `${call}: providers have changed the cube, which the plan does not know: ${changed}; give the ` +
    "cube and the option plan, and the run plans after the changes";
  throw new TilewiseError("invalid", text, { option: "plan", found: changed });
}

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
interface CubePlacement {
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
