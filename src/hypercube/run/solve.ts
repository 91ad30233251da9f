/**
 * Solves a cube tile by tile: sources fill its inputs, a kernel computes, sinks take its outputs in order.
 *
 * Sources and sinks are functions on the calling thread; the kernel is a job on the executor of the context. All arrays
 * lie in memory of the context, with as many bytes as planned.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Job, Stretch, Traffic } from "../../executor/task.ts";
import { Slab } from "../../memory/slab.ts";
import type { OptionNames } from "../../options.ts";
import { callable, each, inner, needed, text } from "../../options/rules.ts";
import { workersFor } from "../../runner/context.ts";
import { insideOf } from "../../runner/face.ts";
import { InOrder } from "../../runner/in_order.ts";
import type { Leases } from "../../runner/leases.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { RUN_SETTINGS, Runner, type RunSettings } from "../../runner/runner.ts";
import { TileCount, type TileProgress } from "../../runner/tiles.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { CubePlan } from "../plan/budget.ts";
import type { ArrayRole, Extent, Hypercube } from "../cube/cube.ts";
import { tileIter } from "../cube/iterate.ts";
import {
  bring,
  calling,
  contextOf,
  type CubeArray,
  type Sink,
  type Source,
  viewOf,
} from "../providers/provider.ts";
import { Slots } from "../../memory/slots.ts";

/** A tile as the handler of the kernel gets it: plain data. */
export interface CubeTask {
  /** The number of the tile. */
  readonly tile: number;
  /** The windows of the tiled dimensions. */
  readonly extents: Readonly<Record<string, Extent>>;
  /** All arrays of the cube by name: inputs filled, outputs and temporaries with undefined contents. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/**
 * The code that computes a tile: an export of a module that makes a handler of {@link CubeTask}.
 * @category Hypercubes
 */
export interface CubeKernel {
  /** URL of the module, as `import.meta.resolve` gives it. */
  readonly module: string;
  /** Its name on threads, if it comes with Tilewise. */
  readonly name?: string;
  /** The export, a `JobFactory`. */
  readonly export: string;
  /** Data that every worker gets once; structured-cloneable. */
  readonly shared?: unknown;
}

/**
 * What a run needs in addition to its plan.
 * @category Hypercubes
 */
export interface SolveOptions extends RunSettings<TileProgress> {
  /** The kernel. */
  readonly kernel: CubeKernel;
  /** A source for every input. */
  readonly sources: Readonly<Record<string, Source>>;
  /** Sinks for the wanted outputs. */
  readonly sinks: Readonly<Record<string, Sink>>;
}

const KERNEL_NAMES: OptionNames<CubeKernel> = {
  module: needed(text),
  name: text,
  export: needed(text),
  shared: true,
};

const SOLVE_OPTIONS: OptionNames<SolveOptions> = {
  ...RUN_SETTINGS,
  kernel: needed(inner(KERNEL_NAMES)),
  sources: needed(each("an object of functions by the names of inputs", callable)),
  sinks: needed(each("an object of functions by the names of outputs", callable)),
};

function checkPlan(call: string, { cube, strides }: Partial<CubePlan>): void {
  if (cube && strides) return;
  throw new TilewiseError("invalid", `${call} takes a plan, as planTiles() makes it`, { option: "plan" });
}

/** A tile that is being processed. */
interface Flight {
  readonly slab: Slab;
  readonly cube: Hypercube;
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/** The memory of a run. */
interface Placement {
  /** The slab of the arrays that exist once. */
  readonly once: Slab;
  /** The slabs of the tiles in flight. */
  readonly slots: Slots<Slab>;
}

/**
 * Runs a plan to its end, in the context of the plan. It holds `plan.bytes` bytes of that context, and waits for them
 * if other runs hold them.
 *
 * Errors: `udf` if a source, a sink or the kernel throws, with array and tile; `aborted`; `worker` or `timeout` if
 * workers die or hang repeatedly.
 * @category Hypercubes
 */
export function solve(plan: CubePlan, options: SolveOptions): Promise<void> {
  return runCube("solve()", plan, options);
}

/** See {@link solve}; errors name `call`. */
export async function runCube(call: string, plan: CubePlan, options: SolveOptions): Promise<void> {
  checkRunOptions(call, plan, options, SOLVE_OPTIONS);
  checkPlan(call, plan ?? {});
  checkProviders(plan.cube, options.sources, options.sinks);
  const count = new TileCount(plan.tiles);
  const runner = new Runner(plan.context, options, () => count.progress());
  const tiles = runner.parts(() => solved(plan, options, runner, count));
  for await (const [tile, flight] of tiles) await runner.lend(deliver(tile, flight, options.sinks));
}

/** The tiles in order, each with its memory, which is valid until the next one is requested. */
async function* solved(
  plan: CubePlan,
  { kernel, sources }: SolveOptions,
  runner: Runner<TileProgress>,
  count: TileCount,
): AsyncGenerator<[tile: number, Flight], void> {
  runner.mustGoOn();
  const { inFlight, tiles } = plan;
  const context = insideOf(plan.context);
  const executor = context.executorOf(workersFor(context, Math.min(inFlight, tiles)), isOfUsers(kernel));
  const { once: slab, slots } = await runner.enter((leases) => placementOf(plan, leases));
  try {
    const once = await placeArrays(plan.cube, plan.once, slab, sources, -1, runner);
    const flights: Flight[] = [];
    const tasks = makeTasks(plan, slots, once, sources, flights, runner);
    const done = new InOrder<true>();
    for await (
      const { index } of runner.results<unknown, CubeTask, void>(executor, jobOf(kernel, plan, once), tasks)
    ) {
      for (const [tile] of done.put(index, true)) {
        const flight = flights.shift()!;
        yield* runner.handOver<[number, Flight]>([tile, flight]);
        slots.give(flight.slab);
        count.done++;
      }
    }
    runner.finish();
  } finally {
    slots.end();
  }
}

function placementOf({ onceBytes, tileBytes, inFlight, copies }: CubePlan, leases: Leases): Placement {
  if (copies > 0) leases.lease(copies, "copies of workers"); // only reserved: nothing is put there
  const { memory } = leases.arena;
  const slab = (bytes: number, label: string) =>
    bytes === 0 ? new Slab(memory, 0, 0) : new Slab(memory, leases.lease(bytes, label).offset, bytes);
  const once = slab(onceBytes, "arrays that are not tiled");
  const tiles = Array.from({ length: inFlight }, (_, i) => slab(tileBytes, `tile slot ${i}`));
  return { once, slots: new Slots(tiles) };
}

function jobOf(
  { name, module, export: exported, shared }: CubeKernel,
  plan: CubePlan,
  once: Readonly<Record<string, CubeArray>>,
): Job<unknown> {
  const traffic = trafficOf(plan, once);
  return { ...(name === undefined ? {} : { name }), module, export: exported, shared, traffic };
}

/** Kernels read inputs and write outputs. */
function trafficOf({ cube, each }: CubePlan, once: Readonly<Record<string, CubeArray>>): Traffic {
  const those = (arrays: CubeTask["arrays"], wanted: ArrayRole) =>
    each.filter((name) => (cube.array(name).role ?? "input") === wanted).map((name) =>
      stretchOf(arrays[name]!)
    );
  return {
    reads: Object.values(once).map(stretchOf),
    of: ({ arrays }: CubeTask) => ({ reads: those(arrays, "input"), writes: those(arrays, "output") }),
  };
}

function stretchOf({ pointer, shape, dtype }: CubeArray): Stretch {
  return { offset: pointer, bytes: sizeOf(shape) * dtypeInfo(dtype).itemSize };
}

/** Whether a kernel is user code: then its heap has a limit. */
function isOfUsers({ name, module }: CubeKernel): boolean {
  return name === undefined && !module.startsWith(new URL("../../", import.meta.url).href);
}

/** Tiles in order, each as soon as a slot is free and its sources have filled it. */
async function* makeTasks(
  plan: CubePlan,
  slots: Slots<Slab>,
  once: Readonly<Record<string, CubeArray>>,
  sources: Readonly<Record<string, Source>>,
  flights: Flight[],
  runner: Runner<TileProgress>,
): AsyncGenerator<CubeTask, void> {
  let tile = 0;
  for (const cube of tileIter(plan.cube, ...plan.strides)) {
    const slab = await slots.take();
    if (!slab) return;
    slab.reset();
    const arrays = { ...once, ...await placeArrays(cube, plan.each, slab, sources, tile, runner) };
    flights.push({ slab, cube, arrays });
    const windows = plan.strides.map(([name]): [string, Extent] => {
      const { lower, upper } = cube.dimension(name);
      return [name, [lower, upper]];
    });
    yield { tile: tile++, extents: Object.fromEntries(windows), arrays };
  }
}

/** Cuts arrays from a slab and fills the inputs among them, unless the run, and its memory, have ended in the meantime. */
async function placeArrays(
  cube: Hypercube,
  names: readonly string[],
  slab: Slab,
  sources: Readonly<Record<string, Source>>,
  tile: number,
  runner: Runner<TileProgress>,
): Promise<Record<string, CubeArray>> {
  const arrays: Record<string, CubeArray> = {};
  for (const name of names) {
    const { dtype, role = "input" } = cube.array(name);
    const shape = cube.arrayShape(name);
    const { pointer, data } = slab.block(dtype, sizeOf(shape), name);
    arrays[name] = { pointer, shape, dtype };
    if (role !== "input") continue;
    const ask = () => bring(sources[name]!, contextOf(cube, name, tile), data);
    await runner.ask(ask, (brought) => copyNumbers(data, brought));
  }
  return arrays;
}

async function deliver(
  tile: number,
  { slab: { memory }, cube, arrays }: Flight,
  sinks: Readonly<Record<string, Sink>>,
): Promise<void> {
  const view = (name: string) => viewOf(memory, arrays[cube.array(name).name]!);
  for (const [name, sink] of Object.entries(sinks)) {
    const context = { ...contextOf(cube, name, tile), data: view(name), input: view };
    await calling("sink", context, () => sink(context));
  }
}

function checkProviders(
  cube: Hypercube,
  sources: Readonly<Record<string, Source>>,
  sinks: Readonly<Record<string, Sink>>,
): void {
  const named = (wanted: ArrayRole) =>
    [...cube.arrays.values()].filter(({ role = "input" }) => role === wanted).map(({ name }) => name);
  const inputs = named("input"), outputs = named("output");
  const missing = inputs.filter((name) => !Object.hasOwn(sources, name));
  if (missing.length > 0) throw noSuch(`no source for ${missing.join(", ")}`, inputs, "inputs");
  const extra = Object.keys(sources).filter((name) => !inputs.includes(name));
  if (extra.length > 0) throw noSuch(`a source for ${extra.join(", ")}, which is no input`, inputs, "inputs");
  const lost = Object.keys(sinks).filter((name) => !outputs.includes(name));
  if (lost.length > 0) throw noSuch(`a sink for ${lost.join(", ")}, which is no output`, outputs, "outputs");
}

function noSuch(what: string, known: readonly string[], kind: string): TilewiseError {
  return new TilewiseError(
    "invalid",
    `Cannot solve the cube: there is ${what}; ${kind} are ${known.join(", ")}`,
  );
}
