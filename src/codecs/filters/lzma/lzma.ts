/**
 * The LZMA decoder: literals and matches, each bit of which is coded with a probability that adapts.
 *
 * Source: Igor Pavlov, "LZMA specification".
 *
 * @module
 */

import { filterError } from "../common/filter.ts";

/** An error at a byte of the input. */
export function wrong(problem: string, place: number): Error {
  return filterError("lzma", `${problem}, at its byte ${place}`, { place });
}

const START = 1024; // a probability of one half

/** Probabilities of the lengths of matches. */
class Lengths {
  readonly choice = new Uint16Array(2).fill(START);
  readonly low = new Uint16Array(16 * 8).fill(START);
  readonly middle = new Uint16Array(16 * 8).fill(START);
  readonly high = new Uint16Array(256).fill(START);
}

/** Decodes LZMA from `input` to `output`; what is written is its dictionary. */
export class Lzma {
  /** The next byte of the input, and the end of what may be read. */
  at = 0;
  end: number;
  /** Bytes written. */
  to = 0;
  /** The first byte of the output that matches may refer to. */
  start = 0;
  #range = 0;
  #code = 0;
  #state = 0;
  #back = [0, 0, 0, 0];
  #literalBits = 0;
  #literalMask = 0;
  #placeMask = 0;
  #literals = new Uint16Array();
  #isMatch = new Uint16Array();
  #isBack = new Uint16Array();
  #isBack0 = new Uint16Array();
  #isBack1 = new Uint16Array();
  #isBack2 = new Uint16Array();
  #isLong = new Uint16Array();
  #slots = new Uint16Array();
  #special = new Uint16Array();
  #align = new Uint16Array();
  #lengths = new Lengths();
  #backLengths = new Lengths();

  constructor(readonly input: Uint8Array, readonly output: Uint8Array) {
    this.end = input.length;
  }

  /** Sets lc, lp and pb, as one byte, and starts anew. */
  setProperties(byte: number): void {
    if (byte >= 225) throw wrong(`the properties ${byte} are not valid`, this.at);
    this.#literalBits = byte % 9;
    this.#literalMask = (1 << Math.floor(byte / 9) % 5) - 1;
    this.#placeMask = (1 << Math.floor(byte / 45)) - 1;
    this.reset();
  }

