/**
 * Bits of WebP pictures with losses, each coded with how probable a 0 is.
 *
 * Source: RFC 6386, section 7.
 *
 * @module
 */

import { wrong } from "./prefix.ts";

/** Reads bits of a part of a picture; what is taken behind its end throws. */
export class Booleans {
  #at: number;
  /** Bits that are read and not decided yet, of which the highest `#spare + 8` count. */
  #value = 0;
  #spare = -8;
  /** The size of the interval, less 1. */
  #range = 254;

  /** From byte `start` of `bytes` to byte `stop`. */
  constructor(private readonly bytes: Uint8Array, start: number, private readonly stop: number) {
    this.#at = start;
  }

  /** The next bit; `zero`: how probable a 0 is, of 256. */
  bit(zero: number): 0 | 1 {
    if (this.#spare < 0) this.#load();
    const split = this.#range * zero >> 8, found = this.#value >> this.#spare > split ? 1 : 0;
    if (found) {
      this.#range -= split + 1;
      this.#value -= split + 1 << this.#spare;
    } else this.#range = split;
    if (this.#range < 127) {
      const shift = Math.clz32(this.#range + 1) - 24;
      this.#range = (this.#range + 1 << shift) - 1;
      this.#spare -= shift;
    }
    return found;
  }

  #load(): void {
    if (this.#at >= this.stop) throw wrong("the input ends too early", this.#at);
    this.#value = this.#value << 8 | this.bytes[this.#at++]!;
    this.#spare += 8;
  }

  /** Whether the next bit is a 1, both being as probable. */
  flag(): boolean {
    return this.bit(128) === 1;
  }

  /** A number of `count` bits. */
  number(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = 2 * value + this.bit(128);
    return value;
  }

  /** A number of `count` bits, and its sign. */
  signed(count: number): number {
    const value = this.number(count);
    return this.flag() ? -value : value;
  }

  /** A number with its sign if a bit says that it is there, else 0. */
  optional(count: number): number {
    return this.flag() ? this.signed(count) : 0;
  }
}
