/**
 * Jobs of users in a context: plain tasks that run and end as all other runs of the context do.
 *
 * @module
 */

import { arrayFromAsync } from "../portable.ts";
import { TilewiseError } from "../errors.ts";
import type { Job, JobFactory } from "../executor/task.ts";
import type { Arena } from "../memory/arena.ts";
import { inWords, type OptionNames } from "../options.ts";
import { type Context, insideOf } from "./context.ts";
import { InOrder } from "./in_order.ts";
import { checkRunOptions, context as contextRule } from "./rules.ts";
import { RUN_SETTINGS, Runner, type RunSettings } from "./runner.ts";

/**
 * Progress of a launch.
 * @category Executors
 */
export interface TaskProgress {
  /** Tasks whose results have been handed out. */
  readonly tasks: number;
  /** Seconds since the start. */
  readonly seconds: number;
}

/**
 * Options of {@link launch}.
 * @category Executors
 */
export interface LaunchOptions extends RunSettings<TaskProgress> {}

const LAUNCH_OPTIONS: OptionNames<LaunchOptions> = RUN_SETTINGS;

/**
 * Any function that makes the handler of a job.
 * @category Executors
 */
export type AnyJob = JobFactory<never, never, unknown>;

/**
 * What a job shares among its tasks.
 * @category Executors
 */
export type SharedOf<F> = F extends JobFactory<infer S, never, unknown> ? S : unknown;

/**
 * A task of a job.
 * @category Executors
 */
export type TaskOf<F> = F extends JobFactory<never, infer T, unknown> ? T : unknown;

/**
 * The result of a task of a job.
 * @category Executors
 */
export type TaskResultOf<F> = F extends JobFactory<never, never, infer R> ? R : unknown;

/**
 * Running tasks of a job: await it for all results, or iterate once over the results in the order of the tasks.
 * @category Executors
 */
export class Launch<R> implements AsyncIterable<R>, PromiseLike<R[]> {
  #all: Promise<R[]> | undefined;

  /** A launch that has not begun. */
  constructor(private readonly results: AsyncIterableIterator<R, undefined>) {}

  /** The results in the order of their tasks. Leaving the iteration early stops the remaining tasks. */
  [Symbol.asyncIterator](): AsyncIterableIterator<R, undefined> {
    return this.results;
  }

  /** All results. */
  then<A = R[], B = never>(
    resolve?: ((results: R[]) => A | PromiseLike<A>) | null,
    reject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#all ??= arrayFromAsync(this.results)).then(resolve, reject);
  }
}

/**
 * Runs the tasks of your own job on the workers of a context. The job is an export of a module: it is called once on each
 * worker, with the data that all tasks share, and returns a handler that gets the tasks one after another. The type of that
 * export decides the types of tasks and results.
 *
 * Errors: `aborted`, `worker` or `timeout` when workers die or hang again and again, and what the handler throws.
 *
 * @example A job that is an export of the same module
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { launch } from "@tilewise/tilewise/unstable/run";
 * import { assertEquals } from "@std/assert";
 *
 * const code = "export const times = (by) => ({ run: (task) => by * task });"; // in general a module of its own
 * type Times = (by: number) => { run(task: number): number };
 *
 * await using context = createContext({ workers: 2 });
 * const job = { module: `data:text/javascript,${encodeURIComponent(code)}`, export: "times", shared: 10 };
 * assertEquals(await launch<Times>(context, job, [1, 2, 3]), [10, 20, 30]);
 * ```
 * @category Executors
 */
export function launch<F extends AnyJob = JobFactory<unknown, unknown, unknown>>(
  context: Context,
  job: Job<SharedOf<F>>,
  tasks: Iterable<TaskOf<F>> | AsyncIterable<TaskOf<F>>,
  options: LaunchOptions = {},
): Launch<TaskResultOf<F>> {
  contextRule("launch()", "context", context);
  return launchIn(context, job, tasks, options);
}

/** What a launch uses beside its own memory. */
interface Beside {
  /** Tasks use addresses in it, so that it must still be the arena of the context. */
  readonly arena: Arena;
  /** Called when all threads of the launch have ended; resolves when nobody else is at work for them. */
  drained(): Promise<boolean>;
}

/** As {@link launch}, for tasks that use something `beside`. */
export function launchIn<S, T, R>(
  context: Context,
  job: Job<S>,
  tasks: Iterable<T> | AsyncIterable<T>,
  options: LaunchOptions,
  beside?: Beside,
): Launch<R> {
  checkRunOptions("launch()", { context }, options, LAUNCH_OPTIONS);
  checkJob(job);
  const start = performance.now();
  const order = new InOrder<R>();
  const look = () => ({ tasks: order.next, seconds: (performance.now() - start) / 1000 });
  const runner = new Runner<TaskProgress>(context, options, look);
  return new Launch(runner.parts(async function* () {
    runner.mustGoOn();
    await runner.enter(({ arena }) => mustBeThere(arena, beside?.arena));
    const executor = insideOf(context).executorOf(context.workers, true);
    try {
      for await (const { index, value } of runner.results<S, T, R>(executor, job, tasks)) {
        for (const [, result] of order.put(index, value)) yield* runner.handOver(result);
      }
      runner.finish();
    } finally {
      if (beside) runner.holdsAfter(() => beside.drained());
    }
  }));
}

function checkJob(job: Partial<Job<unknown>>): void {
  if (typeof job?.module === "string" && typeof job.export === "string") return;
  const text = `launch() takes a job { module: URL, export: NAME, shared }; it was given ${inWords(job)}`;
  throw new TilewiseError("invalid", text, { option: "job", found: inWords(job) });
}

/** Addresses that a job carries are those of one memory. */
function mustBeThere(arena: Arena, beside: Arena | undefined): void {
  if (beside === undefined || beside === arena) return;
  const text =
    "Cannot launch: the memory was written off, as a thread could not be stopped; start the host again";
  throw new TilewiseError("lease", text);
}