  /** Forgets what was learned. */
  reset(): void {
    const half = (count: number) => new Uint16Array(count).fill(START);
    this.#state = 0;
    this.#back = [0, 0, 0, 0];
    this.#literals = half(0x300 * (this.#literalMask + 1) << this.#literalBits);
    [this.#isMatch, this.#isLong] = [half(12 * 16), half(12 * 16)];
    [this.#isBack, this.#isBack0, this.#isBack1, this.#isBack2] = [half(12), half(12), half(12), half(12)];
    [this.#slots, this.#special, this.#align] = [half(4 * 64), half(128), half(16)];
    [this.#lengths, this.#backLengths] = [new Lengths(), new Lengths()];
  }

  /** Reads the first bytes of a coded part. */
  begin(): void {
    if (this.#byte() !== 0) throw wrong("the first byte is not 0", this.at - 1);
    this.#code = 0;
    for (let i = 0; i < 4; i++) this.#code = (this.#code << 8 | this.#byte()) >>> 0;
    this.#range = 0xffffffff;
  }

  /** Writes up to `stop` bytes; whether there was a mark of the end. */
  decode(stop: number): boolean {
    const { output } = this;
    while (this.to < stop) {
      const place = (this.to - this.start) & this.#placeMask, state = this.#state;
      if (this.#bit(this.#isMatch, state * 16 + place) === 0) {
        this.#literal();
        this.#state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
        continue;
      }
      const length = this.#bit(this.#isBack, state) === 0 ? this.#match(place) : this.#repeat(place);
      const distance = this.#back[0]! + 1;
      if (distance === 2 ** 32) return true;
      if (distance > this.to - this.start) throw wrong("a match begins before the first byte", this.at);
      const last = this.to + length;
      if (last > stop) throw wrong("it gives more bytes than there is room for", this.at);
      for (; this.to < last; this.to++) output[this.to] = output[this.to - distance]!;
    }
    return false;
  }

  /** After the last byte: the mark of the end, if there is one. */
  decodeEnd(): void {
    if (this.at >= this.end && this.#code === 0) return;
    const place = (this.to - this.start) & this.#placeMask;
    if (this.#code === 0) return;
    if (this.#bit(this.#isMatch, this.#state * 16 + place) === 0 || this.#bit(this.#isBack, this.#state)) {
      throw wrong("it gives more bytes than there is room for", this.at);
    }
    this.#match(place);
    if (this.#back[0] !== 0xffffffff) throw wrong("it gives more bytes than there is room for", this.at);
  }

  #byte(): number {
    if (this.at >= this.end) throw wrong("the input ends too early", this.at);
    return this.input[this.at++]!;
  }

  #bit(table: Uint16Array, i: number): number {
    if (this.#range < 0x1000000) {
      this.#range = this.#range << 8 >>> 0;
      this.#code = (this.#code << 8 | this.#byte()) >>> 0;
    }
    const probability = table[i]!;
    const bound = (this.#range >>> 11) * probability;
    if (this.#code < bound) {
      this.#range = bound;
      table[i] = probability + (2048 - probability >> 5);
      return 0;
    }
    this.#range -= bound;
    this.#code -= bound;
    table[i] = probability - (probability >> 5);
    return 1;
  }

  #direct(count: number): number {
    let value = 0;
    for (; count > 0; count--) {
      if (this.#range < 0x1000000) {
        this.#range = this.#range << 8 >>> 0;
        this.#code = (this.#code << 8 | this.#byte()) >>> 0;
      }
      this.#range >>>= 1;
      const bit = this.#code >= this.#range ? 1 : 0;
      if (bit) this.#code -= this.#range;
      value = value * 2 + bit;
    }
    return value;
  }

  /** `bits` bits of a tree at `first`, the highest first. */
  #tree(table: Uint16Array, first: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node << 1 | this.#bit(table, first + node);
    return node - (1 << bits);
  }

  /** The same, the lowest first. */
  #treeBack(table: Uint16Array, first: number, bits: number): number {
    let node = 1, value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(table, first + node);
      node = node << 1 | bit;
      value |= bit << i;
    }
    return value;
  }

  #literal(): void {
    const { output } = this;
    const at = this.to - this.start, before = at > 0 ? output[this.to - 1]! : 0;
    const which = ((at & this.#literalMask) << this.#literalBits) + (before >> 8 - this.#literalBits);
    const first = 0x300 * which;
    let symbol = 1;
    if (this.#state >= 7) {
      const distance = this.#back[0]! + 1;
      if (distance > at) throw wrong("a match begins before the first byte", this.at);
      let other = output[this.to - distance]!;
      while (symbol < 0x100) {
        const expected = other >> 7 & 1;
        other <<= 1;
        const bit = this.#bit(this.#literals, first + (1 + expected << 8) + symbol);
        symbol = symbol << 1 | bit;
        if (bit !== expected) break;
      }
    }
    while (symbol < 0x100) symbol = symbol << 1 | this.#bit(this.#literals, first + symbol);
    output[this.to++] = symbol;
  }

  #length(lengths: Lengths, place: number): number {
    if (this.#bit(lengths.choice, 0) === 0) return 2 + this.#tree(lengths.low, place * 8, 3);
    if (this.#bit(lengths.choice, 1) === 0) return 10 + this.#tree(lengths.middle, place * 8, 3);
    return 18 + this.#tree(lengths.high, 0, 8);
  }

  #match(place: number): number {
    const length = this.#length(this.#lengths, place);
    this.#state = this.#state < 7 ? 7 : 10;
    this.#back = [this.#distance(length), this.#back[0]!, this.#back[1]!, this.#back[2]!];
    return length;
  }

  #distance(length: number): number {
    const slot = this.#tree(this.#slots, 64 * Math.min(length - 2, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1, first = (2 | slot & 1) * 2 ** bits;
    if (slot < 14) return first + this.#treeBack(this.#special, first - slot, bits);
    return first + this.#direct(bits - 4) * 16 + this.#treeBack(this.#align, 0, 4);
  }

  /** A match at one of the last four distances. */
  #repeat(place: number): number {
    const state = this.#state, [a, b, c, d] = this.#back as [number, number, number, number];
    if (this.#bit(this.#isBack0, state) === 0) {
      if (this.#bit(this.#isLong, state * 16 + place) === 0) {
        this.#state = state < 7 ? 9 : 11;
        return 1;
      }
    } else if (this.#bit(this.#isBack1, state) === 0) this.#back = [b, a, c, d];
    else if (this.#bit(this.#isBack2, state) === 0) this.#back = [c, a, b, d];
    else this.#back = [d, a, b, c];
    const length = this.#length(this.#backLengths, place);
    this.#state = state < 7 ? 8 : 11;
    return length;
  }
}
