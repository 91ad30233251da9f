/**
 * Channels: blocks of shared memory through which a kernel calls its host without returning to it.
 *
 * One word is both lock and state, so that a release can never overtake the next owner:
 *
 * ```text
 *   unused ──caller: compare-exchange──▶ claimed ──arguments written──▶ ready ──runner──▶ running ──▶ done
 *      ▲                                                                                              │
 *      └──────────────────────────── caller has read the result ◀─────────────────────────────────────┘
 * ```
 *
 * A block has a header of 64 bytes (state, function, status, length of the name, five arguments, result), the
 * name (1 KiB), and a buffer that the kernel may use as it likes. All blocks follow a cache line that they share: the
 * doorbell, which callers ring.
 *
 * A separate gate holds whether the host still serves, and how many callers are inside a call. The gate
 * stays when the memory of the channels is used for something else, so that a late caller does not take those bytes for a channel.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { checkedProduct } from "../../space/shape.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";

/** Most channels of a host and most open files of a table, as a handle has a fixed number of bits for them. */
export const MAX_SLOTS = 1024;

/** Most bytes of a file name in UTF-8. */
export const MAX_NAME_BYTES = 1024;

/**
 * Counts of a set of channels; fixed when the host starts.
 * @category Channels
 */
export interface ChannelOptions {
  /** How many channels: calls that can be under way at the same time. One a worker is the rule. */
  readonly channels: number;
  /** Elements in the buffer of each channel. */
  readonly bufferLength: number;
  /** Bytes of the element that counts and offsets are given in. */
  readonly elementSize: number;
}

/** Their names. */
export const CHANNEL_OPTIONS: OptionNames<ChannelOptions> = {
  channels: true,
  bufferLength: true,
  elementSize: true,
};

const LAYOUT_NAMES: OptionNames<ChannelLayout> = { ...CHANNEL_OPTIONS, offset: true, gate: true };

/**
 * Channels at an address: data that a job carries to its workers.
 * @category Channels
 */
export interface ChannelLayout extends ChannelOptions {
  /** Address of the first byte. */
  readonly offset: number;
  /** What outlives them: see {@link newGate}. */
  readonly gate: SharedArrayBuffer;
}

/** Cells of a gate: a value of {@link HOST}, and the number of callers that may write to the channels. */
export const GATE = { host: 0, callers: 1 } as const;

