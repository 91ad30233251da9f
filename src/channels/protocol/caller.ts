/**
 * The calling end of channels: a call is written into a block, and the caller sleeps until it is answered, or comes back later
 * with a ticket.
 *
 * @module
 */

import { alive } from "../../activity.ts";
import { threadNumber } from "../../executor/thread_number.ts";
import { type ChannelLayout, Channels, COUNT, MAX_ARGUMENTS, MAX_NAME_BYTES } from "./channel.ts";
import { HOST } from "./gate.ts";
import { STATUS } from "./status.ts";
import { canBlock, type LocalRunner, localRunner, signOf } from "./threads.ts";
import {
  claimed,
  generationOf,
  isBusy,
  ownerOf,
  reclaimed,
  STATE,
  stateOf,
  submitted,
  withSleeper,
} from "./word.ts";

/**
 * What a call does when its channel is held by another one: wait for it, or fail with the status `busy`.
 * @category Channels
 */
export type BusyPolicy = "wait" | "fail";

/** Milliseconds between two checks of a waiting call whether the host still serves. Every sign to it wakes it at once. */
const LOOK = 1000;

/** Of so many calls that sleep, one is measured: a look at the clock takes as long as all other steps of the caller. */
const SAMPLE = 16;

/** A name that goes with a call: bytes at an address of the same memory. */
export interface NameBytes {
  /** Their address. */
  readonly pointer: number;
  /** How many. */
  readonly length: number;
}

/** How a call treats its channel. */
export interface CallOptions {
  /** Whether to claim the channel first. Default true; false: this thread has claimed it and goes on with it. */
  readonly acquire?: boolean;
  /** Whether to let the channel go after the answer. Default true; false: the answer can be read again until {@link Caller.release}. */
  readonly release?: boolean;
  /** Whether any runner may answer, instead of the one that has the files of the channel. Default false. */
  readonly free?: boolean;
  /** A name that goes with the call. */
  readonly name?: NameBytes;
}

/**
 * Calls functions of the host from one thread.
 *
 * Results are numbers, negative statuses in place of values. No call hangs: when the host closes or is aborted, when a runner
 * ends, and when the owner of a channel ends, all who wait are woken.
 */
export class Caller {
  /** The status of the latest call: 0, or the number of a status. Tells a negative value from a status. */
  status = 0;
  readonly #channels: Channels;
  readonly #words: Int32Array;
  readonly #place: number;
  readonly #local: LocalRunner | undefined;
  #message: Uint8Array<ArrayBuffer> | undefined;

  /** Calls through the channels at `layout` in `memory`, as the thread with number `thread`. */
  constructor(
    memory: WebAssembly.Memory,
    readonly layout: ChannelLayout,
    readonly busy: BusyPolicy = "wait",
    thread: number = threadNumber(),
  ) {
    this.#channels = new Channels(memory, layout);
    this.#words = this.#channels.words;
    this.#place = this.#channels.gate.place(thread);
    this.#local = localRunner(layout.gate);
  }

  /** The bytes of the message of the latest call with the status `failed`, in UTF-8. */
  get message(): Uint8Array<ArrayBuffer> {
    return this.#message ?? new Uint8Array();
  }

  /** Calls function `fn` on a channel and waits for its result: a value, or a negative status. */
  call(channel: number, fn: number, a = 0, b = 0, c = 0, d = 0, e = 0, name?: NameBytes): number {
    const refused = this.#enterToWait(channel);
    if (refused < 0) return refused;
    try {
      const status = name
        ? this.#named(name) || this.#claim(channel, this.busy)
        : this.#claim(channel, this.busy);
      if (status < 0) return this.#failed(status);
      const channels = this.#channels;
      if (name) channels.setName(channel, name.pointer, name.length);
      channels.setFunction(channel, fn);
      channels.setArguments(channel, a, b, c, d, e);
      this.#submit(channel);
      this.#sleepWhileBusy(channel, Infinity);
      return this.#take(channel, true);
    } finally {
      this.#leave();
    }
  }

  /** As {@link call}, with up to 8 arguments and with options. */
  invoke(channel: number, fn: number, args: ArrayLike<number>, options: CallOptions = {}): number {
    const refused = this.#enterToWait(channel);
    if (refused < 0) return refused;
    try {
      const status = this.#write(channel, fn, args, options);
      if (status < 0) return this.#failed(status);
      this.#sleepWhileBusy(channel, Infinity);
      return this.#take(channel, options.release ?? true);
    } finally {
      this.#leave();
    }
  }

  /**
   * Makes a call without waiting for its answer: a ticket above zero, or a negative status. The channel belongs to this thread
   * until {@link release}.
   */
  submit(channel: number, fn: number, args: ArrayLike<number> = [], options: CallOptions = {}): number {
    const refused = this.#enter(channel);
    if (refused < 0) return refused;
    try {
      const status = this.#write(channel, fn, args, options);
      return status < 0 ? this.#failed(status) : this.#ticket(channel);
    } finally {
      this.#leave();
    }
  }

