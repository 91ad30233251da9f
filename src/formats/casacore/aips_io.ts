/**
 * Objects as casacore stores them (AipsIO): each with its length, type and version, and with other objects inside.
 *
 * ```
 * root     BEBEBEBE₃₂ object
 * object   length₃₂ (from here on) · type: text · version₃₂ · values and objects
 * text     length₃₂ · UTF-8         block   object "Block": count₃₂ · values
 * shape    object "IPosition": count₃₂ · sizes₃₂ (version 2: ₆₄), the fastest first
 * ```
 * `table.dat` and the headers of tiled storage managers are big-endian, other headers have the byte order of the table.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type ErrorCode, TilewiseError } from "../../errors.ts";
import { numberReader } from "../../memory/sample_reader.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";

const MAGIC = 0xbebebebe;

/** Objects inside of each other. */
const MOST_LEVELS = 64;

/** Reads values one after another, within the object that was started last. */
export class AipsIo {
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #ends: number[] = [];
  #at = 0;

  /**
   * @param bytes what was read of the file
   * @param file name for messages
   * @param byteOrder byte order of numbers
   * @param offset where the bytes lie in the file
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly file: string,
    readonly byteOrder: ByteOrder = "big",
    readonly offset = 0,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = byteOrder === "little";
  }

  /** Place of the next value in the file. */
  get at(): number {
    return this.offset + this.#at;
  }

  /** Reads the object `type`, which must have one of the versions up to `newest`; a root has a magic number before it. */
  object<T>(type: string, newest: number, read: (version: number) => T, oldest = 1): T {
    const start = this.at;
    if (this.#ends.length === 0 && this.u32() !== MAGIC) {
      throw this.error("malformed", "an object begins with BEBEBEBE", start);
    }
    if (this.#ends.length >= MOST_LEVELS) {
      throw this.error("malformed", "objects lie too deep inside of each other");
    }
    const from = this.#at;
    const length = this.u32();
    const outer = this.#end;
    if (length < 12 || from + length > outer) {
      throw this.#cut(from, length, `the object ${type}`);
    }
    this.#ends.push(from + length);
    const found = this.text();
    if (found !== type) {
      throw this.error("malformed", `there is an object "${found}", not "${type}"`, start, type, found);
    }
    const version = this.u32();
    if (version < oldest || version > newest) {
      const text = `version ${version} of the object ${type} is unknown; ${oldest} to ${newest} can be read`;
      throw this.error("unsupported", text, start, newest, version);
    }
    const value = read(version);
    if (this.#at !== from + length) {
      const text = `the object ${type} ends at byte ${this.offset + from + length}, its values end here`;
      throw this.error("malformed", text, this.at, this.offset + from + length, this.at);
    }
    this.#ends.pop();
    return value;
  }

  /** Type of the next object, which is not read. */
  nextType(): string {
    const at = this.#at;
    if (this.#ends.length === 0) this.u32();
    this.u32();
    const type = this.text();
    this.#at = at;
    return type;
  }

  /** Goes to a place in the file. */
  seek(place: number): void {
    this.#at = place - this.offset;
  }

  /** Byte that is 0 or another number. */
  bool(): boolean {
    return this.#view.getUint8(this.#take(1)) !== 0;
  }

  /** Unsigned 32-bit number. */
  u32(): number {
    return this.#view.getUint32(this.#take(4), this.#little);
  }

  /** Signed 32-bit number. */
  i32(): number {
    return this.#view.getInt32(this.#take(4), this.#little);
  }

  /** Unsigned 64-bit number that must be exact in a double. */
  u64(): number {
    const at = this.at;
    const value = Number(this.#view.getBigUint64(this.#take(8), this.#little));
    if (Number.isSafeInteger(value)) return value;
    throw this.error("malformed", "a number of 64 bits is larger than 2^53", at);
  }

  /** A number of 32 bits, or of 64 bits if `isLong`. */
  count(isLong: boolean): number {
    return isLong ? this.u64() : this.u32();
  }

  /** The value of a type, as numbers: two of a complex number. */
  number(type: string): number | readonly [number, number] {
    const read = numberReader(type);
    if (read) return read(this.#view, this.#take(dtypeInfo(type as DType).itemSize), this.#little);
    const part = type === "complex64" ? "float32" : "float64";
    return [this.number(part) as number, this.number(part) as number];
  }

  /** A text. */
  text(): string {
    return new TextDecoder().decode(this.raw(this.u32()));
  }

  /** The next `length` bytes. */
  raw(length: number): Uint8Array {
    const at = this.#take(length);
    return this.bytes.subarray(at, at + length);
  }

  /** A number of things that take at least `bytes` bytes each, so that there cannot be more than the rest holds. */
  many(bytes: number): number {
    const at = this.at;
    const count = this.u32();
    if (count * bytes <= this.#end - this.#at) return count;
    const rest = Math.floor((this.#end - this.#at) / bytes);
    throw this.error(
      "malformed",
      `there are to be ${count} values, there is room for ${rest}`,
      at,
      rest,
      count,
    );
  }

  /** Sizes of an array, the slowest first, as everywhere here; files have the fastest first. */
  shape(): Shape {
    return this.object("IPosition", 2, (version) => {
      const count = this.many(version === 1 ? 4 : 8);
      const sizes = Array.from({ length: count }, () => version === 1 ? this.i32() : this.u64());
      return sizes.reverse();
    });
  }

  /** A list of whole numbers, of 64 bits if `isLong`. */
  block(isLong = false): Float64Array {
    return this.object("Block", 1, () => {
      const count = this.many(isLong ? 8 : 4);
      return Float64Array.from({ length: count }, () => this.count(isLong));
    });
  }

  /** A list of texts. */
  texts(): string[] {
    return this.object("Array", 3, (version) => {
      const dims = this.many(4);
      for (let d = 0; d < (version < 3 ? 2 : 1) * dims; d++) this.i32();
      return Array.from({ length: this.many(4) }, () => this.text());
    });
  }

  /** `count` numbers of rows, of 64 bits if `isLong`. */
  rows(count: number, isLong: boolean): Uint32Array | Float64Array {
    const each = isLong ? 8 : 4, at = this.#take(count * each);
    return isLong
      ? Float64Array.from(
        { length: count },
        (_, i) => Number(this.#view.getBigUint64(at + 8 * i, this.#little)),
      )
      : Uint32Array.from({ length: count }, (_, i) => this.#view.getUint32(at + 4 * i, this.#little));
  }

  /** Bytes that are left of the object. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** An error about a place in the file; default: the next value. */
  error(
    code: ErrorCode,
    problem: string,
    offset = this.at,
    expected?: number | string,
    found?: number | string,
  ): TilewiseError {
    return new TilewiseError(code, `Cannot read ${this.file}: at byte ${offset}, ${problem}`, {
      file: this.file,
      offset,
      ...defined({ expected, found }),
    });
  }

  get #end(): number {
    return this.#ends.at(-1) ?? this.bytes.length;
  }

  #take(length: number): number {
    const at = this.#at;
    if (at + length > this.#end) throw this.#cut(at, length, "a value");
    this.#at = at + length;
    return at;
  }

  /** The error for `length` bytes that the file, or the object around them, does not have. */
  #cut(at: number, length: number, what: string): TilewiseError {
    const isWhole = this.#end < this.bytes.length;
    const [end, needed] = [this.offset + this.#end, this.offset + at + length];
    const who = isWhole ? "the object around it" : "the file";
    const text = `${what} goes to byte ${needed}, ${who} ends at ${end}`;
    return this.error(isWhole ? "malformed" : "truncated", text, this.offset + at, needed, end);
  }
}
