/**
 * Runs a plan: partitions go to workers, their results come back, are merged in order and shown as they grow.
 *
 * @module
 */

import { abortedError, TilewiseError } from "../errors.ts";
import type { Executor } from "../executor/task.ts";
import { kernelModule } from "../kernels/wasm.ts";
import type { PartitionTask, RunShared } from "./job.ts";
import { Placement } from "./place.ts";
import type { Plan } from "./plan.ts";
import { type Results, ResultStore } from "./results.ts";
import { type Part, RunState } from "./run_state.ts";

/** Options of {@link run}. */
export interface RunOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** Milliseconds without a sign of life after which a worker is replaced. Default 30 000. */
  readonly stallTimeout?: number;
}

/** A run: await it for the results, or iterate over its growing parts. It starts when one of both is done. */
export interface Run extends AsyncIterable<Part>, PromiseLike<Results> {}

/**
 * Runs a plan. The results have the same bits for any number of workers.
 *
 * Errors: `aborted` with the number of merged partitions, `udf` with stack and partition when a UDF throws,
 * `worker` or `timeout` when workers die or hang again and again, and those of the byte source.
 *
 * @example All at once, or as it grows
 * ```ts
 * import { open, plan, run, sumPixels } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const results = await run(await plan(scan, { bright: sumPixels() }));
 * assertEquals([...results.bright!.intensity!.data], [3, 7]);
 * ```
 */
export function run(plan: Plan, options: RunOptions = {}): Run {
  let whole: Promise<Results> | undefined;
  const drain = async () => {
    let last: Part | undefined;
    for await (const part of execute(plan, options)) last = part;
    return last!.results;
  };
  return {
    [Symbol.asyncIterator]: () => execute(plan, options),
    // A run is awaited as often as it is iterated: both read naturally.
    then: (resolve, reject) => (whole ??= drain()).then(resolve, reject),
  };
}

/** The results of a run without reading anything: shapes and dtypes as they will be. */
export function dryRun(plan: Plan): Results {
  return new ResultStore(plan).results(undefined);
}

async function* execute(plan: Plan, options: RunOptions): AsyncGenerator<Part, void> {
  if (options.signal?.aborted) throw abortedError(options.signal, { merged: 0 });
  const executor = chooseExecutor(plan);
  await plan.context.settled();
  const placement = new Placement(plan);
  const state = new RunState(plan, placement);
  const { stallTimeout, signal } = options;
  const tasks = executor.run<RunShared, PartitionTask, number>(
    {
      module: new URL("./job.ts", import.meta.url).href,
      export: "partitionJob",
      shared: sharedOf(plan, placement),
    },
    state.tasks(),
    {
      memory: plan.context.arena.memory,
      ...(signal ? { signal } : {}),
      ...(stallTimeout === undefined ? {} : { stallTimeout }),
    },
  );
  try {
    for await (const { index } of tasks) {
      if (state.finish(index)) yield state.part(() => tasks.inFlight());
    }
    state.complete();
    yield state.part(() => 0);
  } catch (error) {
    throw state.explain(error, signal);
  } finally {
    state.stop();
    plan.context.settle(
      tasks.drained.then((safe) => safe ? placement[Symbol.dispose]() : plan.context.abandon()),
    );
  }
}

/** Small runs are over before a worker has woken up. */
const INLINE_BYTES = 4 * 2 ** 20;

function chooseExecutor({ context, bytesToRead, udfs, memory }: Plan): Executor {
  const closure = udfs.find(({ ref }) => ref.inline);
  if (closure && context.workers > 0 && context.explicit) {
    throw new TilewiseError(
      "udf",
      `UDF "${closure.udf.name}" cannot travel to workers: export it from a module and pass ` +
        `udf(import.meta.resolve("./module.ts")), or use a context with workers: 0`,
      { udf: closure.udf.name },
    );
  }
  if (closure || bytesToRead <= INLINE_BYTES && !context.explicit) return context.inline;
  return context.executorOf(memory.workers);
}

function sharedOf(plan: Plan, { slabs, constants, corrections }: Placement): RunShared {
  const { dataset, scheme, set, selection, leaf, memory, context, udfs } = plan;
  return {
    layout: dataset.layout,
    module: kernelModule(context.arena.shared),
    udfs: udfs.map(({ ref, meta, method, tree }, u) => ({
      ref,
      meta,
      method,
      tree,
      constants: constants[u]!,
    })),
    set,
    selection,
    navShape: dataset.navShape,
    depth: scheme.depth,
    slices: scheme.slices,
    readWhole: memory.readWhole,
    leaf,
    leafSets: plan.leafSets,
    partitionFrames: set.frames,
    ...(corrections ? { corrections } : {}),
    slabs: slabs.map(({ offset, byteLength }) => ({ offset, byteLength })),
  };
}
