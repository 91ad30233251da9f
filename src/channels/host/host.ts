/**
 * The host of channels: their memory, and the worker that answers the calls of kernels.
 *
 * @module
 */

import { fromWire, TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { onThreadEnd } from "../../executor/thread_number.ts";
import type { Job, JobFactory } from "../../executor/task.ts";
import { type Context, insideOf } from "../../runner/face.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { type AnyJob, type Launch, launchIn, type LaunchOptions } from "../../runner/launch.ts";
import type { SharedOf, TaskOf, TaskResultOf } from "../../runner/launch.ts";
import type { Leases } from "../../runner/leases.ts";
import { Runner } from "../../runner/runner.ts";
import {
  CHANNEL_OPTIONS,
  channelBytes,
  type ChannelLayout,
  type ChannelOptions,
  Channels,
  HOST,
  newGate,
} from "../protocol/channel.ts";
import { atLeast0 } from "../../options/rules.ts";
import type { DType } from "../../space/dtype.ts";
import { prepareFiles, storeBytes } from "../backends/open_files.ts";
import { type FileStore, folders, storeRule } from "../backends/stores.ts";
import { closeChannels } from "../protocol/runner.ts";
import { type HostMessage, type HostThread, startHostThread } from "./host_thread.ts";
import { type KernelArray, leaseArray } from "./arrays.ts";
import { withInside } from "./inside.ts";
import { leaseName, type NameAt } from "./names.ts";

/**
 * A running host. Dispose of it (or call `close()`) when it is not needed any more.
 * @category Channels
 */
export interface ChannelHost extends AsyncDisposable {
  /** Where the channels are: send it to the workers. */
  readonly layout: ChannelLayout;
  /** Puts the name of a file into the memory of the kernels, until the host is closed: plain data for a job. */
  name(text: string): NameAt;
  /** An array of zeros in the memory of the kernels, until it is returned or the host is closed. Errors: `over-budget`. */
  array<D extends DType>(dtype: D, length: number): KernelArray<D>;
  /**
   * Runs the tasks of a job whose kernels call this host, as {@link launch} does. Errors: also `lease`, when the context has new
   * memory because a thread could not be stopped, so that the channels are not in it.
   */
  launch<F extends AnyJob = JobFactory<unknown, unknown, unknown>>(
    job: Job<SharedOf<F>>,
    tasks: Iterable<TaskOf<F>> | AsyncIterable<TaskOf<F>>,
    options?: LaunchOptions,
  ): Launch<TaskResultOf<F>>;
  /**
   * Fails further calls with the status `closed`, stops the runner and closes its files. The memory is returned to the context
   * when all pending calls have ended; it is written off if one does not end.
   */
  close(): Promise<void>;
}

/**
 * Options of {@link startHost}.
 * @category Channels
 */
export interface HostOptions extends ChannelOptions {
  /** Milliseconds that calls get to end when the host is closed. Default 5000. */
  readonly patience?: number;
  /**
   * Folders below which kernels use files; no name and no link leads out of them. Relative names start at the first one. Default:
   * all files that the runtime permits, from the current directory.
   */
  readonly roots?: readonly string[];
  /** Where the files are: `memoryFiles()`, `opfsFiles()`, `httpFiles(url)`, or a module of yours. Default: the operating system. */
  readonly backEnd?: FileStore;
}

const HOST_OPTIONS: OptionNames<HostOptions> = {
  ...CHANNEL_OPTIONS,
  patience: atLeast0,
  roots: folders,
  backEnd: storeRule,
};

/**
 * Starts a host in `context`: channels in its memory, and a worker that serves them, until it is closed or the context is
 * disposed of. It waits in the queue while runs hold the memory.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { startHost } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "1MiB" });
 * await using host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 1 });
 * const { byteLength } = host.name("scan.raw"); // what a job carries to its kernel, beside host.layout
 * assertEquals([host.layout.channels, byteLength], [1, 8]);
 * ```
 * @category Channels
 */
export async function startHost(context: Context, options: HostOptions): Promise<ChannelHost> {
  checkOptionNames("startHost()", options, HOST_OPTIONS);
  contextRule("startHost()", "context", context);
  if (!insideOf(context).arena.shared) {
    throw new TilewiseError("invalid", "Cannot start a host over private memory: this platform shares none");
  }
  const runner = new Runner<never>(context, {}, nothing);
  const hosts = runner.parts(() => serving(runner, options));
  const { value: host } = await hosts.next();
  const close = async () => void await hosts.return!();
  runner.signal.addEventListener("abort", close, { once: true });
  const { layout, leases } = host!;
  const face: ChannelHost = {
    layout,
    name: (text) => host!.name(text),
    array: (dtype, length) => leaseArray(leases, leases.arena.memory, dtype, length),
    launch: (job, tasks, settings = {}) => {
      const calling = { ...job, needsShared: "its kernels call a host through memory that both see" };
      return launchIn(context, calling, tasks, settings, leases.arena);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return withInside(face, { context, leases, hold: (over) => runner.holds(over) });
}

/** A host is a run that waits for calls instead of computing. */
async function* serving(
  runner: Runner<never>,
  { patience = 5000, roots, backEnd, ...options }: HostOptions,
): AsyncGenerator<WorkerHost, void> {
  const bytes = channelBytes(options), forFiles = storeBytes(backEnd);
  const host = await runner.enter((leases) => {
    const { offset } = leases.lease(bytes, "channels");
    const { memory } = leases.arena;
    const place = forFiles === 0 ? 0 : leases.lease(forFiles, "files in memory").offset;
    const files = prepareFiles(memory, place, backEnd, roots);
    return new WorkerHost(
      new Channels(memory, { ...options, offset, gate: newGate(), files }),
      patience,
      leases,
    );
  });
  runner.holds(host.gone);
  try {
    await host.start();
    yield* runner.handOver(host);
  } finally {
    await host.close();
  }
}

const nothing = () => undefined as never;

class WorkerHost {
  /** Resolves with `true` when no thread writes to the channels any more, with `false` if one could not be stopped. */
  readonly gone: Promise<boolean>;
  readonly #leave: (safe: boolean) => void;
  readonly #worker: HostThread;
  readonly #serving = Promise.withResolvers<void>();
  readonly #forget: () => void;
  readonly #ended = Promise.withResolvers<true>();

  constructor(
    private readonly channels: Channels,
    private readonly patience: number,
    /** The memory of the host. */
    readonly leases: Leases,
  ) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.gone = promise;
    this.#leave = resolve;
    channels.reset();
    this.#forget = onThreadEnd((thread) => {
      const place = channels.gate.find(thread);
      if (place > 0) channels.reclaim(place);
    });
    this.#worker = startHostThread({
      said: (message) => this.#said(message),
      failed: (reason) =>
        this.#end(new TilewiseError("worker", `The host of the channels failed: ${reason}`)),
    });
  }

  get layout(): ChannelLayout {
    return this.channels.layout;
  }

  name(text: string): NameAt {
    const { offset, byteLength } = leaseName(this.leases, text);
    return { offset, byteLength };
  }

  /** Sends the memory and waits until the runner is about to serve. */
  start(): Promise<void> {
    this.#worker.postMessage({ memory: this.channels.memory, layout: this.layout });
    return this.#serving.promise;
  }

  #said(message: HostMessage): void {
    if (message === "serving") this.#serving.resolve();
    else this.#end(message === "ended" ? undefined : fromWire(message.error));
  }

  /** Notes that the runner has gone: wakes all callers that wait for it. */
  #end(error?: Error): void {
    if (error) this.#serving.reject(error);
    closeChannels(this.channels);
    this.#ended.resolve(true);
  }

  /** Waits for the runner and for callers, at most for `patience`. */
  async close(): Promise<void> {
    const { gate } = this.channels;
    if (gate.host === HOST.open) gate.host = HOST.closing;
    this.channels.wakeAll();
    const until = performance.now() + this.patience;
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), this.patience);
    const ended = await Promise.race([this.#ended.promise, late]);
    clearTimeout(timer);
    if (!ended) closeChannels(this.channels);
    this.#worker.terminate();
    while (this.channels.gate.callers > 0 && performance.now() < until) await nextTurn();
    this.#forget();
    this.#leave(ended && this.channels.gate.callers === 0);
  }
}

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
