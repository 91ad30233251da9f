/**
 * The serving end of channels: a loop that sleeps until its bell is rung, and answers what is ready.
 *
 * @module
 */

import { reasonOf } from "../../reason.ts";
import { Call, type Functions } from "./call.ts";
import { type Channels, COUNT } from "./channel.ts";
import { HOST } from "./gate.ts";
import { STATUS } from "./status.ts";
import { STATE, stateOf, taken } from "./word.ts";

/** Answers calls on one thread. */
export class ChannelRunner {
  /** Scans over all channels so far. */
  scans = 0;
  /** Calls whose answers are promises that have not been kept yet. */
  pending = 0;
  readonly #calls: readonly Call[];
  readonly #own: readonly number[];

  /** The runner with number `index` of the host of `channels`. */
  constructor(
    readonly channels: Channels,
    private readonly functions: Functions,
    readonly index = 0,
    /** Called when an answer that was a promise has been given. */
    private readonly answered: () => void = () => {},
  ) {
    const all = Array.from({ length: channels.layout.channels }, (_, channel) => channel);
    this.#calls = all.map((channel) => new Call(channels, channel));
    this.#own = all.map((channel) => channels.state(channel));
  }

  /** Answers every call that is ready; how many. */
  scan(): number {
    this.scans++;
    let served = 0;
    for (let channel = 0; channel < this.#own.length; channel++) served += this.serve(channel);
    return served;
  }

  /** Answers the call on a channel, if there is one for this runner: 1, else 0. */
  serve(channel: number): number {
    const { channels } = this, { words } = channels;
    const at = this.#own[channel]!;
    for (;;) {
      const word = Atomics.load(words, at);
      if (stateOf(word) !== STATE.ready || !this.#mayTake(channel)) return 0;
      if (channels.change(at, word, taken(word, this.index))) break;
    }
    this.#answer(this.#calls[channel]!);
    return 1;
  }

  #mayTake(channel: number): boolean {
    const { channels } = this;
    return channels.runners === 1 || channels.free(channel) || channels.home(channel) === this.index;
  }

  #answer(call: Call): void {
    call.status = undefined;
    try {
      const result = this.functions.get(call.fn)?.(call) ?? -STATUS.invalid;
      if (typeof result === "number") this.#finish(call, result);
      else this.#later(call, result);
    } catch (error) {
      this.#finish(call, call.fail(reasonOf(error)));
    }
  }

  #later(call: Call, result: Promise<number>): void {
    this.pending++;
    const done = (value: number) => {
      this.pending--;
      this.#finish(call, value);
      this.answered();
    };
    Promise.resolve(result).then(done, (error) => done(call.fail(reasonOf(error))));
  }

  #finish(call: Call, result: number): void {
    this.channels.addCount(call.channel, COUNT.calls, 1);
    this.channels.finish(call.channel, result, call.status);
  }
}

/**
 * Serves `channels` with `functions`, whose answers are no promises, until the host is set to `closing`; then fails calls that are still
 * ready with the status `closed`. Blocks its thread.
 */
export function serve(channels: Channels, functions: Functions): void {
  const runner = new ChannelRunner(channels, functions);
  const bell = channels.bell(runner.index);
  for (;;) {
    Atomics.store(channels.words, bell, 1); // before the scan: who makes a call ready after it finds the bell armed
    const served = runner.scan();
    if (channels.host !== HOST.open) break;
    if (served === 0) Atomics.wait(channels.words, bell, 1);
  }
  closeChannels(channels);
}

/**
 * Declares the host closed and fails every pending call, so that no caller waits forever. For the
 * runner when it stops, or for the thread that finds it gone.
 */
export function closeChannels(channels: Channels): void {
  const { words, layout, gate } = channels;
  const aborted = gate.host === HOST.aborting || gate.host === HOST.aborted;
  gate.host = aborted ? HOST.aborted : HOST.closed;
  for (let channel = 0; channel < layout.channels; channel++) {
    const at = channels.state(channel);
    channels.finish(channel, -(aborted ? STATUS.aborted : STATUS.closed));
    Atomics.notify(words, at); // who waits for the channel looks again
  }
}
