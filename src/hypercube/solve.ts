/**
 * Solving a cube: tile by tile, sources fill its inputs, a kernel computes, sinks take its outputs in order.
 *
 * Sources and sinks are functions on the calling thread; the kernel is a job on the executor. All arrays lie in
 * leases of the arena, as many bytes as the plan says.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../errors.ts";
import type { Executor } from "../executor/task.ts";
import { Arena } from "../memory/arena.ts";
import { Slab } from "../memory/slab.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { callable, each, inner, must, needed, signal as signalRule, text } from "../options/rules.ts";
import { copyNumbers } from "../space/numbers.ts";
import { sizeOf } from "../space/shape.ts";
import type { CubePlan } from "./budget.ts";
import type { ArrayRole, Extent, Hypercube } from "./cube.ts";
import { tileIter } from "./iterate.ts";
import { bring, calling, contextOf, type CubeArray, type Sink, type Source, viewOf } from "./provider.ts";
import { Slots } from "../memory/slots.ts";

/** A tile as the kernel's handler gets it: plain data. */
export interface CubeTask {
  /** The number of the tile. */
  readonly tile: number;
  /** The windows of the tiled dimensions. */
  readonly extents: Readonly<Record<string, Extent>>;
  /** All arrays of the cube by name: inputs filled, outputs and temporaries with undefined contents. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/** What computes a tile: an export of a module that makes a handler of {@link CubeTask}. */
export interface CubeKernel {
  /** URL of the module, as `import.meta.resolve` gives it. */
  readonly module: string;
  /** The export, a `JobFactory`. */
  readonly export: string;
  /** What it gets once on every worker; structured-cloneable. */
  readonly shared?: unknown;
}

/** What a run needs beside its plan. */
export interface SolveOptions {
  /** The kernel. */
  readonly kernel: CubeKernel;
  /** A source for every input. */
  readonly sources: Readonly<Record<string, Source>>;
  /** Sinks for the outputs one wants. */
  readonly sinks: Readonly<Record<string, Sink>>;
  /** The memory; its budget must have room for `plan.bytes`. */
  readonly arena: Arena;
  /** Where the kernel runs. */
  readonly executor: Executor;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
}

const KERNEL_NAMES: OptionNames<CubeKernel> = { module: needed(text), export: needed(text), shared: true };

const SOLVE_OPTIONS: OptionNames<SolveOptions> = {
  kernel: needed(inner(KERNEL_NAMES)),
  sources: needed(each("an object of functions by the names of inputs", callable)),
  sinks: needed(each("an object of functions by the names of outputs", callable)),
  arena: needed(must("an arena, as new Arena() makes it", (value) => value instanceof Arena)),
  executor: needed(
    must("an executor, as workerPool() makes it", (value) => typeof (value as Executor)?.run === "function"),
  ),
  signal: signalRule,
};

function checkPlan({ cube, strides }: Partial<CubePlan>): void {
  if (cube && strides) return;
  throw new TilewiseError("invalid", "solve() takes a plan, as planTiles() makes it", { option: "plan" });
}

/** A tile on its way. */
interface Flight {
  readonly slab: Slab;
  readonly cube: Hypercube;
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/** Runs a plan to its end. Whatever happens, no worker touches the memory any more when the promise settles. */
export async function solve(plan: CubePlan, options: SolveOptions): Promise<void> {
  checkOptionNames("solve()", options, SOLVE_OPTIONS);
  checkPlan(plan ?? {});
  const { arena, executor, kernel, sources, sinks, signal } = options;
  throwIfAborted(signal);
  checkProviders(plan.cube, sources, sinks);
  using leases = new DisposableStack();
  const lease = (bytes: number, label: string) => {
    if (bytes === 0) return new Slab(arena.memory, 0, 0);
    const { offset } = leases.use(arena.lease(bytes, label));
    return new Slab(arena.memory, offset, bytes);
  };
  const onceSlab = lease(plan.onceBytes, "arrays that are not tiled");
  const slots = new Slots(
    Array.from({ length: plan.inFlight }, (_, i) => lease(plan.tileBytes, `tile slot ${i}`)),
  );
  const flights = new Map<number, Flight>();
  const once = await placeArrays(plan.cube, plan.once, onceSlab, sources, -1, slots);
  const tasks = makeTasks(plan, slots, once, sources, flights);
  const job = { module: kernel.module, export: kernel.export, shared: kernel.shared };
  const run = executor.run<unknown, CubeTask, void>(job, tasks, {
    memory: arena.memory,
    ...(signal ? { signal } : {}),
  });
  try {
    const done = new Set<number>();
    let next = 0;
    for await (const { index } of run) {
      for (done.add(index); done.delete(next); next++) {
        const flight = flights.get(next)!;
        await deliver(arena.memory, next, flight, sinks);
        flights.delete(next);
        slots.give(flight.slab);
      }
    }
  } finally {
    slots.end();
    await run.drained;
  }
}

/** Tiles in order, each as soon as a slot is free and its sources have filled it. */
async function* makeTasks(
  plan: CubePlan,
  slots: Slots<Slab>,
  once: Readonly<Record<string, CubeArray>>,
  sources: Readonly<Record<string, Source>>,
  flights: Map<number, Flight>,
): AsyncGenerator<CubeTask, void> {
  let tile = 0;
  for (const cube of tileIter(plan.cube, ...plan.strides)) {
    const slab = await slots.take();
    if (!slab) return;
    slab.reset();
    const arrays = { ...once, ...await placeArrays(cube, plan.each, slab, sources, tile, slots) };
    flights.set(tile, { slab, cube, arrays });
    const windows = plan.strides.map(([name]): [string, Extent] => {
      const { lower, upper } = cube.dimension(name);
      return [name, [lower, upper]];
    });
    yield { tile: tile++, extents: Object.fromEntries(windows), arrays };
  }
}

/** Cuts arrays from a slab and fills the inputs among them, unless the run, and with it the memory, has gone meanwhile. */
async function placeArrays(
  cube: Hypercube,
  names: readonly string[],
  slab: Slab,
  sources: Readonly<Record<string, Source>>,
  tile: number,
  slots: Slots<Slab>,
): Promise<Record<string, CubeArray>> {
  const arrays: Record<string, CubeArray> = {};
  for (const name of names) {
    const { dtype, role = "input" } = cube.array(name);
    const shape = cube.arrayShape(name);
    const { pointer, data } = slab.block(dtype, sizeOf(shape), name);
    arrays[name] = { pointer, shape, dtype };
    if (role !== "input") continue;
    const brought = await bring(sources[name]!, contextOf(cube, name, tile), data);
    if (slots.ended) throw new TilewiseError("aborted", `The run ended before the source of ${name} did`);
    copyNumbers(data, brought);
  }
  return arrays;
}

async function deliver(
  memory: WebAssembly.Memory,
  tile: number,
  { cube, arrays }: Flight,
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
