/**
 * The runners of a host: threads of a pool of their own, or the calling thread.
 *
 * A pool replaces threads that end. A runner that takes the place of another one fails the call that this has left, and serves
 * on; only when a place has lost three threads, the host ends.
 *
 * @module
 */

import { type WorkerPool, workerPool } from "../../executor/pool/pool.ts";
import type { Job } from "../../executor/task.ts";
import { type Channels, HOST } from "../protocol/channel.ts";
import { registerLocalRunner } from "../protocol/sleep.ts";
import { type RunnerJob, serveOn } from "./runner_job.ts";

/** Runners that serve. */
export interface Runners {
  /** Resolves when all of them have stopped, rejects when they cannot serve any more. */
  readonly ended: Promise<void>;
  /** Resolves when no thread of theirs uses the memory of the host; `false`: one still may. */
  readonly drained: Promise<boolean>;
  /** Ends their threads; `stuck`: those that do not stop as well. */
  end(stuck: boolean): Promise<void>;
}

/** Starts the runners of a host; the result is there when all of them serve. Errors: `worker`, `permission`, `udf`. */
export async function startRunners(channels: Channels, job: RunnerJob, grace: number): Promise<Runners> {
  const isLocal = channels.layout.runners === 0;
  const runners = isLocal ? localRunner(channels, job) : new ThreadRunners(channels, job, grace);
  try {
    await serving(channels, runners.ended);
    return runners;
  } catch (error) {
    channels.gate.host = HOST.closing; // others may still load their code: they stop when they have
    await runners.end(false);
    throw error;
  }
}

/** Resolves when all runners serve; rejects as `ended` does. */
async function serving({ gate, runners }: Channels, ended: Promise<void>): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  ended.catch((error) => failure = { error });
  while (gate.serving < runners) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (failure) throw failure.error;
  }
}

function localRunner(channels: Channels, job: RunnerJob): Runners {
  let leave = () => {};
  const ended = serveOn(0, job, channels.memory, false, (runner) => {
    leave = registerLocalRunner(job.layout.gate, { serve: (channel) => void runner.serve(channel) });
  }).finally(() => leave());
  return { ended, drained: ended.then(() => true, () => true), end: () => Promise.resolve() };
}

/** Runners on threads. */
class ThreadRunners implements Runners {
  readonly ended: Promise<void>;
  readonly drained: Promise<boolean>;
  readonly #pool: WorkerPool;
  readonly #stop = new AbortController();

  constructor(channels: Channels, shared: RunnerJob, grace: number) {
    const workers = channels.runners;
    const pool = this.#pool = workerPool({ workers, name: "tilewise host", stuckTimeout: grace, grace });
    const job: Job<RunnerJob> = {
      name: "tilewise:channels",
      module: import.meta.resolve("./runner_job.ts"),
      export: "runnerJob",
      shared,
      together: true,
    };
    const tasks = Array.from({ length: workers }, (_, index) => index);
    const { memory } = channels, { signal } = this.#stop;
    const run = pool.run<RunnerJob, number, void>(job, tasks, { memory, stallTimeout: Infinity, signal });
    this.drained = run.drained;
    this.ended = (async () => {
      for await (const _ of run);
    })();
    this.ended.catch(() => {});
    poolsOfRunners.set(channels.layout.gate, pool);
  }

  async end(stuck: boolean): Promise<void> {
    this.#stop.abort();
    for (let index = 0; stuck && index < this.#pool.workers; index++) this.#pool.kill(index);
    if (!stuck) await this.drained; // a thread that is ended while it loads code can end a process of Deno
    await this.#pool[Symbol.asyncDispose]();
  }
}

const poolsOfRunners = new WeakMap<SharedArrayBuffer, WorkerPool>();

/** The threads of the runners of a host, by its gate. For tests, which end them. */
export function poolOfRunners(gate: SharedArrayBuffer): WorkerPool | undefined {
  return poolsOfRunners.get(gate);
}
