/**
 * The calling end of channels: a call is written into a block, and the caller sleeps until it is answered, or comes back later
 * with a ticket.
 *
 * @module
 */

import { alive } from "../../activity.ts";
import { threadNumber } from "../../executor/thread_number.ts";
import { type ChannelLayout, Channels, MAX_ARGUMENTS, MAX_NAME_BYTES } from "./channel.ts";
import { type BusyPolicy, Hold } from "./hold.ts";
import { STATUS } from "./status.ts";
import { generationOf, ownerOf, STATE, stateOf } from "./layout.ts";

export type { BusyPolicy } from "./hold.ts";

/** A name that goes with a call: bytes at an address of the same memory. */
interface NameBytes {
  /** Their address. */
  readonly pointer: number;
  /** How many. */
  readonly length: number;
}

/** How a call treats its channel. */
interface CallOptions {
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
  readonly #hold: Hold;
  #message: Uint8Array<ArrayBuffer> | undefined;

  /** Calls through the channels at `layout` in `memory`, as the thread with number `thread`. */
  constructor(
    memory: WebAssembly.Memory,
    readonly layout: ChannelLayout,
    readonly busy: BusyPolicy = "wait",
    thread: number = threadNumber(),
  ) {
    this.#channels = new Channels(memory, layout);
    this.#hold = new Hold(this.#channels, this.#channels.gate.place(thread));
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
        ? this.#named(name) || this.#hold.claim(channel, this.busy)
        : this.#hold.claim(channel, this.busy);
      if (status < 0) return this.#failed(status);
      const channels = this.#channels;
      if (name) channels.setName(channel, name.pointer, name.length);
      channels.setFunction(channel, fn);
      channels.setArguments(channel, a, b, c, d, e);
      this.#hold.submit(channel);
      this.#hold.sleepWhileBusy(channel, Infinity);
      return this.#take(channel, true);
    } finally {
      this.#channels.gate.leave(this.#hold.place);
    }
  }

  /** As {@link call}, with up to 8 arguments and with options. */
  invoke(channel: number, fn: number, args: ArrayLike<number>, options: CallOptions = {}): number {
    const refused = this.#enterToWait(channel);
    if (refused < 0) return refused;
    try {
      const status = this.#write(channel, fn, args, options);
      if (status < 0) return this.#failed(status);
      this.#hold.sleepWhileBusy(channel, Infinity);
      return this.#take(channel, options.release ?? true);
    } finally {
      this.#channels.gate.leave(this.#hold.place);
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
      this.#channels.gate.leave(this.#hold.place);
    }
  }

  /** Whether a call has been answered: 1, or 0, or a negative status; it does not wait. */
  poll(ticket: number): number {
    return this.wait(ticket, 0);
  }

  /** Waits at most `timeout` milliseconds for an answer: 1 when it is there, 0 when it is not, or a negative status. */
  wait(ticket: number, timeout = Infinity): number {
    return this.#withTicket(ticket, (channel) => {
      this.#hold.sleepWhileBusy(channel, timeout);
      return this.#hold.isBusy(channel) ? 0 : 1;
    });
  }

  /** Waits for an answer: the result of the call. It can be read again until the channel is released. */
  get(ticket: number): number {
    return this.#withTicket(ticket, (channel) => {
      this.#hold.sleepWhileBusy(channel, Infinity);
      if (this.#hold.isBusy(channel)) return this.#failed(-STATUS["would-block"]);
      return this.#collect(channel, false);
    });
  }

  /** As {@link get}, for a thread that must not block, such as the main thread of a page. */
  async later(ticket: number): Promise<number> {
    for (;;) {
      const state = this.poll(ticket);
      if (state !== 0) return state < 0 ? state : this.get(ticket);
      await this.#hold.sign((ticket - 1) % TICKETS);
    }
  }

  /** Claims a channel, for example to use its buffer before the call: 0, or a negative status. */
  acquire(channel: number): number {
    const refused = this.#enter(channel);
    if (refused < 0) return refused;
    const status = this.#hold.claim(channel, this.busy);
    this.#channels.gate.leave(this.#hold.place);
    return status < 0 ? this.#failed(status) : status;
  }

  /** Lets a channel go that this thread holds, after the answer of a call that is under way: 0, or a negative status. */
  release(channel: number): number {
    const refused = this.#enter(channel);
    if (refused < 0) return refused;
    try {
      if (!this.#hold.holds(channel)) return this.#failed(-STATUS.state);
      this.#hold.sleepWhileBusy(channel, Infinity);
      if (this.#hold.isBusy(channel)) return this.#failed(-STATUS["would-block"]);
      this.#hold.letGo(channel);
      return 0;
    } finally {
      this.#channels.gate.leave(this.#hold.place);
    }
  }

  /** Goes in; a negative status if that is not possible. Inside, the host cannot return the memory of the channels. */
  #enter(channel: number): number {
    this.status = 0;
    alive();
    if (!this.#known(channel)) return this.#failed(-STATUS["bad-channel"]);
    if (this.#channels.gate.enter(this.#hold.place)) return 0;
    return this.#failed(this.#hold.closed());
  }

  #known(channel: number): boolean {
    return Number.isInteger(channel) && channel >= 0 && channel < this.layout.channels;
  }

  /** As {@link #enter}, for a call that waits: refused where neither this thread may wait nor answers itself. */
  #enterToWait(channel: number): number {
    const refused = this.#enter(channel);
    if (refused < 0 || this.#hold.canWait) return refused;
    this.#channels.gate.leave(this.#hold.place);
    return this.#failed(-STATUS["would-block"]);
  }

  #failed(status: number): number {
    this.status = -status;
    return status;
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
      const status = this.#hold.claim(channel, this.busy);
      if (status < 0) return status;
    } else if (!this.#hold.holds(channel) || this.#hold.isBusy(channel)) return -STATUS.state;
    if (name) this.#channels.setName(channel, name.pointer, name.length);
    this.#channels.setFunction(channel, fn, free);
    for (let i = 0; i < MAX_ARGUMENTS; i++) this.#channels.setArgument(channel, i, args[i] ?? 0);
    this.#hold.submit(channel);
    return 0;
  }

  /** The result of a call that has waited. If this thread is the runner and cannot answer at once, it gives the call up. */
  #take(channel: number, release: boolean): number {
    const isLate = this.#hold.isBusy(channel) && this.#hold.giveUp(channel);
    return isLate ? this.#failed(-STATUS["would-block"]) : this.#collect(channel, release);
  }

  /** The result of an answered call. */
  #collect(channel: number, release: boolean): number {
    const result = this.#channels.result(channel);
    this.status = this.#channels.status(channel);
    if (this.status === STATUS.failed) this.#message = this.#channels.message(channel);
    if (release) this.#hold.letGo(channel);
    return result;
  }

  #ticket(channel: number): number {
    const word = Atomics.load(this.#channels.words, this.#channels.state(channel));
    return generationOf(word) * TICKETS + channel + 1;
  }

  /** Does `work` inside, if the ticket is for the call that its channel holds. */
  #withTicket(ticket: number, work: (channel: number) => number): number {
    const channel = (ticket - 1) % TICKETS;
    if (!(ticket > 0)) return this.#failed(-STATUS.state);
    const refused = this.#enter(channel);
    if (refused < 0) return refused;
    try {
      const word = Atomics.load(this.#channels.words, this.#channels.state(channel));
      const known = generationOf(word) === Math.floor((ticket - 1) / TICKETS);
      const called = stateOf(word) !== STATE.unused && stateOf(word) !== STATE.claimed;
      if (!known || !called || ownerOf(word) !== this.#hold.place) return this.#failed(-STATUS.state);
      return work(channel);
    } finally {
      this.#channels.gate.leave(this.#hold.place);
    }
  }
}

/** More than there are channels: a ticket is the generation and the channel. */
const TICKETS = 1024;
