/**
 * The answering end of channels: a call as the answering side sees it, and the loop that takes calls and answers them.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { reasonOf } from "../../reason.ts";
import { type Channels, COUNT, HOST, MAX_NAME_BYTES, RUNNER_COUNT } from "./channel.ts";
import { generationOf, isPending, runnerOf, STATE, stateOf, taken } from "./layout.ts";
import { signOf, Watch } from "./sleep.ts";
import { STATUS } from "./status.ts";

// A call on a channel, as the side that answers it sees it, and the table of functions that answer.

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The call that a channel holds. It is valid until it is answered: the channel serves the next call then. */
export class Call {
  /** The status that goes with the result; `undefined`: that of a result below zero. */
  status: number | undefined;

  /** The call on channel `channel`. */
  constructor(readonly channels: Channels, readonly channel: number) {}

  /** The number of the function that is called. */
  get fn(): number {
    return this.channels.fn(this.channel);
  }

  /** Argument `index`, from 0 to 7. */
  arg(index: number): number {
    return this.channels.argument(this.channel, index);
  }

  /** Address of the name area. */
  get name(): number {
    return this.channels.name(this.channel);
  }

  /** Bytes in the name area. */
  get nameLength(): number {
    return this.channels.nameLength(this.channel);
  }

  /** Address of the buffer of the channel. */
  get buffer(): number {
    return this.channels.buffer(this.channel);
  }

  /** Bytes of that buffer. */
  get bufferBytes(): number {
    const { bufferLength, elementSize } = this.channels.layout;
    return bufferLength * elementSize;
  }

  /** `result`, which is a value also where it is below zero. For an answer to return. */
  value(result: number): number {
    this.status = STATUS.ok;
    return result;
  }

  /** The status `failed`, with a message for the kernel. For an answer to return. */
  fail(message: string): number {
    const bytes = new Uint8Array(MAX_NAME_BYTES);
    const { written } = new TextEncoder().encodeInto(message, bytes); // what does not fit is cut at a character
    this.channels.setMessage(this.channel, bytes.subarray(0, written));
    return -STATUS.failed;
  }

  /** Counts bytes that were read or written for this call, for the statistics of the channel. */
  moved(bytes: number): void {
    this.channels.addCount(this.channel, COUNT.bytes, bytes);
  }
}

/** Answers one call: its result, or a negative status. What it throws becomes the status `failed`, with its message. */
export type Answer = (call: Call) => Awaitable<number>;

/** Functions by their numbers: files 1 … 31, pictures 32 … 63, functions of users from 64. */
export type Functions = ReadonlyMap<number, Answer>;

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

// The loop of a runner: it sleeps until its bell is rung, and answers what is ready until its host stops.
//
// While answers are promises, the thread waits in a way that lets them go on; otherwise it watches its
// bell for a while and then blocks, which wakes sooner. A runner on the thread of the caller never blocks.

/** How a runner serves. */
interface ServeOptions {
  /** Whether the thread may block. Default true. */
  readonly blocks?: boolean;
  /** Most scans per second; 0 or less: as many as there are signs. Default 0. */
  readonly scanRate?: number;
}

/**
 * Answers the calls of a runner until its host is set to `closing` (then what is ready is still answered) or `aborting` (then only
 * what runs is finished), and all answers have been given.
 */
export async function serve(runner: ChannelRunner, options: ServeOptions = {}): Promise<void> {
  const { blocks = true, scanRate = 0 } = options;
  const pace = new Pace(scanRate), watch = new Watch();
  for (;;) {
    const found = look(runner);
    if (found === "over") break;
    const mayBlock = blocks && runner.pending === 0;
    const rest = pace.rest();
    if (rest > 0) await pause(rest, mayBlock);
    if (mayBlock) {
      const { words } = runner.channels, bell = runner.channels.bell(runner.index);
      if (found === "nothing" && scanRate <= 0 && watch.changes(words, bell, 1)) continue;
      sleepAfter(found, runner);
      if (found === "nothing") watch.woke();
    } else if (found === "calls") await turn();
    else await runner.changed(signOf(runner.channels.words, runner.channels.bell(runner.index), 1));
  }
  disarm(runner);
}

/** What a look at all channels has found: calls, nothing, or that the runner is to stop. */
type Found = "calls" | "nothing" | "over";

/** Answers what is ready. The bell is armed before: who makes a call ready after this look wakes the runner. */
export function look(runner: ChannelRunner): Found {
  const { channels } = runner;
  Atomics.store(channels.words, channels.bell(runner.index), 1);
  if (runner.scan() > 0) return "calls";
  return channels.host !== HOST.open && runner.pending === 0 ? "over" : "nothing";
}

/** Blocks until the bell is rung, after a look that has found nothing. */
export function sleepAfter(found: Found, { channels, index }: ChannelRunner): void {
  if (found === "nothing") Atomics.wait(channels.words, channels.bell(index), 1);
}

function disarm({ channels, index }: ChannelRunner): void {
  Atomics.store(channels.words, channels.bell(index), 0);
}

/** Lets other work of this thread go on. */
function turn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?(work: () => void): unknown };
  return new Promise((resolve) => setImmediate ? setImmediate(resolve) : setTimeout(resolve, 0));
}

async function pause(milliseconds: number, blocks: boolean): Promise<void> {
  if (blocks) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  else await new Promise((resolve) => setTimeout(resolve, Math.ceil(milliseconds)));
}

/** Keeps scans at most as frequent as is wished. */
class Pace {
  readonly #least: number;
  #next = 0;

  /** At most `scanRate` scans per second. */
  constructor(scanRate: number) {
    this.#least = scanRate > 0 ? 1000 / scanRate : 0;
  }

  /** Milliseconds until the next scan may begin. */
  rest(): number {
    if (this.#least === 0) return 0;
    const now = performance.now();
    const rest = Math.max(0, this.#next - now);
    this.#next = Math.max(now, this.#next) + this.#least;
    return rest;
  }
}
