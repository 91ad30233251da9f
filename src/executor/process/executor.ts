/**
 * The executor of worker processes: the pool, with processes in place of threads.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { atLeast0, inner, must, positive, text, whole } from "../../options/rules.ts";
import { countOf, mustNotShare, Pool, type Trade, type WorkerPool } from "../pool/pool.ts";
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
  /** Number of processes. Whole, 1 to 1024. Default: one per core, at most 8. */
  readonly workers?: number;
  /**
   * Permissions of processes beside those that their jobs need: for modules of users that read files, connect to servers, or
   * import modules from other folders.
   */
  readonly permissions?: ProcessPermissions;
  /**
   * Path of the `deno.json` by which imports are resolved. Default: that of the main module of this process, if this process
   * may look for it.
   */
  readonly configFile?: string;
  /** Most bytes of the JavaScript heap of one process. Above 0. Default: the limit of the platform. */
  readonly heap?: number;
  /** Milliseconds without a run after which the processes end; the next run starts new ones. At least 0. Default 5000. */
  readonly idle?: number;
  /**
   * Grace period for processes to stop after a run was cancelled, in milliseconds; then they are replaced. At least 0. Default
   * 100.
   */
  readonly grace?: number;
}

const paths = must<readonly string[]>(
  "a list of texts",
  (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
);

// deno-fmt-ignore: written by `deno task build`
const PERMISSIONS: OptionNames<ProcessPermissions> = {
  read: paths, write: paths, net: paths, env: paths, run: paths, import: paths,
};

// deno-fmt-ignore: written by `deno task build`
const PROCESS_OPTIONS: OptionNames<ProcessExecutorOptions> = {
  workers: whole(1, 1024), permissions: inner(PERMISSIONS), configFile: text, heap: positive, idle: atLeast0,
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
 * An executor of processes that share no memory with this one. Their only permissions are to read their code and the sources
 * of their jobs, or to connect to the servers of these sources. Jobs must work with messages alone. If a process is lost, only
 * its task is lost with it. All processes end immediately when this process ends, for whatever reason.
 *
 * With `createContext({ executor })` it runs UDFs, filters and cubes, with the same bits as threads. Each process has its own
 * copy of constants and of unfinished results; plans count these copies. A process may read only the sources of the jobs that
 * it was started for: a run that reads other sources, or writes other files, starts new processes, unless `permissions` name a
 * folder that holds all of them. Starting takes 0.1 to 0.2 s; a task takes 0.2 ms, and time for its bytes. Threads take a fifth of that.
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

/** The processes of an executor, and their permissions. */
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
    const { configFile, heap } = this.options;
    const worker = new ProcessWorker({
      ...options,
      ...(configFile === undefined ? {} : { configFile }),
      ...(heap === undefined ? {} : { heap }),
      grants: this.#allowed,
      allowed: () => this.#allowed,
    }, events);
    this.processes.add(worker);
    worker.gone.then(() => this.processes.delete(worker));
    return worker;
  };

  check(job: Job<unknown>): void {
    Grants.of(job); // throws for sources that no other process can read
    mustNotShare(job, "worker processes");
  }

  serve(jobs: readonly Job<unknown>[]): void {
    this.#allowed = this.#base.and(...jobs.map((job) => Grants.of(job)));
  }
}
