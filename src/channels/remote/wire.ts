/**
 * The calling end of remote calls, in numbers and bytes: what kernels and TypeScript have in common.
 *
 * @module
 */

import { type BusyPolicy, Caller } from "../protocol/caller.ts";
import { type ChannelLayout, Channels } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import { checkOf, REMOTE, type RemoteResult, type Signature, SLOT } from "./function.ts";
import { joined, type Packed } from "./values.ts";

/** How a call is made. */
interface WireOptions {
  /** Whether any runner may answer. */
  readonly spawn: boolean;
  /** Whether arguments and result may be larger than the buffer of the channel. */
  readonly stream: boolean;
}

/** A result as it lies on the channel. */
export type WireResult = number | bigint | Uint8Array<ArrayBuffer> | undefined;

/** Calls functions of users from one thread. Results are zero or more, or negative statuses. */
export class RemoteWire {
  readonly #caller: Caller;
  readonly #channels: Channels;
  readonly #room: number;
  /** Channels that this thread holds until it releases them. */
  readonly #held = new Set<number>();
  /** Results of the latest call of each channel. */
  readonly #results = new Map<number, WireResult>();
  #table: ReadonlyMap<string | number, Signature> | undefined;

  /** Calls through the channels at `layout` in `memory`. */
  constructor(memory: WebAssembly.Memory, layout: ChannelLayout, busy: BusyPolicy = "wait") {
    this.#caller = new Caller(memory, layout, busy);
    this.#channels = new Channels(memory, layout);
    this.#room = layout.bufferLength * layout.elementSize;
  }

  /** Nanoseconds since the host was started. */
  now(): number {
    return this.#channels.gate.now();
  }

  /** The message of the latest call that failed, in UTF-8. */
  get message(): Uint8Array<ArrayBuffer> {
    return this.#caller.message;
  }

  /** The result of the latest call of a channel. */
  result(channel: number): WireResult {
    return this.#results.get(channel);
  }

  /** The function with this name or number; a negative status if there is none. The first question goes to the host. */
  find(channel: number, which: string | number): Signature | number {
    if (!this.#table) {
      const status = this.#ask(channel);
      if (status < 0) return status;
    }
    return this.#table?.get(which) ?? -STATUS["no-function"];
  }

  /** Claims a channel until {@link release}: 0, or a negative status. */
  acquire(channel: number): number {
    const status = this.#caller.acquire(channel);
    if (status === 0) this.#held.add(channel);
    return status;
  }

  /** Lets a channel go, after the answer of its call: 0, or a negative status. */
  release(channel: number): number {
    const status = this.#caller.release(channel);
    if (status !== -STATUS["would-block"]) {
      this.#held.delete(channel);
      this.#results.delete(channel);
    }
    return status;
  }

  /** Makes a call and waits for its answer: 0, or a negative status. The channel is held afterwards if it was before. */
  call(channel: number, signature: Signature, packed: Packed, options: WireOptions): number {
    const wasHeld = this.#held.has(channel);
    const status = wasHeld ? 0 : this.acquire(channel);
    if (status < 0) return status;
    const done = options.stream
      ? this.#stream(channel, signature, packed)
      : this.#plain(channel, signature, packed, options);
    if (!wasHeld) this.#letGo(channel);
    return done;
  }

  /** Makes a call without waiting: a ticket above zero, or a negative status. The channel is held until {@link release}. */
  submit(channel: number, signature: Signature, packed: Packed, options: WireOptions): number {
    const wasHeld = this.#held.has(channel);
    const status = wasHeld ? 0 : this.acquire(channel);
    if (status < 0) return status;
    const ticket = this.#submit(channel, signature, packed, options);
    if (ticket < 0 && !wasHeld) this.#letGo(channel);
    return ticket;
  }

  /** Waits at most `timeout` milliseconds for the answer of a call: 1, or 0 if it is not there, or a negative status. */
  wait(ticket: number, timeout: number): number {
    return this.#caller.wait(ticket, timeout);
  }

  /** Waits for the answer of a call: 0, or a negative status. It can be asked again until the channel is released. */
  get(channel: number, { result }: Pick<Signature, "result">, ticket: number): number {
    const answer = this.#caller.get(ticket);
    return this.#collect(channel, result, answer);
  }

