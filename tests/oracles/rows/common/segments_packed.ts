/**
 * LZW and PackBits for the rows of kernels that unpack them, written by a few plain lines; every third call is damaged.
 *
 * @module
 */

import type { Sizes } from "./describe.ts";
import { maybeDamaged, once, type Packed, randomOf } from "./packed.ts";

/** Bytes with repeats: runs, few symbols, noise. */
function plainBytes({ pixels, seed }: Sizes): number[] {
  const random = randomOf(seed);
  const bytes: number[] = [];
  const values = [1, 2, 3, 256][random(4)]!;
  while (bytes.length < pixels) {
    const byte = random(values);
    for (let n = random(5) ? 1 : 1 + random([9, 300][random(2)]!); n > 0; n--) bytes.push(byte);
  }
  return bytes;
}

/** LZW with the highest bit first. Writers differ in when they clear the table, and some write no code for the end. */
export const lzwPacked: (sizes: Sizes) => Packed = once((sizes) => lzw(sizes, false));
/** LZW with the lowest bit first. */
export const lzwOldPacked: (sizes: Sizes) => Packed = once((sizes) => lzw(sizes, true));

function lzw(sizes: Sizes, isOld: boolean): Packed {
  const plain = plainBytes(sizes);
  const clearAt = [300, 511, 600, 4093, 4094, 4095, 4096][sizes.seed % 7]!;
  const bits = new LzwBits(isOld);
  let strings = new Map<string, number>();
  let next = 258;
  let text = "";
  const codeOf = (key: string) => key.length === 1 ? key.charCodeAt(0) : strings.get(key)!;
  const put = (code: number) => bits.put(code, widthFor(next, isOld));
  put(256);
  for (const byte of plain) {
    const longer = text + String.fromCharCode(byte);
    if (longer.length === 1 || strings.has(longer)) {
      text = longer;
      continue;
    }
    put(codeOf(text));
    strings.set(longer, next++);
    text = String.fromCharCode(byte);
    if (next < clearAt) continue;
    put(256);
    strings = new Map();
    next = 258;
  }
  if (text) {
    put(codeOf(text));
    next++;
  }
  if (sizes.seed % 5) put(257);
  return { bytes: plain.length, packed: maybeDamaged(bits.bytes, sizes) };
}

/** Bits of the next code of a writer that has `next - 1` as its last string: its reader is one string behind. */
function widthFor(next: number, isOld: boolean): number {
  const behind = Math.max(258, next - 1) + (isOld ? 0 : 1);
  return Math.min(12, Math.max(9, 32 - Math.clz32(behind)));
}

/** A stream of bits, the highest or the lowest bit of a byte first. */
class LzwBits {
  readonly bytes: number[] = [];
  #used = 8;

  constructor(private readonly isOld: boolean) {}

  put(value: number, count: number): void {
    for (let i = 0; i < count; i++) {
      if (this.#used === 8) {
        this.bytes.push(0);
        this.#used = 0;
      }
      const bit = this.isOld ? value >> i & 1 : value >> count - 1 - i & 1;
      this.bytes[this.bytes.length - 1]! |= bit << (this.isOld ? this.#used : 7 - this.#used);
      this.#used++;
    }
  }
}

/** PackBits: runs of up to 128 bytes, bytes as they are, and controls that say nothing. */
export const packbitsPacked: (sizes: Sizes) => Packed = once((sizes) => {
  const plain = plainBytes(sizes);
  const random = randomOf(sizes.seed);
  const packed: number[] = [];
  for (let at = 0; at < plain.length;) {
    let run = 1;
    while (run < 128 && plain[at + run] === plain[at]) run++;
    if (random(9) === 0) packed.push(128);
    if (run > 1) packed.push(257 - run, plain[at]!);
    else {
      run = Math.min(plain.length - at, 1 + random(128));
      packed.push(run - 1, ...plain.slice(at, at + run));
    }
    at += run;
  }
  return { bytes: plain.length, packed: maybeDamaged(packed, sizes) };
});
