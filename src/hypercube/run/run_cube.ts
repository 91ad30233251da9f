/**
 * Runs over a cube, tile by tile: sources fill its inputs, a kernel computes, sinks take its outputs.
 *
 * Sources and sinks are functions on the calling thread, unless a source is declared safe for workers; the kernel is a job
 * on the executor of the context. All arrays lie in memory of the context, with as many bytes as planned.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { defined, inWords } from "../../options.ts";
import type { MemoryAccount } from "../../memory/account.ts";
import { insideOf } from "../../runner/context.ts";
import { InOrder } from "../../runner/in_order.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { Runner } from "../../runner/runner.ts";
import { TileCount, type TileProgress } from "../../runner/progress.ts";
import { type ArrayRole, Hypercube } from "../cube/cube.ts";
import { type CubePlanOptions, type TilePlan, tilePlan } from "../plan/budget.ts";
import { CALL_TIMEOUT } from "../providers/calls.ts";
import type { InitContext, RunFacts, StartContext } from "../providers/context.ts";
import { ProviderSet } from "../providers/provider_set.ts";
import type { Supply } from "../providers/supply.ts";
import { Delivery } from "./deliver.ts";
import { Feed, type Flight, landed } from "./feed.ts";
import type { CubeShared, FilledTask, TileSeconds } from "./job.ts";
import { isOfUsers } from "./kernel.ts";
import { checkMerged } from "./merge.ts";
import { fittingMemory, placementOf, type Ready, readyFor, withProviders, workersOf } from "./ready.ts";
import {
  CUBE_RUN_OPTIONS,
  CubeMeter,
  type CubePlan,
  type CubeReport,
  type CubeRunOptions,
} from "./options.ts";
import { Places } from "./places.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Job, MemoryRows, Traffic } from "../../executor/task.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { CubeArray } from "../providers/provider.ts";

export type { CubeKernel, CubeTask } from "./kernel.ts";
export type { CubeRunOptions } from "./options.ts";

/** Some of the tiles of a plan, by their numbers: half-open. */
export interface TileRange {
  /** The first. */
  readonly first: number;
  /** One past the last. */
  readonly stop: number;
}

/**
 * Runs a plan; or plans a cube with the option `plan` when its providers have said what they change, and runs that. Errors name
 * `call`. With `range` only these tiles are computed, which then must not be merged.
 */
export async function runCube(
  call: string,
  given: TilePlan | Hypercube,
  options: CubeRunOptions,
  range?: TileRange,
): Promise<CubeReport> {
  checkRunOptions(call, given instanceof Hypercube ? options.plan : given, options, CUBE_RUN_OPTIONS);
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
    const updated = await providers.updated(init);
    const memory = ({ cube, strides, tiles }: TilePlan) =>
      providers.memory({ ...init, cube, strides, tiles });
    const ready = await readyFor(call, given, updated, options, memory);
    const supply = providers.supply(ready.plan.cube);
    checkMerged(call, ready.plan, ready.merged, supply, options.ordered ?? true);
    report = await started({ ...ready, supply }, providers, init, options, errors, range);
  } catch (error) {
    errors.push(error);
  }
  over.abort();
  errors.push(...await providers.close(init));
  if (errors.length > 0) throw errors[0];
  return report!;
}

/** The plan that a run of a cube has, with what its providers hold beside it. */
interface RunPlan {
  /** The plan. */
  readonly plan: TilePlan;
  /** All memory of the run: that of the plan, of providers, of merged outputs and of the kernel. */
  readonly memory: MemoryAccount;
}

/**
 * The plan that a run would make of a cube with these sources, so that what is told before a run is what it needs. Nothing is
 * read or written. Errors: `over-budget` if no tiles are small enough.
 */
export async function planRun(
  cube: Hypercube,
  options: CubeRunOptions & { readonly plan: CubePlanOptions },
): Promise<RunPlan> {
  const call = "planRun()";
  return await withProviders(call, cube, options, async (updated, memory) => {
    const ready = await readyFor(call, cube, updated, options, memory);
    return { plan: ready.plan, memory: fittingMemory(ready, workersOf(ready.plan, options)) };
  });
}

/** Runs a plan between `start` and `stop` of the providers; errors of `stop` are added to `errors`. */
async function started(
  { plan, ...rest }: Ready & Pick<Begun, "supply">,
  providers: ProviderSet,
  init: InitContext,
  options: CubeRunOptions,
  errors: unknown[],
  range: TileRange | undefined,
): Promise<CubeReport | undefined> {
  const { strides, tiles, cube } = plan;
  options.onPlan?.(plan);
  const start: StartContext = { ...init, cube, strides, tiles };
  let failure: { readonly error?: unknown } = {};
  let report: CubeReport | undefined;
  try {
    await providers.start(start);
    const kept = () => rest.merged.length > 0 ? 0 : providers.completed(start, rest.supply.sinks.keys());
    const own = range ?? { first: await kept(), stop: tiles };
    const begin = range?.first ?? 0;
    report = await tilesOf({ plan, options, init, begin, ...own, ...rest });
  } catch (error) {
    failure = { error };
    errors.push(error);
  }
  errors.push(...await providers.stop({ ...start, ...failure }));
  return report;
}

