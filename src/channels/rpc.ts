/**
 * The calling end of channels: a call is written into a block, and the caller sleeps until it is done.
 *
 * @module
 */

import { Channels, FUNCTION, HOST, STATE } from "./channel.ts";
import type { ChannelLayout } from "./channel.ts";
import { channelOf, type FileCalls, MAX_NAME_BYTES } from "./files.ts";
import { STATUS } from "./status.ts";

/**
 * What a call does when its channel is held by another one: wait for it, or fail with the status `busy`.
 * @category Channels
 */
export type BusyPolicy = "wait" | "fail";

/** Milliseconds between two checks of a waiting call whether the host still serves. */
const LOOK = 1000;

/** File calls that the runner of a host serves. The calling thread must be allowed to block. */
export class RpcCalls implements FileCalls {
  readonly #channels: Channels;
  readonly #words: Int32Array;
  readonly #memoryBytes: number;
  readonly #count: number;

  /** Calls through the channels at `layout` in `memory`. */
  constructor(memory: WebAssembly.Memory, layout: ChannelLayout, readonly busy: BusyPolicy = "wait") {
    this.#channels = new Channels(memory, layout);
    this.#words = this.#channels.words;
    this.#memoryBytes = memory.buffer.byteLength;
    this.#count = layout.channels;
  }

  /** See {@link FileCalls.open}. */
  open(channel: number, mode: number, name: number, nameLength: number): number {
    if (nameLength > MAX_NAME_BYTES) return -STATUS["name-too-long"];
    if (nameLength < 0 || name < 0 || name + nameLength > this.#memoryBytes) return -STATUS.invalid;
    return this.#inside(channel, () => {
      this.#channels.setName(channel, name, nameLength);
      return this.#call(channel, FUNCTION.open, mode, 0, 0, 0, 0);
    });
  }

  /** See {@link FileCalls.read}. */
  read(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    return this.#transfer(FUNCTION.read, handle, pointer, count, whence, offset);
  }

  /** See {@link FileCalls.write}. */
  write(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    return this.#transfer(FUNCTION.write, handle, pointer, count, whence, offset);
  }

  /** See {@link FileCalls.close}. */
  close(handle: number): number {
    return this.#transfer(FUNCTION.close, handle, 0, 0, 0, 0);
  }

  /** See {@link FileCalls.size}. */
  size(handle: number): number {
    return this.#transfer(FUNCTION.size, handle, 0, 0, 0, 0);
  }

  #transfer(
    fn: number,
    handle: number,
    pointer: number,
    count: number,
    whence: number,
    offset: number,
  ): number {
    const channel = channelOf(handle);
    if (channel >= this.#count || handle <= 0) return -STATUS["bad-handle"];
    return this.#inside(channel, () => this.#call(channel, fn, handle, pointer, count, whence, offset));
  }

  /** A call on its own channel; meanwhile the host cannot return the memory of the channels. */
  #inside(channel: number, call: () => number): number {
    if (!this.#channels.enter()) return -STATUS.closed;
    try {
      return this.#claim(channel) || call();
    } finally {
      this.#channels.leave();
    }
  }

  /** Takes a channel from `unused` to `claimed`; 0, or the status that says why it failed. */
  #claim(channel: number): number {
    const at = this.#channels.state(channel);
    for (;;) {
      if (this.#channels.host !== HOST.open) return -STATUS.closed;
      const found = Atomics.compareExchange(this.#words, at, STATE.unused, STATE.claimed);
      if (found === STATE.unused) return 0;
      if (this.busy === "fail") return -STATUS.busy;
      Atomics.wait(this.#words, at, found, LOOK);
    }
  }

  #call(channel: number, fn: number, a: number, b: number, c: number, d: number, e: number): number {
    const channels = this.#channels, words = this.#words, at = channels.state(channel);
    channels.setCall(channel, fn, a, b, c, d, e);
    Atomics.store(words, at, STATE.ready);
    Atomics.add(words, channels.doorbell, 1);
    Atomics.notify(words, channels.doorbell);
    for (;;) {
      const state = Atomics.load(words, at);
      if (state === STATE.done) break;
      if (channels.host === HOST.closed) channels.finish(channel, -STATUS.closed);
      else Atomics.wait(words, at, state); // the runner changes it, or the thread that finds the runner gone
    }
    const result = channels.result(channel);
    Atomics.store(words, at, STATE.unused);
    if (this.busy === "wait") Atomics.notify(words, at);
    return result;
  }
}
