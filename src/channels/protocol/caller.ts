/**
 * The calling end of channels: a call is written into a block, and the caller sleeps until it is done.
 *
 * @module
 */

import { type ChannelLayout, Channels, HOST, STATE } from "./channel.ts";
import { STATUS } from "./status.ts";

/**
 * What a call does when its channel is held by another one: wait for it, or fail with the status `busy`.
 * @category Channels
 */
export type BusyPolicy = "wait" | "fail";

/** Milliseconds between two checks of a waiting call whether the host still serves. */
const LOOK = 1000;

/** A name that goes with a call: bytes at an address of the same memory. */
interface NameBytes {
  readonly pointer: number;
  readonly length: number;
}

/** Calls functions of the host from one thread, which must be allowed to block. */
export class Caller {
  readonly #channels: Channels;
  readonly #words: Int32Array;

  /** Calls through the channels at `layout` in `memory`. */
  constructor(
    memory: WebAssembly.Memory,
    readonly layout: ChannelLayout,
    readonly busy: BusyPolicy = "wait",
  ) {
    this.#channels = new Channels(memory, layout);
    this.#words = this.#channels.words;
  }

  /** Calls function `fn` on a channel and waits for its result: a value, or a negative status. */
  call(channel: number, fn: number, a = 0, b = 0, c = 0, d = 0, e = 0, name?: NameBytes): number {
    if (!(channel >= 0 && channel < this.layout.channels)) return -STATUS["bad-channel"];
    if (!this.#channels.enter()) return -STATUS.closed; // inside, the host cannot return the memory of the channels
    try {
      const status = this.#claim(channel);
      if (status < 0) return status;
      if (name) this.#channels.setName(channel, name.pointer, name.length);
      this.#channels.setCall(channel, fn, a, b, c, d, e);
      return this.#answer(channel);
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

  /** Rings the doorbell and waits. */
  #answer(channel: number): number {
    const channels = this.#channels, words = this.#words, at = channels.state(channel);
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
