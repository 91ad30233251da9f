/**
 * Reads the fields of HDF5 structures one after another, and knows where in the file each lies.
 *
 * Source of all layouts in this folder: the HDF5 File Format Specification, version 3.0.
 *
 * @module
 */

import { cannot, type ErrorCode, type TilewiseError } from "../../../errors.ts";
import { lookup3 } from "../../../sinks/hdf5/lookup3.ts";

/** Bytes of a file, read from front to back; little endian, as HDF5 is. */
export class Cursor {
  /** Bytes read so far. */
  position = 0;

  /** The `length` bytes from `from` of `all`, which lie at `offset` of `file`; without these two, all of them. */
  constructor(
    private readonly all: Uint8Array,
    readonly offset: number,
    readonly file: string,
    private readonly from = 0,
    /** How many bytes there are, read and not read. */
    readonly length: number = all.length - from,
  ) {}

  /** The bytes, read and not read: those of the file's cache, not a copy. */
  get bytes(): Uint8Array {
    return this.all.subarray(this.from, this.from + this.length);
  }

  /** Bytes that are left. */
  get left(): number {
    return this.length - this.position;
  }

  /** One byte. */
  u8(): number {
    return this.all[this.#take(1)]!;
  }

  /** Two bytes. */
  u16(): number {
    const at = this.#take(2);
    return this.all[at]! | this.all[at + 1]! << 8;
  }

  /** Four bytes. */
  u32(): number {
    return this.u16() + this.u16() * 2 ** 16;
  }

  /** A number of `size` bytes that must be exact in a double. */
  uint(size: number): number {
    const start = this.#take(size);
    let value = 0;
    for (let i = size - 1; i >= 0; i--) value = value * 256 + this.all[start + i]!;
    if (Number.isSafeInteger(value)) return value;
    throw this.error("overflow", `a number of ${size} bytes is larger than 2^53`, start - this.from);
  }

  /** An address or size of `size` bytes; if all bits are 1, it is undefined. */
  optional(size: number): number | undefined {
    const start = this.position;
    for (let i = 0; i < size; i++) {
      if (this.u8() !== 255) {
        this.position = start;
        return this.uint(size);
      }
    }
    return undefined;
  }

  /** The next `length` bytes. */
  take(length: number): Uint8Array {
    const start = this.#take(length);
    return this.all.subarray(start, start + length);
  }

  /** Jumps over `length` bytes. */
  skip(length: number): void {
    this.#take(length);
  }

  /** Jumps to the next multiple of eight bytes, counted from byte `from`. */
  align8(from: number): void {
    this.skip((8 - (this.position - from) % 8) % 8);
  }

  /** `length` bytes of text, up to its first zero. */
  text(length: number): string {
    return decodeText(this.take(length));
  }

  /** Text up to a zero, which is taken too. */
  textToZero(): string {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0) throw this.error("malformed", "a text has no end", this.position);
    const text = this.text(end - this.position);
    this.skip(1);
    return text;
  }

  /** Four letters that must come now. */
  signature(expected: string): void {
    const at = this.position;
    if (this.startsWith(expected)) return this.skip(4);
    const found = String.fromCharCode(...this.take(4));
    throw this.error("malformed", `expected the signature ${expected}, found ${JSON.stringify(found)}`, at);
  }

  /** Whether these four letters come now. */
  startsWith(letters: string): boolean {
    const at = this.from + this.position;
    for (let i = 0; i < 4; i++) {
      if (this.all[at + i] !== letters.charCodeAt(i)) return false;
    }
    return this.left >= 4;
  }

  /** A version byte that must be one of `known`. */
  version(what: string, ...known: readonly number[]): number {
    const at = this.position;
    const version = this.u8();
    if (known.includes(version)) return version;
    throw this.error("unsupported", `${what} has version ${version}; known are ${known.join(", ")}`, at);
  }

  /** A part of the remaining bytes, as a separate cursor. */
  part(length: number): Cursor {
    const at = this.offset + this.position;
    return new Cursor(this.all, at, this.file, this.#take(length), length);
  }

  /** The same with a copy of its bytes, for cursors that are kept: other bytes may be large, and belong to a cache. */
  copy(): Cursor {
    return new Cursor(this.bytes.slice(), this.offset, this.file);
  }

  /** An error at `position`. */
  error(code: ErrorCode, problem: string, position: number = this.position): TilewiseError {
    const offset = this.offset + position;
    return cannot("read", this.file, code, `at byte ${offset}, ${problem}`, { offset });
  }

  /** Takes `length` bytes; where they begin in `all`. */
  #take(length: number): number {
    const start = this.from + this.position;
    if (!(length >= 0) || length > this.left) {
      throw this.error("malformed", `${length} bytes are expected, the structure has ${this.left} left`);
    }
    this.position += length;
    return start;
  }
}

/** Text up to its first zero; UTF-8, of which ASCII is a part. */
export function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const length = end < 0 ? bytes.length : end;
  let text = "";
  for (let i = 0; i < length && i < MOST_PLAIN && bytes[i]! < 128; i++) {
    text += String.fromCharCode(bytes[i]!);
  }
  return text.length === length ? text : new TextDecoder().decode(bytes.slice(0, length));
}

/** Bytes of a text in ASCII that are put together without a decoder, which takes longer to call. */
const MOST_PLAIN = 64;

// The checksum at the end of structures of the newer versions of HDF5; those of the first version have none.

/** Bytes of a checksum. */
export const CHECKSUM_BYTES = 4;

/**
 * A structure without the checksum at its end, which must be that of the bytes before it. Errors: `malformed`.
 *
 * @param what the structure in words, as in "the checksum of a B-tree"
 */
export function verified(whole: Cursor, what: string): Cursor {
  whole.position = 0;
  const body = whole.part(whole.length - CHECKSUM_BYTES);
  compare(body, whole.u32(), what);
  return body;
}

/** Refuses a structure whose bytes do not have the checksum `stored`. */
export function compare({ bytes, offset, file }: Cursor, stored: number, what: string): void {
  const computed = lookup3(bytes);
  if (computed === stored) return;
  const [expected, found] = [stored, computed].map((sum) => `0x${sum.toString(16).padStart(8, "0")}`);
  const text = `at byte ${offset}, ${what} is damaged: its checksum is ${expected}, ` +
    `that of its ${bytes.length} bytes is ${found}`;
  throw cannot("read", file, "malformed", text, { offset, expected: expected!, found: found! });
}