  #plain(channel: number, signature: Signature, packed: Packed, options: WireOptions): number {
    const status = this.#write(channel, packed);
    if (status < 0) return status;
    const answer = this.#invoke(channel, signature.fn, numbersOf(signature, packed), options.spawn);
    return this.#collect(channel, signature.result, answer);
  }

  #submit(channel: number, signature: Signature, packed: Packed, { spawn }: WireOptions): number {
    const status = this.#write(channel, packed);
    if (status < 0) return status;
    return this.#caller.submit(channel, signature.fn, numbersOf(signature, packed), {
      acquire: false,
      free: spawn,
    });
  }

  /** Writes the bytes of arguments to the buffer: 0, or a negative status. */
  #write(channel: number, { bytes, length }: Packed): number {
    this.#results.delete(channel);
    if (length > this.#room) return -STATUS["too-big"];
    this.#fill(channel, bytes);
    return 0;
  }

  /** Copies parts to the buffer, one after another. */
  #fill(channel: number, parts: readonly Uint8Array[]): void {
    let at = this.#channels.buffer(channel);
    for (const part of parts) {
      new Uint8Array(this.#channels.memory.buffer, at, part.length).set(part);
      at += part.length;
    }
  }

  /** Notes the result of a call, whose answer is `answer`: 0, or a negative status. */
  #collect(channel: number, result: RemoteResult, answer: number): number {
    const { status } = this.#caller;
    if (status !== STATUS.ok) return -status;
    this.#results.set(channel, this.#resultAt(channel, result, answer));
    return 0;
  }

  #resultAt(channel: number, result: RemoteResult, answer: number): WireResult {
    if (result === "void") return undefined;
    if (result === "f64") return answer;
    if (result === "i64") {
      return joined(this.#channels.argument(channel, 0), this.#channels.argument(channel, 1));
    }
    return this.#copy(channel, answer);
  }

  /** A copy of the first `length` bytes of the buffer. */
  #copy(channel: number, length: number): Uint8Array<ArrayBuffer> {
    const { memory: { buffer } } = this.#channels;
    return new Uint8Array(
      new Uint8Array(buffer, this.#channels.buffer(channel), Math.min(length, this.#room)),
    );
  }

  /** Sends arguments piece by piece, calls, and fetches the result piece by piece. */
  #stream(channel: number, signature: Signature, packed: Packed): number {
    this.#results.delete(channel);
    if (packed.numbers.length > SLOT.fn) return -STATUS["too-big"];
    const pushed = this.#push(channel, packed);
    if (pushed < 0) return pushed;
    const numbers = numbersOf(signature, packed);
    numbers[SLOT.fn] = signature.fn;
    const answer = this.#invoke(channel, REMOTE.streamed, numbers);
    const status = this.#collect(channel, signature.result, answer);
    const isBytes = signature.result === "bytes" || signature.result === "text";
    return status < 0 || !isBytes ? status : this.#pull(channel, answer);
  }

  #push(channel: number, { bytes, length }: Packed): number {
    let done = 0;
    if (length === 0) return this.#invoke(channel, REMOTE.push, [0, 0, 0]);
    for (const part of bytes) {
      for (let at = 0; at < part.length; at += this.#room) {
        const piece = part.subarray(at, at + this.#room);
        this.#fill(channel, [piece]);
        const status = this.#invoke(channel, REMOTE.push, [length, done, piece.length]);
        if (status < 0) return status;
        done += piece.length;
      }
    }
    return 0;
  }

  #pull(channel: number, length: number): number {
    const whole = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const got = this.#invoke(channel, REMOTE.pull, [at]);
      if (got <= 0) return got || -STATUS.state;
      whole.set(this.#copy(channel, got), at);
      at += got;
    }
    this.#results.set(channel, whole);
    return 0;
  }

  #invoke(channel: number, fn: number, args: readonly number[], free = false): number {
    return this.#caller.invoke(channel, fn, args, { acquire: false, release: false, free });
  }

  #letGo(channel: number): void {
    this.#held.delete(channel);
    this.#caller.release(channel);
  }

  /** Asks the host for its table, piece by piece: 0, or a negative status. */
  #ask(channel: number): number {
    const wasHeld = this.#held.has(channel);
    const status = wasHeld ? 0 : this.acquire(channel);
    if (status < 0) return status;
    const text = this.#describe(channel);
    if (!wasHeld) this.#letGo(channel);
    if (typeof text === "number") return text;
    const rows = JSON.parse(new TextDecoder().decode(text)) as readonly Signature[];
    this.#table = new Map<string | number, Signature>(
      rows.flatMap((row) => [[row.name, row], [row.fn, row]]),
    );
    return 0;
  }

  #describe(channel: number): Uint8Array | number {
    const pieces: Uint8Array[] = [];
    let done = 0, total = 1;
    while (done < total) {
      total = this.#invoke(channel, REMOTE.describe, [done]);
      if (total < 0) return total;
      const piece = this.#channels.message(channel);
      pieces.push(piece);
      done += piece.length;
    }
    const whole = new Uint8Array(done);
    pieces.reduce((at, piece) => (whole.set(piece, at), at + piece.length), 0);
    return whole;
  }
}

/** The numbers of a call, with that by which the host checks the function. */
function numbersOf(signature: Signature, { numbers }: Packed): number[] {
  const all = [...numbers];
  while (all.length < SLOT.check) all.push(0);
  all[SLOT.check] = checkOf(signature);
  return all;
}
