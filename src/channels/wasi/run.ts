/**
 * Programs made by others, compiled to WebAssembly for WASI preview 1, as kernels: their file calls go to a host.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Job } from "../../executor/task.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { insideOf } from "../../runner/context.ts";
import type { Leases } from "../../runner/leases.ts";
import { Runner } from "../../runner/runner.ts";
import type { ChannelHost } from "../host/host.ts";
import { insideOfHost, mustBeMemoryOf } from "../host/inside.ts";
import { lateError } from "./common/codes.ts";
import { LEAST_BUFFER } from "./files/channel_files.ts";
import { checkProgram } from "./module.ts";
import {
  checkWasi,
  INSTANCE,
  WASI_OPTIONS,
  type WasiInstance,
  type WasiOptions,
  type WasiProgress,
  type WasiSettings,
  type WasiSource,
  wasiSource,
} from "./options.ts";
import { Outlets, type WasiEnd, type WasiShared, type WasiTask } from "./outlets.ts";

/**
 * How a program ended.
 * @category Channels
 */
export interface WasiResult {
  /** Its exit code: 0 for success. */
  readonly code: number;
  /** What it wrote to standard output; empty if that was handed over while it ran. */
  readonly stdout: Uint8Array<ArrayBuffer>;
  /** What it wrote to standard error; empty if that was handed over while it ran. */
  readonly stderr: Uint8Array<ArrayBuffer>;
}

const JOB = {
  name: "tilewise:wasi",
  module: import.meta.resolve("./job.ts"),
  export: "wasiJob",
  needsShared: "programs call a host through memory that both see",
  once: true, // what a program has done to files cannot be taken back
};

registerJobs({ [JOB.name]: () => import("./job.ts") });

const RUN_OPTIONS: OptionNames<WasiOptions & WasiInstance> = { ...WASI_OPTIONS, ...INSTANCE };

/** Most bytes that go through the buffer of one worker at a time. */
const MOST_BUFFER = 2 ** 20;

/**
 * Runs a program of WASI preview 1 on a worker, such as a C program compiled by
 * `clang --target=wasm32-wasi -O2 program.c -o program.wasm` (newer compilers call the target `wasm32-wasip1`). Its file calls
 * are served by the host, below the roots of the host; it sees no other files, no network, and no environment that it is not
 * given. Its memory is its own, and counts in the budget of the context.
 *
 * Errors: `malformed`, `unsupported` for bytes that are no such program; `over-budget` if it needs more memory than it may have, or
 * writes more output than is kept; `udf` with `details.trap` if it is stopped by its machine (`unreachable`, `out of bounds`,
 * `stack overflow` …); `timeout` if it makes no call for `stallTimeout`, or does not end within `timeout`; `aborted`. An exit code
 * other than 0 is a result, not an error.
 *
 * @example A program of 100 bytes that exits with the code 7
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { startHost } from "@tilewise/tilewise/channels";
 * import { runWasi } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * const wasm = Uint8Array.from(
 *   atob("AGFzbQEAAAABCAJgAX8AYAAAAiQBFndhc2lfc25hcHNob3RfcHJldmlldzEJcHJvY19leGl0AAADAgEBBQMBAAEHEwIGbWVtb3J5AgAGX3N0YXJ0AAEKCAEGAEEHEAAL"),
 *   (c) => c.charCodeAt(0),
 * );
 * await using context = createContext({ memory: "8MiB", workers: 1 });
 * await using host = await startHost(context, { channels: 1, bufferLength: 4096, elementSize: 1 });
 * const { code } = await runWasi(host, { wasm }, { memory: "1MiB" });
 * assertEquals(code, 7);
 * ```
 * @category Channels
 */
export async function runWasi(
  host: ChannelHost,
  program: WasiSource,
  options: WasiOptions & WasiInstance = {},
): Promise<WasiResult> {
  checkOptionNames("runWasi()", options, RUN_OPTIONS);
  const { args, env, stdin, ...others } = options;
  const [result] = await launched("runWasi()", host, program, [defined({ args, env, stdin })], others);
  return result!;
}

/**
 * Runs a program once for each of `instances`, as many at the same time as there are workers: each has arguments, environment and
 * standard input of its own, and all use the files of the host. The results are in the order of the instances. Options and errors
 * are those of {@link runWasi}; the first error ends the others.
 * @category Channels
 */
export function launchWasi(
  host: ChannelHost,
  program: WasiSource,
  instances: readonly WasiInstance[],
  options: WasiOptions = {},
): Promise<WasiResult[]> {
  return launched("launchWasi()", host, program, instances, options);
}