  /** Whether a call has been answered: 1, or 0, or a negative status; it does not wait. */
  poll(ticket: number): number {
    return this.wait(ticket, 0);
  }

  /** Waits at most `timeout` milliseconds for an answer: 1 when it is there, 0 when it is not, or a negative status. */
  wait(ticket: number, timeout = Infinity): number {
    return this.#withTicket(ticket, (channel) => {
      this.#sleepWhileBusy(channel, timeout);
      return isBusy(Atomics.load(this.#words, this.#channels.state(channel))) ? 0 : 1;
    });
  }

  /** Waits for an answer: the result of the call. It can be read again until the channel is released. */
  get(ticket: number): number {
    return this.#withTicket(ticket, (channel) => {
      this.#sleepWhileBusy(channel, Infinity);
      if (this.#isBusy(channel)) return this.#failed(-STATUS["would-block"]);
      return this.#collect(channel, false);
    });
  }

  /** As {@link get}, for a thread that must not block, such as the main thread of a page. */
  async later(ticket: number): Promise<number> {
    for (;;) {
      const state = this.poll(ticket);
      if (state !== 0) return state < 0 ? state : this.get(ticket);
      await this.#sign((ticket - 1) % TICKETS);
    }
  }

  /** Resolves when the word of a channel may have changed. */
  #sign(channel: number): Promise<unknown> {
    const at = this.#channels.state(channel);
    const word = Atomics.load(this.#words, at), noted = withSleeper(word);
    if (!isBusy(word) || Atomics.compareExchange(this.#words, at, word, noted) !== word) {
      return Promise.resolve();
    }
    return signOf(this.#words, at, noted);
  }

  /** Claims a channel, for example to use its buffer before the call: 0, or a negative status. */
  acquire(channel: number): number {
    const refused = this.#enter(channel);
    if (refused < 0) return refused;
    const status = this.#claim(channel, this.busy);
    this.#leave();
    return status < 0 ? this.#failed(status) : status;
  }

  /** Lets a channel go that this thread holds, after the answer of a call that is under way: 0, or a negative status. */
  release(channel: number): number {
    const refused = this.#enter(channel);
    if (refused < 0) return refused;
    try {
      if (!this.#holds(channel)) return this.#failed(-STATUS.state);
      this.#sleepWhileBusy(channel, Infinity);
      if (this.#isBusy(channel)) return this.#failed(-STATUS["would-block"]);
      this.#letGo(channel);
      return 0;
    } finally {
      this.#leave();
    }
  }

  /** Goes in; a negative status if that is not possible. Inside, the host cannot return the memory of the channels. */
  #enter(channel: number): number {
    this.status = 0;
    alive();
    if (!this.#known(channel)) return this.#failed(-STATUS["bad-channel"]);
    if (this.#channels.gate.enter(this.#place)) return 0;
    return this.#failed(this.#closed());
  }

  #known(channel: number): boolean {
    return Number.isInteger(channel) && channel >= 0 && channel < this.layout.channels;
  }

  /** As {@link #enter}, for a call that waits: refused where neither this thread may wait nor answers itself. */
  #enterToWait(channel: number): number {
    const refused = this.#enter(channel);
    if (refused < 0 || this.#local || canBlock()) return refused;
    this.#leave();
    return this.#failed(-STATUS["would-block"]);
  }

  /** Whether this thread may sleep: nobody would wake it where it is itself the runner. */
  #maySleep(): boolean {
    return this.#local === undefined && canBlock();
  }

  #leave(): void {
    this.#channels.gate.leave(this.#place);
  }

  /** Whether no runner serves any more. */
  #over(): boolean {
    const { host } = this.#channels;
    return host === HOST.closed || host === HOST.aborted;
  }

  #closed(): number {
    const { host } = this.#channels;
    return -(host === HOST.aborting || host === HOST.aborted ? STATUS.aborted : STATUS.closed);
  }

  #failed(status: number): number {
    this.status = -status;
    return status;
  }

  /** Takes a channel from `unused` to `claimed`; 0, or the status that says why it failed. */
  #claim(channel: number, busy: BusyPolicy): number {
    const at = this.#channels.state(channel);
    for (;;) {
      const word = Atomics.load(this.#words, at);
      if (stateOf(word) === STATE.unused) {
        if (this.#channels.change(at, word, claimed(word, this.#place))) return 0;
      } else if (busy === "fail") return -STATUS.busy;
      else if (ownerOf(word) === this.#place) return -STATUS.state; // nobody else would ever let it go
      else if (!this.#maySleep()) return -STATUS["would-block"];
      else this.#sleep(at, word, LOOK);
      if (this.#channels.host !== HOST.open) return this.#closed();
    }
  }

  /** The status for a name that is too long or lies outside of the memory; 0 for others. */
  #named({ pointer, length }: NameBytes): number {
    if (length > MAX_NAME_BYTES) return -STATUS["name-too-long"];
    const inside = pointer >= 0 && length >= 0 && pointer + length <= this.#channels.memory.buffer.byteLength;
    return inside ? 0 : -STATUS.invalid;
  }

  /** Writes a call and makes it ready; 0, or the status that says why it failed. */
  #write(channel: number, fn: number, args: ArrayLike<number>, options: CallOptions): number {
    const { acquire = true, free = false, name } = options;
    if (args.length > MAX_ARGUMENTS) return -STATUS.invalid;
    const refused = name ? this.#named(name) : 0;
    if (refused < 0) return refused;
    if (acquire) {
      const status = this.#claim(channel, this.busy);
      if (status < 0) return status;
    } else if (!this.#holds(channel) || this.#isBusy(channel)) return -STATUS.state;
    if (name) this.#channels.setName(channel, name.pointer, name.length);
    this.#channels.setFunction(channel, fn, free);
    for (let i = 0; i < MAX_ARGUMENTS; i++) this.#channels.setArgument(channel, i, args[i] ?? 0);
    this.#submit(channel);
    return 0;
  }

  /** Makes a call ready that has been written, and wakes a runner. */
  #submit(channel: number): void {
    const at = this.#channels.state(channel);
    for (;;) {
      const word = Atomics.load(this.#words, at);
      if (this.#channels.change(at, word, submitted(word))) break;
    }
    if (this.#local) this.#local.serve(channel);
    else this.#channels.ring(channel);
  }

  #holds(channel: number): boolean {
    const word = Atomics.load(this.#words, this.#channels.state(channel));
    return stateOf(word) !== STATE.unused && ownerOf(word) === this.#place;
  }

  #isBusy(channel: number): boolean {
    return isBusy(Atomics.load(this.#words, this.#channels.state(channel)));
  }

  /** Sleeps while the call of this thread is under way, at most for `timeout` milliseconds. */
  #sleepWhileBusy(channel: number, timeout: number): void {
    const at = this.#channels.state(channel);
    let word = Atomics.load(this.#words, at);
    if (!isBusy(word) || timeout <= 0 || !this.#maySleep()) return;
    const measured = timeout < Infinity || generationOf(word) % SAMPLE === 0;
    const start = measured ? performance.now() : 0;
    for (let left = timeout; isBusy(word); word = Atomics.load(this.#words, at)) {
      if (this.#over()) this.#channels.finish(channel, this.#closed()); // it was not ready yet when the host closed
      else this.#sleep(at, word, left);
      if (timeout < Infinity && (left = start + timeout - performance.now()) <= 0) break;
    }
    if (!measured) return;
    this.#channels.addCount(channel, COUNT.slept, performance.now() - start);
    this.#channels.addCount(channel, COUNT.sleeps, 1);
  }

  /** Sleeps until the word at `at` is not `word` any more. */
  #sleep(at: number, word: number, timeout: number): void {
    const noted = withSleeper(word);
    if (noted !== word && Atomics.compareExchange(this.#words, at, word, noted) !== word) return;
    if (this.#over()) return; // who closes the host changes the word after this
    Atomics.wait(this.#words, at, noted, timeout);
  }

  /** The result of a call that has waited. If this thread is the runner and cannot answer at once, it gives the call up. */
  #take(channel: number, release: boolean): number {
    if (!this.#isBusy(channel)) return this.#collect(channel, release);
    const at = this.#channels.state(channel);
    for (;;) {
      const word = Atomics.load(this.#words, at);
      if (!isBusy(word)) return this.#collect(channel, release);
      if (this.#channels.change(at, word, reclaimed(word))) return this.#failed(-STATUS["would-block"]);
    }
  }

  /** The result of an answered call. */
  #collect(channel: number, release: boolean): number {
    const result = this.#channels.result(channel);
    this.status = this.#channels.status(channel);
    if (this.status === STATUS.failed) this.#message = this.#channels.message(channel);
    if (release) this.#letGo(channel);
    return result;
  }

  #letGo(channel: number): void {
    const at = this.#channels.state(channel);
    while (!this.#channels.letGo(channel, Atomics.load(this.#words, at)));
  }

  #ticket(channel: number): number {
    const word = Atomics.load(this.#words, this.#channels.state(channel));
    return generationOf(word) * TICKETS + channel + 1;
  }

  /** Does `work` inside, if the ticket is for the call that its channel holds. */
  #withTicket(ticket: number, work: (channel: number) => number): number {
    const channel = (ticket - 1) % TICKETS;
    if (!(ticket > 0)) return this.#failed(-STATUS.state);
    const refused = this.#enter(channel);
    if (refused < 0) return refused;
    try {
      const word = Atomics.load(this.#words, this.#channels.state(channel));
      const known = generationOf(word) === Math.floor((ticket - 1) / TICKETS);
      const called = stateOf(word) !== STATE.unused && stateOf(word) !== STATE.claimed;
      if (!known || !called || ownerOf(word) !== this.#place) return this.#failed(-STATUS.state);
      return work(channel);
    } finally {
      this.#leave();
    }
  }
}

/** More than there are channels: a ticket is the generation and the channel. */
const TICKETS = 1024;
