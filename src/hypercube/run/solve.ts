/**
 * Solves a cube tile by tile: sources fill its inputs, a kernel computes, sinks take its outputs.
 *
 * Sources and sinks are functions on the calling thread, unless a source is declared safe for workers; the kernel is a job
 * on the executor of the context. All arrays lie in memory of the context, with as many bytes as planned.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Job, Stretch, Traffic } from "../../executor/task.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { Slab } from "../../memory/slab.ts";
import { Slots } from "../../memory/slots.ts";
import { inWords } from "../../options.ts";
import { workersFor } from "../../runner/context.ts";
import { insideOf } from "../../runner/face.ts";
import { InOrder } from "../../runner/in_order.ts";
import type { Leases } from "../../runner/leases.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { Runner } from "../../runner/runner.ts";
import { TileCount, type TileProgress } from "../../runner/tiles.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { type ArrayRole, Hypercube } from "../cube/cube.ts";
import { type CubePlan, type CubePlanOptions, planTiles } from "../plan/budget.ts";
import { CALL_TIMEOUT } from "../providers/calls.ts";
import type { InitContext, RunFacts, StartContext } from "../providers/context.ts";
import type { CubeArray } from "../providers/placed.ts";
import { ProviderSet } from "../providers/provider_set.ts";
import type { Supply } from "../providers/supply.ts";
import { Delivery } from "./deliver.ts";
import { Feed, type Flight, landed } from "./feed.ts";
import type { CubeShared, FilledTask, TileSeconds } from "./job.ts";
import { isOfUsers, type PreparedKernel } from "./kernel.ts";
import { MergedArray, type MergedOutput, mergedOutputs } from "./merge.ts";
import { SOLVE_OPTIONS, type SolveOptions } from "./options.ts";
import { CubeMeter, type CubeReport } from "./report.ts";

export type { CubeKernel, CubeTask } from "./kernel.ts";
export type { SolveOptions } from "./options.ts";

const JOB = { name: "tilewise:cube", module: import.meta.resolve("./job.ts"), export: "cubeJob" };
registerJobs({ [JOB.name]: () => import("./job.ts") });

/**
 * Runs a plan to its end, in the context of the plan; or plans a cube with the option `plan` when its providers have said
 * what they change, and runs that. It holds `plan.bytes` bytes of that context, and waits for them if other runs hold
 * them.
 *
 * Errors: `udf` if a source, a sink, a handler of a provider or the kernel throws, with array, tile and provider;
 * `timeout` if one does not resolve; `invalid` for samples of a wrong shape or type, and for providers that disagree;
 * `aborted`; `worker` or `timeout` if workers die or hang repeatedly.
 *
 * @example A sum over one dimension, the same for any number of workers
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { cubeFunction, hypercube, planTiles, solve, toMemory } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { n: 100 },
 *   arrays: [{ name: "x", shape: ["n"], dtype: "float64" }, { name: "total", shape: [], dtype: "float64", role: "output" }],
 * });
 * const add = cubeFunction(({ arrays: { x, total } }) => {
 *   total.data[0] = x.data.reduce((sum, value) => sum + value, 0);
 * }, { arrays: { x: "float64", total: "float64" } });
 * await using context = createContext({ workers: 0, memory: "16KiB" });
 * const memory = toMemory("total");
 * const { tiles } = await solve(planTiles(cube, { context, tile: ["n"], inFlight: 40 }), {
 *   kernel: add,
 *   sources: { x: ({ extents: [[lower, upper] = [0, 0]] }) => Float64Array.from({ length: upper - lower }, (_, i) => lower + i) },
 *   sinks: [memory],
 *   merge: { total: "sum" },
 * });
 * assertEquals(tiles > 1, true);
 * assertEquals(memory.array("total").data[0], 4950);
 * ```
 * @category Hypercubes
 */
export function solve(plan: CubePlan | Hypercube, options: SolveOptions): Promise<CubeReport> {
  return runCube("solve()", plan, options);
}

