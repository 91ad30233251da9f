/**
 * Bits of the entropy-coded part of a JPEG image, one by one, and what kernels keep between calls.
 *
 * @module
 */

import { STOPPED } from "../../../../src/kernels/families/jpeg_stops.ts";

/** Thrown inside of twins. */
export class Stop {
  /** For a reason. */
  constructor(readonly code: number) {}
}

/** Where tables of a code lie in what `jpeg_codes` makes. */
export const CODE = { quick: 0, ends: 4096, offsets: 4168, symbols: 4240, bytes: 4496 } as const;

/** Bits that one look-up of a code takes. */
export const QUICK = 10;

/** Places of coefficients in the order in which they are stored; the last one again for those that are too many. */
export const NATURAL: readonly number[] = [...zigzag(), ...Array(16).fill(63)];

function zigzag(): number[] {
  const places = Array.from({ length: 64 }, (_, i) => [i >> 3, i & 7] as const);
  places.sort(([y, x], [b, a]) => x + y - a - b || ((x + y) % 2 ? y - b : x - a));
  return places.map(([y, x]) => 8 * y + x);
}

/** The bits of a scan from where the state says on. */
export class Bits {
  #at: number;
  #bit: number;
  /** Whether bits were taken that are not in the image. */
  isCut = false;

  /** Of `bytes`; `state` is that of the kernels. */
  constructor(private readonly bytes: Uint8Array, readonly state: Int32Array) {
    this.#at = Math.min(state[0]! >>> 0, bytes.length);
    this.#bit = state[1]! & 7;
    this.isCut = this.#bit > 0 && this.#byte() === undefined; // bits were taken of a byte that is not there
  }

  /** The byte of the next bit; `undefined` at the end, or a marker. */
  #byte(): number | undefined {
    const byte = this.bytes[this.#at];
    return byte === 0xff && this.bytes[this.#at + 1] !== 0 ? undefined : byte;
  }

  /** The byte of the next bit. */
  get place(): number {
    return this.#at;
  }

  /** Keeps where the next call begins. */
  keep(): void {
    this.state[0] = this.#at;
    this.state[1] = this.#bit;
  }

  /** The next bit; beyond the end, or a marker, 0. */
  next(): number {
    const byte = this.#byte();
    if (byte === undefined) {
      this.isCut = true;
      return 0;
    }
    const bit = byte >> 7 - this.#bit & 1;
    this.#bit = (this.#bit + 1) % 8;
    if (this.#bit === 0) this.#at += byte === 0xff ? 2 : 1;
    return bit;
  }

  /** The next `n` bits as a number. */
  take(n: number): number {
    let value = 0;
    for (let i = 0; i < n; i++) value = 2 * value + this.next();
    return value;
  }

  /** A signed number of `n` bits: those that begin with 0 are negative. */
  signed(n: number): number {
    const value = this.take(n);
    return n > 0 && value < 2 ** (n - 1) ? value - 2 ** n + 1 : value;
  }

  /** The next symbol of the code whose tables are `code`. */
  symbol(code: DataView): number {
    let word = 0;
    for (let length = 1; length <= 16; length++) {
      word = 2 * word + this.next();
      if (word << 16 - length >= code.getUint32(CODE.ends + 4 * length, true)) continue;
      return code.getUint8(CODE.symbols + (word + code.getInt32(CODE.offsets + 4 * length, true) & 255));
    }
    throw new Stop(STOPPED.noCode);
  }

  /** Before a unit: counts it, and goes on behind a restart marker if one is due; whether it was. */
  unit(interval: number): boolean {
    const { state } = this;
    if (interval === 0) return false;
    const isDue = state[2] === 0;
    if (isDue) {
      this.#restart();
      state.fill(0, 3, 8);
      state[2] = interval;
    }
    state[2]!--;
    return isDue;
  }

  #restart(): void {
    if (this.isCut) throw new Stop(STOPPED.inputEnds);
    const { bytes } = this;
    if (this.#bit > 0) this.#at += bytes[this.#at] === 0xff ? 2 : 1;
    this.#bit = 0;
    const isMarker = (at: number) => bytes[at] === 0xff && bytes[at + 1] !== 0 && bytes[at + 1] !== 0xff;
    let at = this.#at;
    while (at + 1 < bytes.length && !isMarker(at)) at++;
    if (at + 1 >= bytes.length || (bytes[at + 1]! & 0xf8) !== 0xd0) throw new Stop(STOPPED.noMarker);
    this.#at = at + 2;
  }
}

/** Runs a twin that reads bits, and writes `status`. */
export function readBits(
  memory: WebAssembly.Memory,
  [status, state, src, length]: readonly [number, number, number, number],
  work: (bits: Bits, place: (at: number) => void) => void,
): void {
  const kept = new Int32Array(8), bytes = new Uint8Array(memory.buffer);
  const view = new Uint8Array(kept.buffer);
  view.set(bytes.subarray(state, state + 32));
  const bits = new Bits(bytes.subarray(src, src + length), kept);
  let result = 0, start = 0;
  try {
    work(bits, (at) => start = at);
    bits.keep();
    start = 0;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    result = error.code;
  }
  bytes.set(view, state);
  const out = new DataView(memory.buffer);
  out.setInt32(status, result, true);
  out.setInt32(status + 4, start, true);
}
