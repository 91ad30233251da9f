/**
 * Bits of lossless WebP pictures, the lowest of a byte first, and their prefix codes.
 *
 * @module
 */

import { filterError } from "../common/filter.ts";

/** An error in a WebP picture, at a byte of it. */
export function wrong(problem: string, place: number): Error {
  return filterError("webp", `${problem}, at its byte ${place}`, { place });
}

/** Bits that one look at the table of a code takes. */
const LOOK = 8;

/** Reads bits; what is taken behind the end throws. */
export class Bits {
  #bit: number;

  /** From byte `at` of `bytes` on. */
  constructor(readonly bytes: Uint8Array, at: number) {
    this.#bit = 8 * at;
  }

  /** The byte that is read. */
  get place(): number {
    return this.#bit >> 3;
  }

  /** The next 16 bits, without taking them; zeros behind the end. */
  look(): number {
    const at = this.#bit >> 3, { bytes } = this;
    const word = (bytes[at] ?? 0) | (bytes[at + 1] ?? 0) << 8 | (bytes[at + 2] ?? 0) << 16;
    return word >> (this.#bit & 7) & 0xffff;
  }

  /** Moves on. */
  skip(count: number): void {
    this.#bit += count;
    if (this.#bit > 8 * this.bytes.length) throw wrong("the input ends too early", this.bytes.length);
  }

  /** The next `count` bits, 0 to 25, as a number. */
  take(count: number): number {
    if (count > 16) {
      const low = this.take(16);
      return low | this.take(count - 16) << 16;
    }
    const value = this.look() & (1 << count) - 1;
    this.skip(count);
    return value;
  }
}

const NONE = new Uint16Array();

/** A prefix code, whose words are in the order of their lengths and symbols. */
export class PrefixCode {
  /** For the next eight bits: 4096 times the length of the word, and the symbol; 0 for a longer word. */
  #quick = NONE;
  readonly #counts = new Uint16Array(16);
  readonly #symbols: Uint16Array;
  /** The only symbol, whose word has no bits. */
  readonly #only: number | undefined;

  /** From the length of the word of each symbol. */
  constructor(lengths: Uint8Array, place: number) {
    for (const length of lengths) this.#counts[length]!++;
    this.#counts[0] = 0;
    const starts = new Uint16Array(17);
    let left = 1;
    for (let length = 1; length <= 15; length++) {
      starts[length + 1] = starts[length]! + this.#counts[length]!;
      left = 2 * left - this.#counts[length]!;
      if (left < 0) throw wrong("a prefix code has too many words", place);
    }
    this.#symbols = new Uint16Array(starts[16]!);
    const next = starts.slice();
    lengths.forEach((length, symbol) => {
      if (length > 0) this.#symbols[next[length]!++] = symbol;
    });
    if (starts[16]! <= 1) this.#only = this.#symbols[0] ?? 0;
    else if (left > 0) throw wrong("a prefix code is incomplete", place);
    else this.#fill();
  }

  #fill(): void {
    this.#quick = new Uint16Array(1 << LOOK);
    let code = 0, k = 0;
    for (let length = 1; length <= LOOK; length++, code <<= 1) {
      for (let i = 0; i < this.#counts[length]!; i++, code++, k++) {
        let reversed = 0;
        for (let b = 0; b < length; b++) reversed |= (code >> b & 1) << length - 1 - b;
        for (let at = reversed; at < 1 << LOOK; at += 1 << length) {
          this.#quick[at] = length << 12 | this.#symbols[k]!;
        }
      }
    }
  }

  /** The next symbol. */
  symbol(bits: Bits): number {
    if (this.#only !== undefined) return this.#only;
    const next = bits.look(), quick = this.#quick[next & 0xff]!;
    if (quick !== 0) {
      bits.skip(quick >> 12);
      return quick & 0xfff;
    }
    let code = 0, first = 0, index = 0;
    for (let length = 1; length <= 15; length++) {
      code |= next >> length - 1 & 1;
      const count = this.#counts[length]!;
      if (code - first < count) {
        bits.skip(length);
        return this.#symbols[index + code - first]!;
      }
      index += count;
      first = first + count << 1;
      code <<= 1;
    }
    throw wrong("bits stand for nothing", bits.place);
  }
}

const ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** Reads a prefix code of `size` symbols. */
export function readCode(bits: Bits, size: number): PrefixCode {
  const lengths = new Uint8Array(size), { place } = bits;
  if (bits.take(1)) { // one symbol or two
    const count = bits.take(1) + 1;
    const symbols = [bits.take(bits.take(1) ? 8 : 1), ...(count > 1 ? [bits.take(8)] : [])];
    if (symbols.some((symbol) => symbol >= size)) throw wrong("a prefix code has unknown symbols", place);
    for (const symbol of symbols) lengths[symbol] = 1;
    return new PrefixCode(lengths, place);
  }
  const own = new Uint8Array(19);
  for (let i = 0, count = 4 + bits.take(4); i < count; i++) own[ORDER[i]!] = bits.take(3);
  const code = new PrefixCode(own, place);
  let left = bits.take(1) ? 2 + bits.take(2 + 2 * bits.take(3)) : size;
  for (let i = 0, last = 8; i < size && left > 0; left--) {
    const symbol = code.symbol(bits);
    if (symbol < 16) {
      lengths[i++] = symbol;
      if (symbol > 0) last = symbol;
      continue;
    }
    const value = symbol === 16 ? last : 0;
    const count = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    if (i + count > size) throw wrong("a prefix code has too many words", bits.place);
    lengths.fill(value, i, i + count);
    i += count;
  }
  return new PrefixCode(lengths, place);
}

// Bits of WebP pictures with losses, each coded with how probable a 0 is.
//
// Source: RFC 6386, section 7.

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