/** See {@link solve}; errors name `call`. */
export async function runCube(
  call: string,
  given: CubePlan | Hypercube,
  options: SolveOptions,
): Promise<CubeReport> {
  checkRunOptions(call, given instanceof Hypercube ? options.plan : given, options, SOLVE_OPTIONS);
  const { callTimeout = CALL_TIMEOUT, config, sources, sinks } = options;
  const cube = cubeOf(call, given, options);
  const providers = new ProviderSet(call, sources, sinks, callTimeout);
  const over = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, over.signal]) : over.signal;
  const init: InitContext = { cube, config, signal };
  const errors: unknown[] = [];
  let report: CubeReport | undefined;
  try {
    await providers.init(init);
    const ready = await readyFor(call, given, await providers.updated(init), options);
    report = await started(ready, providers, init, options, errors);
  } catch (error) {
    errors.push(error);
  }
  over.abort();
  errors.push(...await providers.close(init));
  if (errors.length > 0) throw errors[0];
  return report!;
}

/** Runs a plan between `start` and `stop` of the providers; errors of `stop` are added to `errors`. */
async function started(
  { plan, ...rest }: Ready,
  providers: ProviderSet,
  init: InitContext,
  options: SolveOptions,
  errors: unknown[],
): Promise<CubeReport | undefined> {
  const { strides, tiles, cube } = plan;
  const supply = providers.supply(cube);
  options.onPlan?.(plan);
  const start: StartContext = { ...init, cube, strides, tiles };
  let failure: { readonly error?: unknown } = {};
  let report: CubeReport | undefined;
  try {
    await providers.start(start);
    report = await tilesOf({ plan, options, supply, init, ...rest });
  } catch (error) {
    failure = { error };
    errors.push(error);
  }
  errors.push(...await providers.stop({ ...start, ...failure }));
  return report;
}

/** A plan with what its run needs beside the arrays. */
interface Ready {
  readonly plan: CubePlan;
  readonly merged: readonly MergedOutput[];
  readonly prepared?: PreparedKernel;
}

/** How often a cube is planned again with more memory left free for merged outputs, whose sizes depend on the plan. */
const ROUNDS = 4;

/** How often it is planned again with tiles of half the size, if that did not suffice. */
const HALVES = 24;

/** The plan of a run, its merged outputs, and the kernel that was prepared for it. */
async function readyFor(
  call: string,
  given: CubePlan | Hypercube,
  cube: Hypercube,
  options: SolveOptions,
): Promise<Ready> {
  let plan = planned(call, given, cube, options);
  for (let round = 0;; round++) {
    const merged = mergedOutputs(call, plan, options.merge ?? {});
    const prepared = await options.kernel.prepare?.(plan);
    const ready = { plan, merged, ...(prepared ? { prepared } : {}) };
    const more = extraOf(ready, workersOf(plan, options)).all;
    const { arenaBudget } = insideOf(plan.context);
    if (plan.bytes + more <= arenaBudget || !(given instanceof Hypercube)) return ready;
    const next = smallerPlan(cube, options.plan!, plan, more, round);
    if (!next) return ready;
    plan = next;
  }
}

/** A plan that leaves `more` bytes free; or, after some rounds, one with smaller tiles. Nothing after the last round. */
function smallerPlan(
  cube: Hypercube,
  options: CubePlanOptions,
  { tileBytes, strategy }: CubePlan,
  more: number,
  round: number,
): CubePlan | undefined {
  const canHalve = strategy === "joint";
  if (round < ROUNDS) {
    try {
      return planTiles(cube, { ...options, reserve: (options.reserve ?? 0) + more });
    } catch (error) {
      if (!canHalve || !isTilewiseError(error, "over-budget")) throw error;
    }
  }
  if (!canHalve || round >= ROUNDS + HALVES) return undefined;
  return planTiles(cube, { ...options, largestTile: Math.max(1, Math.floor(tileBytes / 2)) });
}

