/**
 * Checks the frames and blocks of Zstandard without unpacking them, so that the library gets only complete frames of
 * bounded size: it would wait forever for the rest of a frame that is cut off.
 *
 * ```
 * frame    magic₄  descriptor₁  window₀₁  dictionary₀₋₄  content size₀₋₈  block …  checksum₀₄
 * block    last : 1 bit, kind : 2 bits, size : 21 bits  bytes: `size` (raw, packed) or 1 (repeated)
 * ```
 * Source: RFC 8878, sections 3.1.1 and 3.1.2.
 *
 * @module
 */

import { filterError } from "./common/filter.ts";

const NAME = "Zstandard";
const MAGIC = 0xfd2fb528;
/** A frame of other data: the last hexadecimal digit is free. */
const SKIPPED = 0x184d2a50;
/** Most bytes that a block unpacks to. */
const MOST_OF_BLOCK = 128 * 1024;
/** Most bytes that are unpacked before the size is known to be wrong: this, or so many times what is expected. */
const SURPLUS = { bytes: 64 * 2 ** 20, times: 16 } as const;

/**
 * Refuses frames that are cut off, bytes that are not frames, and frames that unpack to more than `room` bytes. Errors:
 * `malformed`, with the place in the input.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 17, 0, 0, 7, 8); // two raw bytes
 * checkZstd(frame, 2);
 * assertThrows(() => checkZstd(frame, 1), Error, "2 bytes");
 * assertThrows(() => checkZstd(frame.subarray(0, 10), 2), Error, "cut off");
 * ```
 */
export function checkZstd(input: Uint8Array, room: number): void {
  const walk = new Walk(input);
  if (input.length === 0) throw walk.wrong("there is nothing");
  while (walk.at < input.length) walk.frame();
  if (walk.least > room) {
    const text = `it has ${walk.least} bytes at least; ${room} are expected`;
    throw filterError(NAME, text, { expected: room, found: walk.least });
  }
  if (walk.most > Math.max(SURPLUS.bytes, SURPLUS.times * room)) {
    throw filterError(NAME, `its blocks may have ${walk.most} bytes; ${room} are expected`, {
      expected: room,
    });
  }
}

/** One pass over an input. */
class Walk {
  /** How far it has come. */
  at = 0;
  /** Bytes that come out at least, and at most. */
  least = 0;
  most = 0;
  readonly #view: DataView;

  constructor(input: Uint8Array) {
    this.#view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  }

  frame(): void {
    const magic = this.#number(4);
    if ((magic & ~15) >>> 0 === SKIPPED) return this.#skip(this.#number(4));
    if (magic !== MAGIC) throw this.wrong(`a frame begins with ${magic.toString(16)}`);
    const descriptor = this.#number(1);
    if (descriptor & 8) throw this.wrong("a reserved bit is set");
    const isSingle = (descriptor & 32) !== 0;
    this.#skip((isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!);
    const claimed = this.#claimed(descriptor >> 6, isSingle);
    const before = { least: this.least, most: this.most };
    while (!this.#block());
    if (descriptor & 4) this.#skip(4);
    if (claimed === undefined) return;
    this.least = before.least + Math.max(claimed, this.least - before.least);
    this.most = before.most + claimed;
  }

  wrong(problem: string): Error {
    return filterError(NAME, `${problem}, at its byte ${this.at}`, { place: this.at });
  }

  /** The size that a header claims, if it does. */
  #claimed(flag: number, isSingle: boolean): number | undefined {
    if (flag === 0) return isSingle ? this.#number(1) : undefined;
    if (flag === 1) return this.#number(2) + 256;
    const low = this.#number(4);
    return flag === 2 ? low : low + 2 ** 32 * this.#number(4);
  }

  /** Moves past a block; returns whether it was the last of its frame. */
  #block(): boolean {
    const header = this.#number(3);
    const [kind, size] = [header >> 1 & 3, header >> 3];
    if (kind === 3 || size > MOST_OF_BLOCK) throw this.wrong(`a block of kind ${kind} says ${size} bytes`);
    this.#skip(kind === 1 ? 1 : size);
    this.least += kind === 2 ? 0 : size;
    this.most += kind === 2 ? MOST_OF_BLOCK : size;
    return (header & 1) === 1;
  }

  #number(bytes: number): number {
    const first = this.at;
    this.#skip(bytes);
    let value = 0;
    for (let i = bytes - 1; i >= 0; i--) value = value * 256 + this.#view.getUint8(first + i);
    return value;
  }

  #skip(bytes: number): void {
    if (this.at + bytes > this.#view.byteLength) throw this.wrong("it is cut off");
    this.at += bytes;
  }
}
