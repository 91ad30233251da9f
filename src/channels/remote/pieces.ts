/**
 * Arguments and results that are larger than the buffer of a channel: they come and go in pieces, and wait in the runner that has
 * the files of the channel.
 *
 * @module
 */

import type { Call } from "../protocol/call.ts";
import { STATUS } from "../protocol/status.ts";

/** Most bytes of the arguments of one call, and of its result. */
export const MOST_PIECES = 2 ** 26;

interface Incoming {
  readonly bytes: Uint8Array;
  filled: number;
}

/** What waits, per channel: at most the arguments and the result of its latest call. */
export class Pieces {
  readonly #incoming = new Map<number, Incoming>();
  readonly #outgoing = new Map<number, Uint8Array>();

  /** Takes a piece from the buffer: numbers of the call are all bytes, the place of the piece, and its length. */
  push(call: Call): number {
    const [total, at, length] = [call.arg(0), call.arg(1), call.arg(2)];
    if (!(Number.isSafeInteger(total) && total >= 0)) return -STATUS.invalid;
    if (total > MOST_PIECES) return -STATUS["too-big"];
    if (at === 0) this.#begin(call.channel, total);
    const incoming = this.#incoming.get(call.channel);
    const fits = incoming && incoming.bytes.length === total && at === incoming.filled &&
      length >= 0 && length <= Math.min(call.bufferBytes, total - at);
    if (!fits) return -STATUS.invalid;
    incoming.bytes.set(new Uint8Array(call.channels.memory.buffer, call.buffer, length), at);
    incoming.filled += length;
    call.moved(length);
    return 0;
  }

  #begin(channel: number, total: number): void {
    this.#outgoing.delete(channel);
    this.#incoming.set(channel, { bytes: new Uint8Array(total), filled: 0 });
  }

  /** The arguments that have come; they do not wait any more. */
  take(channel: number): Uint8Array {
    const incoming = this.#incoming.get(channel);
    this.#incoming.delete(channel);
    this.#outgoing.delete(channel);
    return incoming?.bytes.subarray(0, incoming.filled) ?? new Uint8Array(0);
  }

  /** Keeps a result: its number of bytes, or a negative status. */
  keep(channel: number, bytes: Uint8Array): number {
    if (bytes.length > MOST_PIECES) return -STATUS["too-big"];
    this.#outgoing.set(channel, bytes);
    return bytes.length;
  }

  /** Copies the piece of the result from byte `arg(0)` on to the buffer: its length. After the last one nothing waits. */
  pull(call: Call): number {
    const bytes = this.#outgoing.get(call.channel), at = call.arg(0);
    if (!bytes || !(at >= 0 && at <= bytes.length)) return -STATUS.invalid;
    const piece = bytes.subarray(at, at + call.bufferBytes);
    new Uint8Array(call.channels.memory.buffer, call.buffer, piece.length).set(piece);
    call.moved(piece.length);
    if (at + piece.length === bytes.length) this.#outgoing.delete(call.channel);
    return piece.length;
  }
}
