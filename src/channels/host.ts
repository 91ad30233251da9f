/**
 * The host of channels: file I/O of the operating system, and the runner that serves it to kernels.
 *
 * This is the only file of the room that touches files. `node:fs` reads and writes at a position straight
 * into shared memory, so a transfer costs no copy.
 *
 * @module
 */

import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { fromWire, TilewiseError, type WireError } from "../errors.ts";
import type { Arena, Lease } from "../memory/arena.ts";
import { checkOptionNames } from "../options.ts";
import {
  CHANNEL_OPTIONS,
  channelBytes,
  type ChannelLayout,
  type ChannelOptions,
  Channels,
  HOST,
} from "./channel.ts";
import { type FileCalls, FileTable, type RawFiles } from "./files.ts";
import { oneOf } from "../options/rules.ts";
import { type BusyPolicy, RpcCalls } from "./rpc.ts";
import { closeChannels } from "./runner.ts";

/** Files by `node:fs`. */
export const nodeFiles: RawFiles = {
  open(name, flags) {
    const file = openSync(name, flags);
    if (!fstatSync(file).isDirectory()) return file;
    closeSync(file);
    throw Object.assign(new Error(`${name} is a directory`), { code: "EISDIR" });
  },
  close: closeSync,
  size: (file) => fstatSync(file).size,
  read(file, bytes, at, length, position) {
    let done = readSync(file, bytes, at, length, position);
    for (let got = done; got > 0 && done < length; done += got) {
      got = readSync(file, bytes, at + done, length - done, position + done);
    }
    return done;
  },
  write(file, bytes, at, length, position) {
    let done = 0;
    try {
      while (done < length) {
        const where = position === null ? null : position + done;
        done += writeSync(file, bytes, at + done, length - done, where);
      }
    } catch (error) {
      if (done === 0) throw error; // else a short count: the next write meets the error again
    }
    return done;
  },
};

/** Who does the I/O: the host's runner (`rpc`), or the worker of the kernel itself (`direct`). */
export type BackEnd = "rpc" | "direct";

/**
 * File calls for a kernel on this thread. With `direct`, call `closeAll` of the result when the kernel has ended;
 * with `rpc` the host closes what is left open.
 */
export function fileCalls(
  backEnd: BackEnd,
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  busy: BusyPolicy = "wait",
): FileCalls & { closeAll(): void } {
  oneOf("rpc", "direct")("fileCalls()", "backEnd", backEnd);
  oneOf("wait", "fail")("fileCalls()", "busy", busy);
  if (backEnd === "direct") return new FileTable(memory, layout.elementSize, nodeFiles);
  return Object.assign(new RpcCalls(memory, layout, busy), { closeAll: () => {} });
}

/** A running host. Dispose of it (or `close()`) after the kernels that use it have ended. */
export interface ChannelHost extends AsyncDisposable {
  /** Where the channels are: send it to the workers. */
  readonly layout: ChannelLayout;
  /** Fails further calls with the status `closed`, stops the runner, closes its files, returns the memory. */
  close(): Promise<void>;
}

/**
 * Starts a host: channels in memory leased from `arena`, and a worker that serves them.
 *
 * @example
 * ```ts
 * import { Arena } from "../memory/arena.ts";
 * import { assertEquals } from "@std/assert";
 * const arena = new Arena({ budget: 1 << 20 });
 * {
 *   await using host = await startHost(arena, { channels: 1, bufferLength: 64, elementSize: 1 });
 *   const calls = fileCalls("rpc", arena.memory, host.layout);
 *   assertEquals(calls.close(12345), -4); // `bad-handle`
 * }
 * assertEquals(arena.used, 0);
 * ```
 */
export async function startHost(arena: Arena, options: ChannelOptions): Promise<ChannelHost> {
  if (!arena.shared) {
    throw new TilewiseError("invalid", "Cannot start a host over private memory; it needs a shared arena");
  }
  checkOptionNames("startHost()", options, CHANNEL_OPTIONS);
  const bytes = channelBytes(options);
  const lease = arena.lease(bytes, "channels");
  const layout: ChannelLayout = { ...options, offset: lease.offset };
  const channels = new Channels(arena.memory, layout);
  channels.reset();
  const worker = new Worker(new URL("./host_worker.ts", import.meta.url), { type: "module" });
  const host = new WorkerHost(worker, channels, lease);
  try {
    await host.start(arena.memory);
  } catch (error) {
    await host.close();
    throw error;
  }
  return host;
}

class WorkerHost implements ChannelHost {
  readonly #ended = Promise.withResolvers<void>();
  #lease: Lease | undefined;

  constructor(readonly worker: Worker, readonly channels: Channels, lease: Lease) {
    this.#lease = lease;
  }

  get layout(): ChannelLayout {
    return this.channels.layout;
  }

  /** Sends the memory and waits until the runner is about to serve. */
  start(memory: WebAssembly.Memory): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.worker.onmessage = ({ data }: MessageEvent<HostMessage>) => {
      if (data === "serving") return resolve();
      if (data !== "ended") reject(fromWire(data.error));
      this.#end();
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      reject(new TilewiseError("worker", `The host of the channels failed: ${event.message}`));
      this.#end();
    };
    this.worker.postMessage({ memory, layout: this.layout });
    return promise;
  }

  /** The runner is gone: nobody may sleep on. */
  #end(): void {
    closeChannels(this.channels);
    this.#ended.resolve();
  }

  async close(): Promise<void> {
    const lease = this.#lease;
    if (!lease) return;
    this.#lease = undefined;
    const { words, host, doorbell } = this.channels;
    Atomics.compareExchange(words, host, HOST.open, HOST.closing);
    Atomics.add(words, doorbell, 1);
    Atomics.notify(words, doorbell);
    await this.#ended.promise;
    this.worker.terminate();
    lease.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** What the runner's worker says. */
export type HostMessage = "serving" | "ended" | {
  /** Why it could not serve on. */
  readonly error: WireError;
};
