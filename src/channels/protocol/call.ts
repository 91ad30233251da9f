/**
 * A call on a channel, as the side that answers it sees it, and the table of functions that answer.
 *
 * @module
 */

import type { Channels } from "./channel.ts";

/** The call that a channel holds. It is valid until it is answered: the channel serves the next call then. */
export class Call {
  /** The call on channel `channel`. */
  constructor(readonly channels: Channels, readonly channel: number) {}

  /** The number of the function that is called. */
  get fn(): number {
    return this.channels.fn(this.channel);
  }

  /** Argument `index`. */
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
}

/** Answers one call: its result, or a negative status. */
export type Answer = (call: Call) => number;

/** Functions by their numbers: files 1 … 31, pictures 32 … 63, functions of users 64. */
export type Functions = ReadonlyMap<number, Answer>;