/** Bytes that a run needs beside those of its plan. */
function extraOf(
  { plan, merged, prepared }: Ready,
  workers: number,
): Readonly<Record<"windows" | "scratch" | "holders" | "all", number>> {
  const { copies, bytes } = plan;
  const windows = merged.reduce((sum, output) => sum + output.windows * output.bytes, 0);
  const scratch = Math.max(1, workers) * roundUp(prepared?.scratch ?? 0, ALIGNMENT);
  const holders = copies > 0 ? bytes / (bytes - copies) : 1;
  return { windows, scratch, holders, all: holders * (windows + scratch) };
}

function workersOf({ context, inFlight, tiles }: CubePlan, { kernel }: SolveOptions): number {
  return kernel.here ? 0 : workersFor(insideOf(context), Math.min(inFlight, tiles));
}

/** The cube of a call, before updates. */
function cubeOf(call: string, given: Partial<CubePlan> | Hypercube, { plan }: SolveOptions): Hypercube {
  const isCube = given instanceof Hypercube;
  if (isCube && !plan) {
    const text = `${call} takes a plan, as planTiles() makes it, or a cube with the option plan, such as ` +
      `{ plan: { tile: ["${[...given.dimensions.keys()][0] ?? "ntime"}"] } }`;
    throw new TilewiseError("invalid", text, { option: "plan" });
  }
  if (isCube) return given;
  if (given?.cube && given.strides && !plan) return given.cube;
  const text = given?.cube && given.strides
    ? `${call} was given a plan, and options for another one; give a cube, or leave out the option plan`
    : `${call} takes a plan, as planTiles() makes it, or a cube; it was given ${inWords(given)}`;
  throw new TilewiseError("invalid", text, { option: "plan" });
}

/** The plan that is run. A plan that was given must be that of the cube with all updates. */
function planned(
  call: string,
  given: CubePlan | Hypercube,
  cube: Hypercube,
  options: SolveOptions,
): CubePlan {
  if (given instanceof Hypercube) return planTiles(cube, options.plan!);
  const changes = cube.differences(given.cube);
  if (changes.length === 0) return given;
  const changed = changes.join("; ");
  const text =
    `${call}: providers have changed the cube, which the plan does not know: ${changed}; give the ` +
    "cube and the option plan, and the run plans after the changes";
  throw new TilewiseError("invalid", text, { option: "plan", found: changed });
}

/** A run whose providers have started. */
interface Begun extends Ready {
  readonly options: SolveOptions;
  readonly supply: Supply;
  readonly init: InitContext;
}

/** Runs all tiles. */
async function tilesOf(begun: Begun): Promise<CubeReport> {
  const { plan, options } = begun;
  const count = new TileCount(plan.tiles);
  const meter = new CubeMeter();
  const runner = new Runner(plan.context, options, () => count.progress());
  const parts = runner.parts(() => deliveries(begun, runner, count, meter));
  for await (const part of parts) await runner.lend(part());
  return meter.report(plan);
}

/** What is to be delivered next, in memory that is valid until the next one is requested. */
async function* deliveries(
  begun: Begun,
  runner: Runner<TileProgress>,
  count: TileCount,
  meter: CubeMeter,
): AsyncGenerator<() => Promise<void>, void> {
  runner.mustGoOn();
  const { plan, options, supply, init: { config, signal } } = begun;
  const { callTimeout: limit = CALL_TIMEOUT, ordered = true } = options;
  const { strides } = plan;
  const ofUsers = isOfUsers(options.kernel) || usesModules(supply);
  const executor = insideOf(plan.context).executorOf(workersOf(plan, options), ofUsers);
  const places = await runner.enter((leases) => placementOf(begun, executor.workers, leases));
  const facts: RunFacts = { strides, config, signal, suppliers: supply.suppliers };
  const feed = new Feed({ plan, supply, runner, facts, meter, limit });
  const delivery = new Delivery({ supply, facts, meter, limit, merged: places.merged });
  try {
    await feed.begin(places.once);
    const job = jobOf(begun, feed, places.scratch, limit);
    const tasks = feed.tasks(places.slots);
    const order = new InOrder<Flight>();
    for await (
      const { index, value } of runner.results<CubeShared, FilledTask, TileSeconds>(executor, job, tasks)
    ) {
      meter.seconds.read += value.read;
      meter.seconds.compute += value.compute;
      const flight = landed(feed, index);
      if (!ordered) yield* runner.handOver(() => delivery.deliver(flight));
      const next = ordered || delivery.merges
        ? [...order.put(index, flight)].map(([, one]) => one)
        : [flight];
      for (const one of next) {
        if (ordered) yield* runner.handOver(() => delivery.deliver(one));
        if (delivery.merges) yield* runner.handOver(() => delivery.merge(one));
        places.slots.give(one.slab);
        count.done++;
      }
    }
    runner.finish();
  } finally {
    places.slots.end();
  }
}