async function launched(
  call: string,
  host: ChannelHost,
  program: WasiSource,
  instances: readonly WasiInstance[],
  options: WasiOptions,
): Promise<WasiResult[]> {
  const settings = checkWasi(call, host, instances, options);
  const results: WasiResult[][] = [];
  const run = new WasiRun(host, settings, () => loaded(call, program, settings.memory));
  for await (const all of run.parts()) results.push(all);
  return results.flat();
}

/** A program that has been checked. */
interface Loaded {
  readonly name: string;
  readonly module: WebAssembly.Module;
  /** Most bytes of the memory of one instance. */
  readonly memory: number;
}

async function loaded(call: string, program: WasiSource, limit: number): Promise<Loaded> {
  const { name, bytes } = await wasiSource(call, program);
  return { name, ...await checkProgram(bytes, limit, name) };
}

class WasiRun {
  readonly #runner: Runner<WasiProgress>;
  readonly #start = performance.now();
  #done = 0;
  #calls = 0;

  constructor(
    private readonly host: ChannelHost,
    private readonly settings: WasiSettings,
    private readonly load: () => Promise<Loaded>,
  ) {
    this.#runner = new Runner<WasiProgress>(
      insideOfHost(host)!.context,
      settings.run,
      () => this.#progress(),
    );
  }

  #progress(): WasiProgress {
    const { length } = this.settings.instances;
    const calls = this.#calls + this.#runner.inFlight();
    return { instances: this.#done, total: length, calls, seconds: (performance.now() - this.#start) / 1000 };
  }

  parts(): AsyncIterableIterator<WasiResult[], undefined> {
    return this.#runner.parts(() => this.#body());
  }

  async *#body(): AsyncGenerator<WasiResult[], void> {
    const runner = this.#runner, { instances } = this.settings;
    const held = withResolvers<boolean>();
    insideOfHost(this.host)!.hold(held.promise); // the buffers of channels are in use
    const outlets = new Outlets(instances, (error) => runner.fail(error));
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      runner.mustGoOn();
      const program = await this.load();
      timer = this.#limit(program);
      const results = await this.#run(program, outlets);
      await outlets.drained();
      runner.finish();
      yield results;
    } finally {
      clearTimeout(timer);
      outlets.close();
      runner.drained.then(held.resolve);
    }
  }

  async #run(program: Loaded, outlets: Outlets): Promise<WasiResult[]> {
    const { context } = insideOfHost(this.host)!;
    const inside = insideOf(context);
    const executor = inside.executorOf(inside.workers, true);
    if (executor.kind === "inline") outlets.mustBeNone();
    const workers = executor.kind === "inline" ? 1 : executor.workers;
    const shared = await this.#runner.enter((leases) => this.#place(program, leases, workers));
    const results: WasiResult[] = [];
    const job: Job<WasiShared> = { ...JOB, shared };
    for await (
      const { index, value } of this.#runner.results<WasiShared, WasiTask, WasiEnd>(
        executor,
        job,
        outlets.tasks(),
      )
    ) {
      const { code, stdout, stderr, calls } = value;
      results[index] = { code, stdout, stderr };
      this.#calls += calls;
      this.#done++;
    }
    return results;
  }

  /** Takes the memory: a buffer per worker, and what the memories of the instances that run at the same time may grow to. */
  #place({ name, module, memory }: Loaded, leases: Leases, workers: number): WasiShared {
    const { layout } = insideOfHost(this.host)!;
    const { route, preopens, outputLimit, timeout, instances } = this.settings;
    mustBeMemoryOf(insideOfHost(this.host)!, leases, "run a program");
    leases.many(Math.min(workers, instances.length), memory, `the memory of ${name}`);
    const room = layout.bufferLength * layout.elementSize;
    const bytes = Math.min(MOST_BUFFER, Math.max(LEAST_BUFFER, room));
    const buffers = leases.many(workers, bytes, `files of ${name}`).map(({ offset }) => ({ offset, bytes }));
    const until = performance.timeOrigin + this.#start + timeout;
    return { module, name, layout, route, buffers, preopens, outputLimit, until, timeout };
  }

  #limit({ name }: Loaded): ReturnType<typeof setTimeout> | undefined {
    const { timeout } = this.settings;
    if (timeout === Infinity) return undefined;
    return setTimeout(() => this.#runner.fail(lateError(name, timeout)), timeout);
  }
}
