/**
 * Channels: blocks of shared memory through which a kernel calls its host without returning to it, as one thread sees them.
 *
 * What a word of a channel may become stands in `word.ts`, where the blocks lie in `layout.ts`, who may call in `gate.ts`.
 *
 * @module
 */

import { Gate } from "./gate.ts";
import {
  bellBytes,
  blockBytes,
  channelBytes,
  type ChannelLayout,
  finished,
  hasSleeper,
  HEADER_BYTES,
  isPending,
  MAX_NAME_BYTES,
  ownerOf,
  reclaimed,
  STATE,
  stateOf,
  unused,
  withoutSleeper,
} from "./layout.ts";
import { ALIGNMENT } from "../../memory/arena.ts";

export { HOST, newGate } from "./gate.ts";
export {
  channelBytes,
  type ChannelLayout,
  type ChannelOptions,
  MAX_ARGUMENTS,
  MAX_NAME_BYTES,
  MAX_SLOTS,
  STATE,
} from "./layout.ts";

/** Words of a header, in 32-bit words. */
const FN = 1, STATUS_WORD = 2, NAME_LENGTH = 3;

/** Doubles of a header, in doubles. */
const RESULT = 2, ARGS = 3;

/** The statistics of a channel, in doubles of its header. */
export const COUNT = { calls: 11, bytes: 12, slept: 13, sleeps: 14 } as const;

/** The statistics of a runner, in doubles of the line of its bell. */
export const RUNNER_COUNT = { scans: 1, calls: 2, failures: 3 } as const;

/** The bit of the function's word that lets any runner answer. */
const FREE = 0x8000_0000;

/** The channels at one place of a shared memory, as seen from one thread. */
export class Channels {
  /** 32-bit words of the bells and all blocks. */
  readonly words: Int32Array;
  /** Who may call. */
  readonly gate: Gate;
  readonly #doubles: Float64Array;
  readonly #memory: Uint8Array;
  readonly #blocks: number;
  readonly #block: number;

  /** A view; nothing is written. */
  constructor(readonly memory: WebAssembly.Memory, readonly layout: ChannelLayout) {
    const size = channelBytes(layout);
    this.words = new Int32Array(memory.buffer, layout.offset, size / 4);
    this.gate = new Gate(layout.gate);
    this.#doubles = new Float64Array(memory.buffer, layout.offset, size / 8);
    this.#memory = new Uint8Array(memory.buffer);
    this.#blocks = bellBytes(layout);
    this.#block = blockBytes(layout);
  }

  /** Makes every channel unused. For the owner of the memory, before any other thread uses it. */
  reset(): void {
    this.words.fill(0);
  }

  /** How many runners have a bell. */
  get runners(): number {
    return Math.max(1, this.layout.runners ?? 1);
  }

  /** Index in {@link words} of the bell of a runner: 1 while it sleeps. */
  bell(runner: number): number {
    return runner * ALIGNMENT / 4;
  }

  /** The runner that answers the calls of a channel that only one may answer. */
  home(channel: number): number {
    return this.layout.oneHome ? 0 : channel % this.runners;
  }

  /** Whether the host still serves: a value of `HOST`. */
  get host(): number {
    return this.gate.host;
  }