/** The gate of open channels without a caller inside. */
export function newGate(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** States of a channel, in the order of a call. */
export const STATE = { unused: 0, claimed: 1, ready: 2, running: 3, done: 4 } as const;

/** Whether the runner serves (`open`), has been told to stop (`closing`) or has stopped (`closed`). */
export const HOST = { open: 0, closing: 1, closed: 2 } as const;

const SHARED_BYTES = ALIGNMENT;
const HEADER_BYTES = 64;
/** Words of a header: `ARGS` and `RESULT` count in doubles, the others in 32-bit words. */
const FN = 1, STATUS_WORD = 2, NAME_LENGTH = 3, ARGS = 2, RESULT = 7;

function blockBytes({ bufferLength, elementSize }: ChannelOptions): number {
  return HEADER_BYTES + MAX_NAME_BYTES + roundUp(bufferLength * elementSize, ALIGNMENT);
}

/**
 * Bytes of memory that channels take.
 *
 * @example
 * ```ts
 * import { channelBytes } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(channelBytes({ channels: 2, bufferLength: 1, elementSize: 8 }), 64 + 2 * (64 + 1024 + 64));
 * ```
 * @category Channels
 */
export function channelBytes(options: ChannelOptions): number {
  checkOptionNames<Partial<ChannelLayout>>("channelBytes()", options, LAYOUT_NAMES); // a layout will do
  const { channels, bufferLength, elementSize } = options;
  const valid = [channels, bufferLength, elementSize].every((n) => Number.isSafeInteger(n) && n > 0);
  if (!valid || channels > MAX_SLOTS) {
    const found = `${channels} channels of ${bufferLength} elements of ${elementSize} bytes`;
    const text = `Cannot make ${found}; all must be at least 1, channels at most ${MAX_SLOTS}`;
    const odd = Object.entries({ channels, bufferLength, elementSize }).find(([, n]) =>
      !(Number.isSafeInteger(n) && n > 0)
    );
    throw new TilewiseError("invalid", text, { option: odd?.[0] ?? "channels", found });
  }
  checkedProduct([bufferLength, elementSize], "the buffer of a channel", 2 ** 32);
  return SHARED_BYTES + channels * blockBytes(options);
}

/** The channels at one place of a shared memory, as seen from one thread. */
export class Channels {
  /** 32-bit words of the shared lines and all blocks. */
  readonly words: Int32Array;
  /** The cells of {@link GATE}. */
  readonly gate: Int32Array;
  readonly #doubles: Float64Array;
  readonly #memory: Uint8Array;
  readonly #block: number;

  /** A view; nothing is written. */
  constructor(readonly memory: WebAssembly.Memory, readonly layout: ChannelLayout) {
    const size = channelBytes(layout);
    this.words = new Int32Array(memory.buffer, layout.offset, size / 4);
    this.gate = new Int32Array(layout.gate);
    this.#doubles = new Float64Array(memory.buffer, layout.offset, size / 8);
    this.#memory = new Uint8Array(memory.buffer);
    this.#block = blockBytes(layout);
  }

  /** Makes every channel unused. For the owner of the memory, before any other thread uses it. */
  reset(): void {
    this.words.fill(0);
  }

  /** Index in {@link words} of the word that callers ring. */
  readonly doorbell = 0;

  /** Whether the host still serves: a value of {@link HOST}. */
  get host(): number {
    return Atomics.load(this.gate, GATE.host);
  }

  /** A caller goes in, if the host still serves; until it goes out the memory of the channels stays what it is. */
  enter(): boolean {
    Atomics.add(this.gate, GATE.callers, 1);
    if (this.host === HOST.open) return true;
    this.leave();
    return false;
  }

  /** A caller goes out. */
  leave(): void {
    Atomics.sub(this.gate, GATE.callers, 1);
  }

  /** Callers that are inside. */
  get callers(): number {
    return Atomics.load(this.gate, GATE.callers);
  }

  /** Index in {@link words} of the state of a channel. */
  state(channel: number): number {
    return (SHARED_BYTES + channel * this.#block) / 4;
  }

  /** Address of the buffer of a channel in the memory. */
  buffer(channel: number): number {
    return this.name(channel) + MAX_NAME_BYTES;
  }

  /** Address of the name area of a channel in the memory. */
  name(channel: number): number {
    return this.layout.offset + SHARED_BYTES + channel * this.#block + HEADER_BYTES;
  }

  /** Copies a name of `length` bytes at address `pointer` of the same memory into the channel. */
  setName(channel: number, pointer: number, length: number): void {
    this.#memory.copyWithin(this.name(channel), pointer, pointer + length);
    this.words[this.state(channel) + NAME_LENGTH] = length;
  }

  /** Writes what is to be called; for the owner of a claimed channel. */
  setCall(channel: number, fn: number, a: number, b: number, c: number, d: number, e: number): void {
    const at = this.state(channel) / 2 + ARGS;
    this.words[this.state(channel) + FN] = fn;
    this.#doubles[at] = a;
    this.#doubles[at + 1] = b;
    this.#doubles[at + 2] = c;
    this.#doubles[at + 3] = d;
    this.#doubles[at + 4] = e;
  }

  /** The function that is called. */
  fn(channel: number): number {
    return this.words[this.state(channel) + FN]!;
  }

  /** Argument `index` of a call. */
  argument(channel: number, index: number): number {
    return this.#doubles[this.state(channel) / 2 + ARGS + index]!;
  }

  /** Bytes in the name area. */
  nameLength(channel: number): number {
    return this.words[this.state(channel) + NAME_LENGTH]!;
  }

  /** The result of a call: a value, or a negative status. */
  result(channel: number): number {
    return this.#doubles[this.state(channel) / 2 + RESULT]!;
  }

  /** Ends a call: result, state, and a sign to the caller. */
  finish(channel: number, result: number): void {
    const at = this.state(channel);
    this.#doubles[at / 2 + RESULT] = result;
    this.words[at + STATUS_WORD] = result < 0 ? -result : 0;
    Atomics.store(this.words, at, STATE.done);
    Atomics.notify(this.words, at);
  }
}
