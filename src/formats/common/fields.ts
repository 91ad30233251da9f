/**
 * Fields of binary headers at fixed places, checked against the end of the bytes that were read.
 *
 * @module
 */

import { cannot, type ErrorCode, type TilewiseError } from "../../errors.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import type { ByteOrder } from "../../space/dtype.ts";

/** The first bytes of a file, or of a structure in it; its numbers are read by their places. */
export class Fields {
  readonly #view: DataView;
  readonly #little: boolean;

  /**
   * @param bytes what was read
   * @param file name for messages
   * @param byteOrder byte order of the numbers
   * @param offset where the bytes lie in the file
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly file: string,
    readonly byteOrder: ByteOrder = "little",
    readonly offset = 0,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = byteOrder === "little";
  }

  /** Reads the `length` bytes at `at`; `truncated` where the file ends before. */
  static async read(
    source: ByteSource,
    at: number,
    length: number,
    byteOrder: ByteOrder = "little",
    signal?: AbortSignal,
  ): Promise<Fields> {
    const fields = new Fields(await readUpTo(source, at, length, signal), source.name, byteOrder, at);
    fields.need(0, length);
    return fields;
  }

  /** Unsigned byte. */
  u8(at: number): number {
    return this.#view.getUint8(this.need(at, 1));
  }

  /** Unsigned 16-bit number. */
  u16(at: number): number {
    return this.#view.getUint16(this.need(at, 2), this.#little);
  }

  /** Unsigned 32-bit number. */
  u32(at: number): number {
    return this.#view.getUint32(this.need(at, 4), this.#little);
  }

  /** Signed 32-bit number. */
  i32(at: number): number {
    return this.#view.getInt32(this.need(at, 4), this.#little);
  }

  /** Unsigned 64-bit number that must be exact in a double. */
  u64(at: number): number {
    const value = Number(this.#view.getBigUint64(this.need(at, 8), this.#little));
    if (Number.isSafeInteger(value)) return value;
    throw this.error("malformed", `a number of 64 bits is larger than 2^53`, at);
  }

  /** 32-bit float. */
  f32(at: number): number {
    return this.#view.getFloat32(this.need(at, 4), this.#little);
  }

  /** 64-bit float. */
  f64(at: number): number {
    return this.#view.getFloat64(this.need(at, 8), this.#little);
  }

  /** Latin-1 text of `length` bytes, up to its first zero. */
  text(at: number, length: number): string {
    const bytes = this.bytes.subarray(this.need(at, length), at + length);
    const end = bytes.indexOf(0);
    return String.fromCharCode(...(end < 0 ? bytes : bytes.subarray(0, end))).trim();
  }

  /** The `length` bytes at `at`. */
  part(at: number, length: number): Fields {
    const bytes = this.bytes.subarray(this.need(at, length), at + length);
    return new Fields(bytes, this.file, this.byteOrder, this.offset + at);
  }

  /** `at`, if `length` bytes lie there; `truncated` if not. */
  need(at: number, length: number): number {
    if (at >= 0 && at + length <= this.bytes.length) return at;
    const end = this.offset + at + length;
    const text = `it ends at byte ${this.offset + this.bytes.length}, inside a header ` +
      `that goes to byte ${end}`;
    throw cannot("read", this.file, "truncated", text, {
      offset: this.offset + at,
      expected: end,
      found: this.offset + this.bytes.length,
    });
  }

  /** A number of the header that must lie from `least` to `most`. */
  within(value: number, least: number, most: number, what: string, at: number): number {
    if (value >= least && value <= most) return value;
    throw this.error("malformed", `${what} is ${value}; ${least} to ${most} make sense`, at);
  }

  /** An error about the field at `at`. */
  error(code: ErrorCode, problem: string, at: number): TilewiseError {
    const offset = this.offset + at;
    return cannot("read", this.file, code, `at byte ${offset}, ${problem}`, { offset });
  }
}

/** The largest side of a frame that a header may claim. */
export const MOST_PIXELS = 2 ** 20;
