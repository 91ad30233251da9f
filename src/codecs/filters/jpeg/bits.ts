/**
 * Bits of the entropy-coded part of a JPEG image, and Huffman codes.
 *
 * @module
 */

import { filterError } from "../common/filter.ts";

/** An error in a JPEG image, at a byte of it. */
export function wrong(problem: string, place: number): Error {
  return filterError("jpeg", `${problem}, at its byte ${place}`, { place });
}

/** Bits that one look at the table of a code takes. */
const LOOK = 9;

/** A Huffman code. */
export class HuffmanCode {
  /** For the next nine bits: length of the code and symbol, or 0 for a longer code. */
  readonly quick = new Uint16Array(1 << LOOK);
  /** The largest code of each length, shifted to 16 bits, plus one; 0: none. */
  readonly ends = new Int32Array(18);
  /** What is added to a code of each length to get the place of its symbol. */
  readonly offsets = new Int32Array(17);

  /** From the number of codes of each length, and their symbols. */
  constructor(counts: Uint8Array, readonly symbols: Uint8Array, place: number) {
    let code = 0, k = 0;
    for (let length = 1; length <= 16; length++) {
      const count = counts[length - 1]!;
      this.offsets[length] = k - code;
      if (code + count > 1 << length) throw wrong("a Huffman table has too many codes", place);
      for (let i = 0; i < count; i++, code++, k++) {
        if (length > LOOK) continue;
        const first = code << LOOK - length;
        this.quick.fill(length << 8 | symbols[k]!, first, first + (1 << LOOK - length));
      }
      this.ends[length] = code << 16 - length;
      code <<= 1;
    }
    this.ends[17] = 1 << 17;
  }
}

/** Reads bits, the highest first, up to the next marker; beyond it there are zeros. */
export class BitReader {
  #bits = 0;
  #count = 0;
  /** Zeros at the end that are not in the image. */
  #invented = 0;

  /** From byte `at` of `bytes` on. */
  constructor(readonly bytes: Uint8Array, public at: number) {}

  /** Makes at least 16 bits available. */
  #fill(): void {
    while (this.#count <= 24) {
      let byte = 0;
      const { bytes, at } = this;
      if (at < bytes.length && (bytes[at] !== 0xff || bytes[at + 1] === 0)) {
        byte = bytes[at]!;
        this.at += byte === 0xff ? 2 : 1;
      } else this.#invented += 8;
      this.#bits |= byte << 24 - this.#count;
      this.#count += 8;
    }
  }

  /** The next `n` bits, 0 to 16, as a number. */
  take(n: number): number {
    if (n === 0) return 0;
    if (this.#count < n) this.#fill();
    const value = this.#bits >>> 32 - n;
    this.#bits <<= n;
    this.#count -= n;
    return value;
  }

  /** The next symbol of a code. */
  symbol(code: HuffmanCode): number {
    if (this.#count < 16) this.#fill();
    const found = code.quick[this.#bits >>> 32 - LOOK]!;
    if (found !== 0) {
      this.#bits <<= found >> 8;
      this.#count -= found >> 8;
      return found & 255;
    }
    const next = this.#bits >>> 16;
    let length = LOOK + 1;
    while (next >= code.ends[length]!) length++;
    if (length > 16) throw wrong("bits are no Huffman code", this.at);
    this.#bits <<= length;
    this.#count -= length;
    return code.symbols[(next >>> 16 - length) + code.offsets[length]!] ?? 0;
  }

  /** A signed number of `n` bits: those that begin with 0 are negative. */
  signed(n: number): number {
    if (n === 0) return 0;
    const value = this.take(n);
    return value < 1 << n - 1 ? value - (1 << n) + 1 : value;
  }

  /** Throws if bits were taken that are not there. */
  check(): void {
    if (this.#invented > this.#count) throw wrong("the image is cut off", this.at);
  }

  /** Moves past a restart marker. */
  restart(): void {
    this.check();
    const { bytes } = this;
    while (bytes[this.at] === 0xff && bytes[this.at + 1] === 0xff) this.at++;
    if (bytes[this.at] !== 0xff || (bytes[this.at + 1]! & 0xf8) !== 0xd0) {
      throw wrong("a restart marker is missing", this.at);
    }
    this.at += 2;
    this.#bits = this.#count = this.#invented = 0;
  }
}