  /** Index in {@link words} of the word of a channel. */
  state(channel: number): number {
    return (this.#blocks + channel * this.#block) / 4;
  }

  /** Address of the buffer of a channel in the memory. */
  buffer(channel: number): number {
    return this.name(channel) + MAX_NAME_BYTES;
  }

  /** Address of the name area of a channel in the memory. */
  name(channel: number): number {
    return this.layout.offset + this.#blocks + channel * this.#block + HEADER_BYTES;
  }

  /** Copies a name of `length` bytes at address `pointer` of the same memory into the channel. */
  setName(channel: number, pointer: number, length: number): void {
    this.#memory.copyWithin(this.name(channel), pointer, pointer + length);
    this.words[this.state(channel) + NAME_LENGTH] = length;
  }

  /** Puts `bytes` into the name area: the message of a failure. What does not fit is cut off. */
  setMessage(channel: number, bytes: Uint8Array): void {
    const part = bytes.subarray(0, MAX_NAME_BYTES);
    this.#memory.set(part, this.name(channel));
    this.words[this.state(channel) + NAME_LENGTH] = part.length;
  }

  /** A copy of the bytes in the name area. */
  message(channel: number): Uint8Array<ArrayBuffer> {
    const start = this.name(channel);
    return new Uint8Array(this.#memory.subarray(start, start + this.nameLength(channel)));
  }

  /** Writes which function is called; for the owner of a claimed channel. `free`: any runner may answer. */
  setFunction(channel: number, fn: number, free = false): void {
    this.words[this.state(channel) + FN] = free ? fn | FREE : fn;
  }

  /** Writes five arguments; for the owner of a claimed channel. */
  setArguments(channel: number, a: number, b: number, c: number, d: number, e: number): void {
    const at = this.state(channel) / 2 + ARGS, doubles = this.#doubles;
    doubles[at] = a;
    doubles[at + 1] = b;
    doubles[at + 2] = c;
    doubles[at + 3] = d;
    doubles[at + 4] = e;
  }

  /** Writes argument `index`; for the owner of a claimed channel. */
  setArgument(channel: number, index: number, value: number): void {
    this.#doubles[this.state(channel) / 2 + ARGS + index] = value;
  }

  /** The function that is called. */
  fn(channel: number): number {
    return this.words[this.state(channel) + FN]! & ~FREE;
  }

  /** Whether any runner may answer. */
  free(channel: number): boolean {
    return this.words[this.state(channel) + FN]! < 0;
  }

  /** Argument `index` of a call. */
  argument(channel: number, index: number): number {
    return this.#doubles[this.state(channel) / 2 + ARGS + index]!;
  }

  /** Bytes in the name area. */
  nameLength(channel: number): number {
    return this.words[this.state(channel) + NAME_LENGTH]!;
  }

  /** The answer of a call: a value, or a negative status. */
  result(channel: number): number {
    return this.#doubles[this.state(channel) / 2 + RESULT]!;
  }

  /** The status of that answer: 0, or the positive number of a status. */
  status(channel: number): number {
    return this.words[this.state(channel) + STATUS_WORD]!;
  }

  /** A count of {@link COUNT}. */
  count(channel: number, which: number): number {
    return this.#doubles[this.state(channel) / 2 + which]!;
  }

  /** Adds to a count: calls and bytes are counted by who answers, sleep by who calls. */
  addCount(channel: number, which: number, more: number): void {
    this.#doubles[this.state(channel) / 2 + which]! += more;
  }

  /** Adds 1 to a count of {@link RUNNER_COUNT}. For that runner. */
  countRunner(runner: number, which: number): void {
    this.#doubles[this.bell(runner) / 2 + which]! += 1;
  }

  /** A count of {@link RUNNER_COUNT}. */
  runnerCount(runner: number, which: number): number {
    return this.#doubles[this.bell(runner) / 2 + which]!;
  }

  /** Ends a call: result, state, and a sign to the caller. By default a result below zero is a status. */
  finish(channel: number, result: number, status: number = result < 0 ? -result : 0): void {
    const at = this.state(channel);
    let word = Atomics.load(this.words, at);
    if (!isPending(word)) return;
    this.#doubles[at / 2 + RESULT] = result;
    this.words[at + STATUS_WORD] = status;
    while (isPending(word) && !this.change(at, word, finished(word))) word = Atomics.load(this.words, at);
  }

  /** Lets a channel go whose word is `word`; `false`: it has changed in between. */
  letGo(channel: number, word: number): boolean {
    return this.change(this.state(channel), word, unused(word));
  }

  /** Takes back what a thread that has ended holds: its channels, and its place in the gate. */
  reclaim(place: number): void {
    for (let channel = 0; channel < this.layout.channels; channel++) {
      const at = this.state(channel);
      let word;
      while (ownerOf(word = Atomics.load(this.words, at)) === place) {
        if (this.change(at, word, reclaimed(word))) break;
      }
    }
    this.gate.vacate(place);
    this.stir();
  }

  /** How many calls runners answer for threads that have ended. */
  get orphans(): number {
    let orphans = 0;
    for (let channel = 0; channel < this.layout.channels; channel++) {
      if (stateOf(Atomics.load(this.words, this.state(channel))) === STATE.orphaned) orphans++;
    }
    return orphans;
  }

  /**
   * Makes all who sleep look again: the host has closed, or a thread has ended that may have changed a word and not have woken
   * others any more. The words change as well, for those who are about to sleep.
   */
  stir(): void {
    for (let channel = 0; channel < this.layout.channels; channel++) {
      const at = this.state(channel);
      let word;
      do word = Atomics.load(this.words, at); while (!this.change(at, word, withoutSleeper(word)));
      Atomics.notify(this.words, at);
    }
    for (let runner = 0; runner < this.runners; runner++) Atomics.notify(this.words, this.bell(runner));
  }

  /** Makes a word at `at` another one and wakes who sleeps on it; `false`: it is not `from` any more. */
  change(at: number, from: number, to: number): boolean {
    if (Atomics.compareExchange(this.words, at, from, to) !== from) return false;
    if (hasSleeper(from) && !hasSleeper(to)) Atomics.notify(this.words, at);
    return true;
  }

  /** Wakes the runner that is to answer a call that has become ready. */
  ring(channel: number): void {
    if (this.runners === 1) this.wake(0);
    else if (!this.free(channel)) this.wake(this.home(channel));
    else for (let runner = 0; runner < this.runners; runner++) if (this.wake(runner)) return;
  }

  /** Wakes a runner, if it sleeps. */
  wake(runner: number): boolean {
    const bell = this.bell(runner);
    if (Atomics.load(this.words, bell) === 0 || Atomics.exchange(this.words, bell, 0) === 0) return false;
    Atomics.notify(this.words, bell);
    return true;
  }

  /** Makes an open host refuse further calls, finish what runs and drop what waits. From any thread. */
  abort(): void {
    this.gate.abort();
    this.wakeAll();
  }

  /** Wakes every runner. */
  wakeAll(): void {
    for (let runner = 0; runner < this.runners; runner++) this.wake(runner);
  }
}
