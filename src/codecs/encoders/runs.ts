/**
 * Packs bytes as TIFF has them, with LZW or as PackBits does: runs of a byte, and literal bytes. Source: TIFF revision 6.0, section 9.
 *
 * @module
 */

import type { Encode } from "./encoder.ts";

/** Most bytes of a run, of either kind. */
const MOST = 128;

/** Packs rows one by one, as TIFF asks; values: bytes per row. */
export const packbits: Encode = (bytes, [row = bytes.length]) => {
  const out = new Uint8Array(bytes.length + Math.ceil(row / MOST) * Math.ceil(bytes.length / row));
  let to = 0;
  for (let start = 0; start < bytes.length; start += row) {
    to = packRow(bytes, start, Math.min(start + row, bytes.length), out, to);
  }
  return out.slice(0, to);
};

function packRow(bytes: Uint8Array, start: number, stop: number, out: Uint8Array, to: number): number {
  for (let at = start; at < stop;) {
    const run = runAt(bytes, at, stop);
    if (run >= 3) {
      out[to++] = 257 - run;
      out[to++] = bytes[at]!;
      at += run;
      continue;
    }
    const first = at;
    while (at < stop && at - first < MOST && runAt(bytes, at, Math.min(stop, at + 3)) < 3) at++;
    out[to++] = at - first - 1;
    out.set(bytes.subarray(first, at), to);
    to += at - first;
  }
  return to;
}

/** Equal bytes from `at` on, at most {@link MOST}. */
function runAt(bytes: Uint8Array, at: number, stop: number): number {
  const end = Math.min(stop, at + MOST);
  let next = at + 1;
  while (next < end && bytes[next] === bytes[at]) next++;
  return next - at;
}

// Packs bytes with LZW as TIFF does: codes of 9 to 12 bits, the highest bit first. Source: TIFF revision 6.0, section 13.

const [CLEAR, END, FIRST] = [256, 257, 258];
/** The table is cleared when it has this many entries, one before codes would have 13 bits. */
const FULL = 4094;

/** Slots of the table of strings: a prefix and a byte find a code. A power of two, more than twice the codes. */
const SLOTS = 16384;

/** Packs. */
export const lzw: Encode = (bytes) => {
  const out = new Bits(bytes.length);
  const keys = new Int32Array(SLOTS).fill(-1);
  const codes = new Int16Array(SLOTS);
  let [next, bits] = [FIRST, 9];
  out.put(CLEAR, bits);
  let prefix = bytes.length > 0 ? bytes[0]! : -1;
  for (let at = 1; at < bytes.length; at++) {
    const key = prefix << 8 | bytes[at]!;
    let slot = (key * 0x9e5 ^ key >>> 7) & SLOTS - 1;
    while (keys[slot] !== key && keys[slot] !== -1) slot = slot + 1 & SLOTS - 1;
    if (keys[slot] === key) {
      prefix = codes[slot]!;
      continue;
    }
    out.put(prefix, bits);
    keys[slot] = key;
    codes[slot] = next++;
    prefix = bytes[at]!;
    if (next === FULL) {
      out.put(CLEAR, bits);
      keys.fill(-1);
      [next, bits] = [FIRST, 9];
    } else if (next === 1 << bits) bits++;
  }
  return finish(out, prefix, next, bits);
};

/** The last code, and the end; the reader has added one more entry by then. */
function finish(out: Bits, prefix: number, next: number, bits: number): Uint8Array<ArrayBuffer> {
  if (prefix >= 0) {
    out.put(prefix, bits);
    if (next + 1 === 1 << bits && bits < 12) bits++;
  }
  out.put(END, bits);
  return out.end();
}

/** Bits, the highest of a byte first. */
class Bits {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #held = 0;
  #count = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected + 64);
  }

  put(code: number, bits: number): void {
    this.#held = this.#held << bits | code;
    this.#count += bits;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#byte(this.#held >>> this.#count & 255);
    }
    this.#held &= (1 << this.#count) - 1;
  }

  end(): Uint8Array<ArrayBuffer> {
    if (this.#count > 0) this.#byte(this.#held << 8 - this.#count & 255);
    return this.#bytes.slice(0, this.#length);
  }

  #byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const wider = new Uint8Array(2 * this.#length);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    this.#bytes[this.#length++] = value;
  }
}
