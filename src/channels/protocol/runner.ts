/**
 * The answering end of channels: takes calls that are ready, and gives their answers.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { reasonOf } from "../../reason.ts";
import { type Awaitable, Call, type Functions } from "./call.ts";
import { type Channels, COUNT, HOST, RUNNER_COUNT } from "./channel.ts";
import { STATUS } from "./status.ts";
import { generationOf, isPending, runnerOf, STATE, stateOf, taken } from "./word.ts";

/** Answers calls on one thread. */
export class ChannelRunner {
  /** Calls whose answers are promises that have not been kept yet. */
  pending = 0;
  readonly #calls: readonly Call[];
  readonly #words: readonly number[];
  #change = withResolvers<void>();

  /** The runner with number `index` of the host of `channels`. Calls that a runner of that number has left are lost. */
  constructor(readonly channels: Channels, private readonly functions: Functions, readonly index = 0) {
    const all = Array.from({ length: channels.layout.channels }, (_, channel) => channel);
    this.#calls = all.map((channel) => new Call(channels, channel));
    this.#words = all.map((channel) => channels.state(channel));
    loseCalls(channels, index);
  }

  /** Answers every call that is ready; how many. */
  scan(): number {
    this.channels.countRunner(this.index, RUNNER_COUNT.scans);
    let served = 0;
    for (let channel = 0; channel < this.#words.length; channel++) served += this.serve(channel);
    return served;
  }

  /** Answers the call on a channel, if there is one for this runner: 1, else 0. */
  serve(channel: number): number {
    const { channels } = this;
    const at = this.#words[channel]!;
    for (;;) {
      const word = Atomics.load(channels.words, at);
      if (stateOf(word) !== STATE.ready || !this.#mayTake(channel)) return 0;
      if (channels.change(at, word, taken(word, this.index))) {
        if (channels.runners > 1) this.#passOn();
        this.#answer(this.#calls[channel]!, generationOf(word));
        return 1;
      }
    }
  }

  /**
   * Before an answer, which may take long: nobody rings here any more, and another runner is woken for calls that rang here and
   * that any runner may answer.
   */
  #passOn(): void {
    const { channels } = this, { words } = channels;
    Atomics.store(words, channels.bell(this.index), 0);
    for (let channel = 0; channel < this.#words.length; channel++) {
      const isReady = stateOf(Atomics.load(words, this.#words[channel]!)) === STATE.ready;
      if (isReady && channels.free(channel)) channels.ring(channel);
    }
  }

  /** Resolves with `sign`, or when an answer that was a promise has been given. */
  async changed(sign: Promise<unknown>): Promise<void> {
    await Promise.race([sign, this.#change.promise]);
  }

  #mayTake(channel: number): boolean {
    const { channels, index } = this;
    if (channels.host === HOST.aborting) return false;
    return channels.runners === 1 || channels.home(channel) === index || channels.free(channel);
  }

  #answer(call: Call, generation: number): void {
    call.status = undefined;
    const result = this.#resultOf(call);
    if (typeof result === "number") this.#finish(call, generation, result);
    else this.#later(call, generation, result);
  }

  #resultOf(call: Call): Awaitable<number> {
    try {
      return this.functions.get(call.fn)?.(call) ?? -STATUS["no-function"];
    } catch (error) {
      return this.#failure(call, error);
    }
  }

  #later(call: Call, generation: number, result: Promise<number>): void {
    this.pending++;
    const value = result.catch((error) => this.#failure(call, error));
    value.then((value) => {
      this.#finish(call, generation, value);
      this.pending--;
      this.#change.resolve();
      this.#change = withResolvers();
    });
  }

  #failure(call: Call, error: unknown): number {
    call.status = undefined;
    this.channels.countRunner(this.index, RUNNER_COUNT.failures);
    return call.fail(reasonOf(error));
  }

  /** Ends a call, if it is still the call that was taken: another runner may have replaced this one. */
  #finish(call: Call, generation: number, result: number): void {
    const { channels, index } = this, { channel } = call;
    const word = Atomics.load(channels.words, this.#words[channel]!);
    if (generationOf(word) !== generation || runnerOf(word) !== index) return;
    channels.addCount(channel, COUNT.calls, 1);
    channels.countRunner(index, RUNNER_COUNT.calls);
    channels.finish(channel, result, call.status);
  }
}

/** Ends the calls that a runner has taken which does not exist any more, with the status `lost`. */
function loseCalls(channels: Channels, runner: number): void {
  for (let channel = 0; channel < channels.layout.channels; channel++) {
    const word = Atomics.load(channels.words, channels.state(channel));
    const isTaken = isPending(word) && stateOf(word) !== STATE.ready;
    if (isTaken && runnerOf(word) === runner) channels.finish(channel, -STATUS.lost);
  }
  channels.stir();
}

/**
 * Declares the host closed and fails every pending call, so that no caller waits forever. For the
 * runner when it stops, or for the thread that finds it gone.
 */
export function closeChannels(channels: Channels): void {
  const { layout, gate } = channels;
  const aborted = gate.host === HOST.aborting || gate.host === HOST.aborted;
  gate.host = aborted ? HOST.aborted : HOST.closed;
  for (let channel = 0; channel < layout.channels; channel++) {
    channels.finish(channel, -(aborted ? STATUS.aborted : STATUS.closed));
  }
  channels.stir(); // who waits for a channel looks again
}