function usesModules({ sources }: Supply): boolean {
  return [...sources.values()].some(({ source }) => typeof source !== "function");
}

/** The memory of a run. */
interface Placement {
  /** The slab of the arrays that exist once. */
  readonly once: Slab;
  /** The slabs of the tiles in flight. */
  readonly slots: Slots<Slab>;
  /** The windows of merged outputs. */
  readonly merged: readonly MergedArray[];
  /** Addresses of the memory that the kernel has in each worker. */
  readonly scratch: readonly number[];
}

function placementOf(begun: Begun, workers: number, leases: Leases): Placement {
  const { plan, merged, prepared } = begun;
  const { onceBytes, tileBytes, inFlight, copies, bytes } = plan;
  const { windows, scratch: scratchBytes, holders, all } = extraOf(begun, workers);
  const { arenaBudget } = insideOf(plan.context);
  if (bytes + all > arenaBudget && all > 0) throw overBudget(plan, windows, scratchBytes, arenaBudget);
  const apart = copies + all * (holders - 1) / holders;
  if (apart > 0) leases.lease(apart, "copies of workers"); // only reserved: nothing is put there
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

function overBudget(plan: CubePlan, windows: number, scratch: number, budget: number): TilewiseError {
  const sum = plan.bytes + windows + scratch;
  const text =
    `Cannot run the plan in ${formatBytes(budget)}: beside its ${formatBytes(plan.bytes)}, merged outputs ` +
    `need ${formatBytes(windows)} and the kernel ${formatBytes(scratch)}, ${
      formatBytes(sum)
    } in all; a larger ` +
    "budget, the option reserve of planTiles(), or tiles whose last dimensions are the merged ones would work";
  return new TilewiseError("over-budget", text, { option: "memory", expected: sum, found: budget });
}

function jobOf(
  { plan, options, prepared }: Begun,
  feed: Feed,
  scratch: readonly number[],
  limit: number,
): Job<CubeShared> {
  const kernel = prepared ? prepared.at(scratch) : options.kernel;
  const { name, module, export: exported, shared, modules = [] } = kernel;
  const sources = feed.inWorkers;
  const job = { ...(name === undefined ? {} : { name }), module, export: exported, shared };
  const own = name === undefined ? [module] : [];
  return {
    ...JOB,
    shared: { kernel: job, sources, limit },
    traffic: trafficOf(plan, feed.once, Object.keys(sources)),
    modules: [...own, ...modules, ...Object.values(sources).map(({ module }) => module)],
  };
}

/** Kernels read inputs and write outputs; workers also write the inputs that they fill. */
function trafficOf(
  { cube, each }: CubePlan,
  once: Readonly<Record<string, CubeArray>>,
  filled: readonly string[],
): Traffic {
  const named = (wanted: ArrayRole) => each.filter((name) => (cube.array(name).role ?? "input") === wanted);
  const reads = named("input").filter((name) => !filled.includes(name));
  const writes = [...named("output"), ...filled];
  return {
    reads: Object.values(once).map(stretchOf),
    of: ({ arrays }: FilledTask) => ({
      reads: reads.map((name) => stretchOf(arrays[name]!)),
      writes: writes.map((name) => stretchOf(arrays[name]!)),
    }),
  };
}

function stretchOf({ pointer, shape, dtype }: CubeArray): Stretch {
  return { offset: pointer, bytes: sizeOf(shape) * dtypeInfo(dtype).itemSize };
}
