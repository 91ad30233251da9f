/**
 * The executor of worker processes: the pool, with processes in place of threads.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { atLeast0, inner, must, positive, text } from "../../options/rules.ts";
import { countOf, Pool, type Trade, type WorkerPool } from "../pool/pool.ts";
import type { RemoteOptions } from "../pool/remote.ts";
import type { Remote, RemoteEvents } from "../pool/slot.ts";
import type { Job } from "../task.ts";
import { Grants, type ProcessPermissions } from "./grants.ts";
import { ProcessWorker } from "./remote.ts";

/**
 * Options of {@link processExecutor}.
 * @category Executors
 */
export interface ProcessExecutorOptions {
  /** Number of processes. Default: one per core, at most 8. */
  readonly workers?: number;
  /**
   * What processes may do beside what their jobs need: for modules of users that read files, ask servers, or import what does
   * not lie beside them.
   */
  readonly permissions?: ProcessPermissions;
  /**
   * Path of the `deno.json` by which modules are found. Default: that of the main module of this process, where it may be
   * looked for.
   */
  readonly config?: string;
  /** Most bytes of the JavaScript heap of one process. Default: what the platform allows for. */
  readonly heap?: number;
  /** Milliseconds without a run after which the processes end; the next run starts new ones. Default 5000. */
  readonly idle?: number;
  /** Milliseconds that processes get to come back from a cancelled run before they are replaced. Default 100. */
  readonly grace?: number;
}

const paths = must(
  "a list of texts",
  (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
);

const PERMISSIONS: OptionNames<ProcessPermissions> = {
  read: paths,
  write: paths,
  net: paths,
  env: paths,
  run: paths,
  import: paths,
};

const PROCESS_OPTIONS: OptionNames<ProcessExecutorOptions> = {
  workers: true,
  permissions: inner(PERMISSIONS),
  config: text,
  heap: positive,
  idle: atLeast0,
  grace: atLeast0,
};

/**
 * An executor of worker processes.
 * @category Executors
 */
export interface ProcessExecutor extends WorkerPool {
  /** The processes that run, by their numbers in the operating system. */
  readonly pids: readonly number[];
}

/**
 * An executor of processes that have no memory in common with this one, and no permission but to read their code and the
 * sources of their jobs, or to reach the servers that have them. What runs here needs nothing but messages. A process that is
 * lost takes nothing along but its task; all end at once with this process, however it ends.
 *
 * It serves UDFs, filters and cubes by way of `createContext({ executor })`, with the same bits as threads. Each process has
 * its own copy of constants and results under way; plans count them. A process is started for the sources of its jobs: a
 * run that reads others starts new ones, unless `permissions.read` names a folder that holds all of them. Starting takes 0.1
 * to 0.2 s and a task 0.2 ms, beside its bytes: threads take a fifth of that.
 *
 * This process must be allowed to run Deno (`--allow-run=deno`). Dispose of it with `await using`.
 *
 * Errors: `unsupported` where there is no Deno, or for jobs that need shared memory; those of {@link workerPool}.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createContext, open, plan, run, sumPixels } from "@tilewise/tilewise";
 * await using executor = processExecutor({ workers: 1 });
 * await using context = createContext({ executor });
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { bright } = await run(await plan(scan, { bright: sumPixels() }, { context }));
 * assertEquals([...bright.intensity.data], [3, 7]);
 * ```
 * @category Executors
 */
export function processExecutor(options: ProcessExecutorOptions = {}): ProcessExecutor {
  checkOptionNames("processExecutor()", options, PROCESS_OPTIONS);
  const { Deno: deno } = globalThis as { Deno?: { Command?: unknown; build: { standalone?: boolean } } };
  if (!deno?.Command || deno.build.standalone || !import.meta.url.endsWith("/executor.ts")) {
    const text =
      "Cannot start worker processes: that takes Deno, with the modules of Tilewise as they are, not bundled " +
      "or compiled; use workerPool()";
    throw new TilewiseError("unsupported", text, { option: "executor" });
  }
  return new Processes(options);
}

class Processes extends Pool implements ProcessExecutor {
  readonly #company: Company;

  constructor(options: ProcessExecutorOptions) {
    const company = new Company(options);
    super(countOf(options), options, company);
    this.#company = company;
  }

  get pids(): readonly number[] {
    return [...this.#company.processes].map(({ pid }) => pid);
  }
}

/** The processes of an executor, and what they may do. */
class Company implements Trade {
  readonly kind = "processes";
  readonly memory = "own";
  /** Those that run. */
  readonly processes = new Set<ProcessWorker>();
  readonly #base: Grants;
  #allowed: Grants;

  constructor(private readonly options: ProcessExecutorOptions) {
    this.#base = Grants.from(options.permissions ?? {});
    this.#allowed = this.#base;
  }

  readonly start = (options: RemoteOptions, events: RemoteEvents): Remote => {
    const { config, heap } = this.options;
    const worker = new ProcessWorker({
      ...options,
      ...(config === undefined ? {} : { config }),
      ...(heap === undefined ? {} : { heap }),
      grants: this.#allowed,
      allowed: () => this.#allowed,
    }, events);
    this.processes.add(worker);
    worker.gone.then(() => this.processes.delete(worker));
    return worker;
  };

  check(job: Job<unknown>): void {
    Grants.of(job); // what no other process can read is refused
    if (job.needsShared === undefined) return;
    const text = `Cannot run "${job.export}" in worker processes: ${job.needsShared}; ` +
      "use workerPool(), whose workers share the memory, or inlineExecutor()";
    throw new TilewiseError("unsupported", text, { option: "executor", found: this.kind });
  }

  serve(jobs: readonly Job<unknown>[]): void {
    this.#allowed = this.#base.and(...jobs.map((job) => Grants.of(job)));
  }
}
