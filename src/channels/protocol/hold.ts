/**
 * One thread's hold on channels: it claims them, makes their calls ready, sleeps until they are answered, and lets them go.
 *
 * @module
 */

import { type Channels, COUNT } from "./channel.ts";
import { HOST } from "./gate.ts";
import { canBlock, type LocalRunner, localRunner, signOf, sleep, Watch } from "./sleep.ts";
import { STATUS } from "./status.ts";
import {
  claimed,
  generationOf,
  isBusy,
  isPending,
  ownerOf,
  reclaimed,
  STATE,
  stateOf,
  submitted,
  withSleeper,
} from "./layout.ts";

/**
 * What a call does when its channel is held by another one: wait for it, or fail with the status `busy`.
 * @category Channels
 */
export type BusyPolicy = "wait" | "fail";

/** Milliseconds between two checks of a waiting claim whether the host still serves. Every sign to it wakes it at once. */
const LOOK = 1000;

/** Of so many calls that sleep, one is measured: a look at the clock takes as long as all other steps of the caller. */
const SAMPLE = 16;

/** The side of one thread. */
export class Hold {
  readonly #words: Int32Array;
  readonly #local: LocalRunner | undefined;
  readonly #watch = new Watch();

  /** The thread in `place` of the gate. */
  constructor(readonly channels: Channels, readonly place: number) {
    this.#words = channels.words;
    this.#local = localRunner(channels.layout.gate);
  }

  /** Whether calls of this thread can wait: it may block, or answers them itself. */
  get canWait(): boolean {
    return this.#local !== undefined || canBlock();
  }

  /** Takes a channel from `unused` to `claimed`; 0, or the status that says why it failed. */
  claim(channel: number, busy: BusyPolicy): number {
    const at = this.channels.state(channel);
    for (;;) {
      const word = Atomics.load(this.#words, at);
      if (stateOf(word) === STATE.unused) {
        if (this.channels.change(at, word, claimed(word, this.place))) return 0;
      } else if (busy === "fail") return -STATUS.busy;
      else if (ownerOf(word) === this.place) return -STATUS.state; // nobody else would ever let it go
      else if (!this.#maySleep()) return -STATUS["would-block"];
      else this.#sleep(at, word, LOOK);
      if (this.channels.host !== HOST.open) return this.closed();
    }
  }

  /** Makes a call ready that has been written, and wakes a runner. */
  submit(channel: number): void {
    const at = this.channels.state(channel);
    for (;;) {
      const word = Atomics.load(this.#words, at);
      if (this.channels.change(at, word, submitted(word))) break;
    }
    if (this.#local) this.#local.serve(channel);
    else this.channels.ring(channel);
  }

  /** Whether this thread has claimed a channel. */
  holds(channel: number): boolean {
    const word = Atomics.load(this.#words, this.channels.state(channel));
    return stateOf(word) !== STATE.unused && ownerOf(word) === this.place;
  }

  /** Whether the call on a channel has not been answered. */
  isBusy(channel: number): boolean {
    return isBusy(Atomics.load(this.#words, this.channels.state(channel)));
  }

  /** Sleeps while the call of this thread is under way, at most for `timeout` milliseconds. */
  sleepWhileBusy(channel: number, timeout: number): void {
    const at = this.channels.state(channel);
    let word = Atomics.load(this.#words, at);
    if (!isBusy(word) || timeout <= 0 || !this.#maySleep()) return;
    const measured = timeout < Infinity || generationOf(word) % SAMPLE === 0;
    const start = measured ? performance.now() : 0;
    for (let left = timeout; isBusy(word); word = Atomics.load(this.#words, at)) {
      if (this.#over()) this.channels.finish(channel, this.closed()); // it was not ready yet when the host closed
      else if (!this.#watch.changes(this.#words, at, word)) {
        this.#sleep(at, word, left);
        this.#watch.woke();
      }
      if (timeout < Infinity && (left = start + timeout - performance.now()) <= 0) break;
    }
    if (!measured) return;
    this.channels.addCount(channel, COUNT.slept, performance.now() - start);
    this.channels.addCount(channel, COUNT.sleeps, 1);
  }

  /** Sleeps until the word at `at` is not `word` any more: alive while a runner has the call, not while another thread holds it. */
  #sleep(at: number, word: number, timeout: number): void {
    const noted = withSleeper(word);
    if (noted !== word && Atomics.compareExchange(this.#words, at, word, noted) !== word) return;
    if (this.#over()) return; // who closes the host changes the word after this
    sleep(this.#words, at, noted, timeout, isPending(word));
  }

  /** Lets a channel go that this thread holds. */
  letGo(channel: number): void {
    const at = this.channels.state(channel);
    while (!this.channels.letGo(channel, Atomics.load(this.#words, at)));
  }

  /** Resolves when the word of a channel may have changed. */
  sign(channel: number): Promise<unknown> {
    const at = this.channels.state(channel);
    const word = Atomics.load(this.#words, at), noted = withSleeper(word);
    if (!isBusy(word) || Atomics.compareExchange(this.#words, at, word, noted) !== word) {
      return Promise.resolve();
    }
    return signOf(this.#words, at, noted);
  }

  /** Whether no runner serves any more. */
  #over(): boolean {
    const { host } = this.channels;
    return host === HOST.closed || host === HOST.aborted;
  }

  /** The status of calls of a host that does not serve any more. */
  closed(): number {
    const { host } = this.channels;
    return -(host === HOST.aborting || host === HOST.aborted ? STATUS.aborted : STATUS.closed);
  }

  /** Whether this thread may sleep: nobody would wake it where it is itself the runner. */
  #maySleep(): boolean {
    return this.#local === undefined && canBlock();
  }

  /** Gives a call up that has not been answered: `false` if it has been. */
  giveUp(channel: number): boolean {
    const at = this.channels.state(channel);
    for (;;) {
      const word = Atomics.load(this.#words, at);
      if (!isBusy(word)) return false;
      if (this.channels.change(at, word, reclaimed(word))) return true;
    }
  }
}
