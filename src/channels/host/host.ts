/**
 * The host of channels: their memory, and the worker that answers the calls of kernels.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { TilewiseError } from "../../errors.ts";
import { onThreadEnd } from "../../executor/thread_number.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { launchIn } from "../../runner/launch.ts";
import type { Leases } from "../../runner/leases.ts";
import { Runner } from "../../runner/runner.ts";
import { needsOneWorker, prepareFiles, storeBytes } from "../backends/open_files.ts";
import { channelBytes, type ChannelLayout, Channels, HOST, newGate } from "../protocol/channel.ts";
import { closeChannels } from "../protocol/runner.ts";
import { type KernelArray, leaseArray, leaseName, type NameAt } from "./arrays.ts";
import { readHostFile, writeHostFile } from "./files.ts";
import type { DType } from "../../space/dtype.ts";
import { withInside } from "./inside.ts";
import { countsOf, type HostOptions, servicesOf } from "./options.ts";
import { type Runners, startRunners } from "./runners.ts";
import type { ServiceSource } from "./services.ts";
import { type HostStatistics, statisticsOf } from "./statistics.ts";

/**
 * A running host. Dispose of it (or call `close()`) when it is not needed any more.
 * @category Channels
 */
export interface ChannelHost extends AsyncDisposable {
  /** Puts the name of a file into the memory of the kernels, until the host is closed: plain data for a job. */
  name(text: string): NameAt;
  /** An array of zeros in the memory of the kernels, until it is returned or the host is closed. Errors: `over-budget`. */
  array<D extends DType>(dtype: D, length: number): KernelArray<D>;
  /**
   * All bytes of a file, where kernels of this host find it, on this thread. Errors: those of its back end; `unsupported` for
   * private files of a page, which only its runners reach.
   */
  readFile(name: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Makes or replaces a file where kernels of this host find it, on this thread. Errors: as {@link ChannelHost.readFile}. */
  writeFile(name: string, bytes: Uint8Array): Promise<void>;
  /** What has been done so far: calls, bytes and waiting times per channel, calls per runner. */
  statistics(): HostStatistics;
  /** Fires with the reason of {@link abort}. */
  readonly signal: AbortSignal;
  /**
   * Finishes the calls that run, drops those that wait with the status `aborted`, refuses all others, ends the launches of this
   * host with `reason`, and closes it.
   */
  abort(reason?: unknown): Promise<void>;
  /**
   * Fails further calls with the status `closed`, stops the runners and closes their files. The memory is returned to the context
   * when all pending calls have ended; it is written off if one does not end.
   */
  close(): Promise<void>;
}

/**
 * Starts a host in `context`: channels in its memory, and a worker that serves them, until it is closed or the context is
 * disposed of. It waits in the queue while runs hold the memory.
 *
 * @param context whose memory and workers it takes
 * @param options channels, their buffers, files, functions
 * @returns the host, to be disposed of
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { startHost } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "1MiB" });
 * await using host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 1 });
 * const { byteLength } = host.name("scan.raw"); // an argument of a kernel
 * assertEquals(byteLength, 8);
 * ```
 * @category Channels
 */
export async function startHost(context: Context, options: HostOptions): Promise<ChannelHost> {
  countsOf("startHost()", options); // before services are made of them
  return await startHostWith(context, options, servicesOf(options));
}

/** As {@link startHost}, with other services than files, for calls through `Caller`. */
export async function startHostWith(
  context: Context,
  options: HostOptions,
  services: readonly ServiceSource[],
): Promise<ChannelHost> {
  const counts = countsOf("startHost()", options);
  contextRule("startHost()", "context", context);
  if (!insideOf(context).arena.shared) {
    const text =
      "Cannot start a host over private memory: kernels and host wait for each other in shared memory, " +
      'which a page has only if it is served with "Cross-Origin-Opener-Policy: same-origin" and ' +
      '"Cross-Origin-Embedder-Policy: require-corp"';
    throw new TilewiseError("unsupported", text);
  }
  const runner = new Runner<never>(context, {}, nothing);
  const hosts = runner.parts(() => serving(runner, counts, options, services));
  const { value } = await hosts.next();
  const host = value!, { layout, leases } = host;
  const close = async () => void await hosts.return!();
  runner.signal.addEventListener("abort", close, { once: true });
  const stop = new AbortController(), { signal } = stop;
  const drained = () => host.drained();
  const face: ChannelHost = {
    name: (text) => host.name(text),
    array: (dtype, length) => leaseArray(leases, leases.arena.memory, dtype, length),
    readFile: (name) => readHostFile(leases.arena.memory, layout, name),
    writeFile: (name, bytes) => writeHostFile(leases.arena.memory, layout, name, bytes),
    statistics: () => host.statistics(),
    signal,
    abort: (reason) => {
      host.abort();
      if (!signal.aborted) stop.abort(reason ?? new TilewiseError("aborted", "The host has been aborted"));
      return close();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  host.aborted.then(() => face.abort(new TilewiseError("aborted", "A kernel has aborted its host")));
  return withInside(face, {
    context,
    layout,
    leases,
    signal,
    drained,
    hold: (over) => runner.holds(over),
    launch: (job, tasks, settings = {}) => {
      const calling = { ...job, needsShared: "its kernels call a host through memory that both see" };
      const signals = settings.signal ? [settings.signal, signal] : [signal];
      const own = { ...settings, signal: AbortSignal.any(signals) };
      return launchIn(context, calling, tasks, own, { arena: leases.arena, drained });
    },
  });
}

/** A host is a run that waits for calls instead of computing. */
async function* serving(
  runner: Runner<never>,
  counts: ReturnType<typeof countsOf>,
  { scanRate = 0, grace = 5000, backEnd, roots }: HostOptions,
  services: readonly ServiceSource[],
): AsyncGenerator<Host, void> {
  const host = await runner.enter((leases) => {
    const { offset } = leases.lease(channelBytes(counts), "channels");
    const { memory } = leases.arena, forFiles = storeBytes(backEnd);
    const place = forFiles === 0 ? 0 : leases.lease(forFiles, "files in memory").offset;
    const files = prepareFiles(memory, place, backEnd, roots);
    const layout = { ...counts, offset, gate: newGate(), files, oneHome: needsOneWorker(backEnd) };
    return new Host(new Channels(memory, layout), grace, leases);
  });
  runner.holds(host.gone);
  try {
    await host.start(scanRate, services);
    yield* runner.handOver(host);
  } finally {
    await host.close();
  }
}

const nothing = () => undefined as never;

class Host {
  /** Resolves with `true` when no thread writes to the channels any more, with `false` if one could not be stopped. */
  readonly gone: Promise<boolean>;
  readonly #leave: (safe: boolean) => void;
  readonly #forget: () => void;
  readonly #aborted = withResolvers<void>();
  #runners: Runners | undefined;
  #last: HostStatistics | undefined;

  constructor(
    private readonly channels: Channels,
    private readonly grace: number,
    /** The memory of the host. */
    readonly leases: Leases,
  ) {
    const { promise, resolve } = withResolvers<boolean>();
    this.gone = promise;
    this.#leave = resolve;
    channels.reset();
    this.#forget = onThreadEnd((thread, gone) => {
      const place = gone ? channels.gate.find(thread) : 0;
      if (place > 0) channels.reclaim(place);
      channels.gate.handOver(thread);
    });
  }

  get layout(): ChannelLayout {
    return this.channels.layout;
  }

  name(text: string): NameAt {
    const { offset, byteLength } = leaseName(this.leases, text);
    return { offset, byteLength };
  }

  /** Resolves when it was aborted, by its owner or by a kernel, and its runners have ended. */
  get aborted(): Promise<void> {
    return this.#aborted.promise;
  }

  statistics(): HostStatistics {
    return this.#last ?? statisticsOf(this.channels);
  }

  /** Resolves when all runners serve. */
  async start(scanRate: number, services: readonly ServiceSource[]): Promise<void> {
    const job = { layout: this.layout, services, scanRate };
    this.#runners = await startRunners(this.channels, job, this.grace);
    const over = () => {
      closeChannels(this.channels);
      if (this.channels.host === HOST.aborted) this.#aborted.resolve();
    };
    this.#runners.ended.then(over, over);
  }

  /** Resolves when no runner is at work for a thread that has ended; `false`: a runner could not be stopped. */
  async drained(): Promise<boolean> {
    while (this.#last === undefined && this.channels.orphans > 0) await nextTurn();
    return this.#last === undefined || await this.gone;
  }

  /** Refuses further calls, and drops those that wait. */
  abort(): void {
    this.channels.abort();
  }

  /** Waits for the runners and for callers, at most for `grace`. */
  async close(): Promise<void> {
    const { channels } = this, { gate } = channels;
    if (gate.host === HOST.open) gate.host = HOST.closing;
    channels.wakeAll();
    const until = performance.now() + this.grace;
    const ended = await this.#ended();
    closeChannels(channels);
    while (gate.callers > 0 && performance.now() < until) await nextTurn();
    this.#last = statisticsOf(channels);
    this.#forget();
    this.#leave(ended && gate.callers === 0);
    await this.#runners?.end(!ended);
  }

  /** Whether the runners have stopped within `grace`. */
  async #ended(): Promise<boolean> {
    if (!this.#runners) return true;
    const { promise: late, resolve } = withResolvers<false>();
    const timer = setTimeout(() => resolve(false), this.grace);
    const { ended, drained } = this.#runners;
    const stopped = await Promise.race([ended.then(() => drained, () => drained), late]);
    clearTimeout(timer);
    return stopped;
  }
}

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