/** The cube of a call, before updates. */
function cubeOf(call: string, given: Partial<TilePlan> | Hypercube, { plan }: CubeRunOptions): Hypercube {
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

/** A run whose providers have started. */
interface Begun extends Ready {
  readonly options: CubeRunOptions;
  readonly supply: Supply;
  readonly init: InitContext;
  /** The first tile that this run has to deliver. */
  readonly begin: number;
  /** The first that it has to compute: sinks have those before it. */
  readonly first: number;
  /** One past the last tile. */
  readonly stop: number;
}

/** Runs all tiles. */
async function tilesOf(begun: Begun): Promise<CubeReport> {
  const { plan, options, begin, first, stop } = begun;
  const count = new TileCount(stop - begin);
  count.done = first - begin;
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
  const { plan, options, supply, first, stop, init: { config, signal } } = begun;
  const { callTimeout: limit = CALL_TIMEOUT, ordered = true } = options;
  const { strides } = plan;
  const ofUsers = isOfUsers(options.kernel) || usesModules(supply);
  const executor = insideOf(plan.context).executorOf(workersOf(plan, options), ofUsers);
  const memory = await runner.enter((leases) => placementOf(begun, executor.workers, leases));
  const { slots, merged } = memory;
  const places = new Places(supply, executor, merged);
  const facts: RunFacts = { strides, config, signal, suppliers: supply.suppliers };
  const feed = new Feed({ plan, supply, runner, facts, meter, places, limit });
  const delivery = new Delivery({ supply, runner, facts, meter, limit, merged, places });
  try {
    await feed.begin(memory.once);
    const job = jobOf(begun, options, feed, memory.scratch, places, limit);
    const tasks = feed.tasks(slots, first, stop);
    const order = new InOrder<Flight>();
    for await (
      const { index, value } of runner.results<CubeShared, FilledTask, TileSeconds>(executor, job, tasks)
    ) {
      meter.seconds.read += value.read;
      meter.seconds.compute += value.compute;
      meter.seconds.write += value.write;
      const flight = landed(feed, first + index);
      if (!ordered) yield* runner.handOver(() => delivery.deliver(flight));
      const next = ordered || delivery.merges
        ? [...order.put(index, flight)].map(([, one]) => one)
        : [flight];
      for (const one of next) {
        if (ordered) yield* runner.handOver(() => delivery.deliver(one));
        if (delivery.merges) yield* runner.handOver(() => delivery.merge(one));
        slots.give(one.slab);
        count.done++;
      }
    }
    runner.finish();
  } finally {
    slots.end();
  }
}

function usesModules({ sources }: Supply): boolean {
  return [...sources.values()].some(({ source }) => typeof source !== "function");
}

const JOB = { name: "tilewise:cube", module: import.meta.resolve("./job.ts"), export: "cubeJob" };
registerJobs({ [JOB.name]: () => import("./job.ts") });

/** The job that computes tiles. */
function jobOf(
  { plan, prepared }: Ready,
  options: CubeRunOptions,
  feed: Feed,
  scratch: readonly number[],
  { places }: Places,
  limit: number,
): Job<CubeShared> {
  const kernel = prepared ? prepared.at(scratch) : options.kernel;
  const { name, module, export: exported, shared, modules = [] } = kernel;
  const sources = feed.inWorkers;
  const job = { ...defined({ name }), module, export: exported, shared };
  const own = name === undefined ? [module] : [];
  return {
    ...JOB,
    shared: { kernel: job, sources, places, limit },
    traffic: trafficOf(plan, feed.once, Object.keys(sources)),
    modules: [...own, ...modules, ...Object.values(sources).map(({ module }) => module)],
  };
}

/** Kernels read inputs and write outputs; workers also write the inputs that they fill. */
function trafficOf(
  { cube, each }: TilePlan,
  once: Readonly<Record<string, CubeArray>>,
  filled: readonly string[],
): Traffic {
  const named = (wanted: ArrayRole) => each.filter((name) => (cube.array(name).role ?? "input") === wanted);
  const reads = named("input").filter((name) => !filled.includes(name));
  const writes = [...named("output"), ...filled];
  return {
    reads: Object.values(once).map(memoryOf),
    of: ({ arrays }: FilledTask) => ({
      reads: reads.map((name) => memoryOf(arrays[name]!)),
      writes: writes.map((name) => memoryOf(arrays[name]!)),
    }),
  };
}

function memoryOf({ pointer, shape, dtype }: CubeArray): MemoryRows {
  return { offset: pointer, bytes: sizeOf(shape) * dtypeInfo(dtype).itemSize };
}

/**
 * Plans the tiles of `cube`; `over-budget`, with the sum, if the least tile is too large.
 *
 * @param cube what to cut
 * @param options the context, and the dimensions to cut along
 * @returns the plan, which explains itself and is run by `run`
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { ntime: 10, nchan: 64 },
 *   arrays: [{ name: "vis", shape: ["ntime", "nchan"], dtype: "complex128", role: "output" }],
 * });
 * const context = createContext({ memory: 30_000 });
 * const plan = planTiles(cube, { context, tile: ["ntime", "nchan"] });
 * assertEquals([plan.strides, plan.tiles, plan.memory.total], [[["ntime", 5], ["nchan", 64]], 2, 4 * 5 * 1024]);
 * ```
 * @category Hypercubes
 */
export function planTiles(cube: Hypercube, options: CubePlanOptions = {}): CubePlan {
  return Object.assign(tilePlan(cube, options), { run: runThis });
}

/** The run of the plan, or of a copy of it with other facts, whose method it is. */
function runThis(this: CubePlan, options: CubeRunOptions): Promise<CubeReport> {
  return runCube("run()", this, options);
}
