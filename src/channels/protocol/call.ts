/**
 * A call on a channel, as the side that answers it sees it, and the table of functions that answer.
 *
 * @module
 */

import { type Channels, COUNT, MAX_NAME_BYTES } from "./channel.ts";
import { STATUS } from "./status.ts";

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
