/**
 * The memory of a program, as the calls that it makes may touch it: every address is checked first.
 *
 * @module
 */

import { ERRNO, refuse } from "./codes.ts";

/** Most pieces that one read or write may be scattered over. */
const MOST_PIECES = 1024;

/** Bytes of an `iovec`: an address and a length. */
const PIECE_BYTES = 8;

/** Checked access to the memory of a program; addresses outside of it end the call with `fault`. */
export class GuestMemory {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  /** Access to `memory`, which may grow. */
  constructor(private readonly memory: WebAssembly.Memory) {}

  /** `length` bytes at `pointer`, until the program goes on. */
  span(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    const [at, size] = [pointer >>> 0, length >>> 0];
    if (at + size > this.#all().length) refuse(ERRNO.fault);
    return this.#bytes.subarray(at, at + size);
  }

  /** The pieces that a list of `count` addresses and lengths names. */
  pieces(pointer: number, count: number): Uint8Array[] {
    if (count >>> 0 > MOST_PIECES) refuse(ERRNO.inval);
    const pieces: Uint8Array[] = [];
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = (pointer >>> 0) + i * PIECE_BYTES;
      const piece = this.span(this.u32(at), this.u32(at + 4));
      total += piece.length;
      if (piece.length > 0) pieces.push(piece);
    }
    return total < 2 ** 32 ? pieces : refuse(ERRNO.inval);
  }

  /** Text of `length` bytes; `ilseq` if it is not UTF-8, `inval` if it has a NUL. */
  text(pointer: number, length: number): string {
    const bytes = this.span(pointer, length).slice();
    if (bytes.includes(0)) refuse(ERRNO.inval);
    try {
      return this.#utf8.decode(bytes);
    } catch {
      return refuse(ERRNO.ilseq);
    }
  }

  /** The 16-bit number at `pointer`. */
  u16(pointer: number): number {
    return this.#at(pointer, 2).getUint16(pointer >>> 0, true);
  }

  /** The 32-bit number at `pointer`. */
  u32(pointer: number): number {
    return this.#at(pointer, 4).getUint32(pointer >>> 0, true);
  }

  /** The 64-bit number at `pointer`. */
  u64(pointer: number): bigint {
    return this.#at(pointer, 8).getBigUint64(pointer >>> 0, true);
  }

  /** Writes an 8-bit number. */
  setU8(pointer: number, value: number): void {
    this.#at(pointer, 1).setUint8(pointer >>> 0, value);
  }

  /** Writes a 16-bit number. */
  setU16(pointer: number, value: number): void {
    this.#at(pointer, 2).setUint16(pointer >>> 0, value, true);
  }

  /** Writes a 32-bit number. */
  setU32(pointer: number, value: number): void {
    this.#at(pointer, 4).setUint32(pointer >>> 0, value, true);
  }

  /** Writes a 64-bit number. */
  setU64(pointer: number, value: bigint): void {
    this.#at(pointer, 8).setBigUint64(pointer >>> 0, value, true);
  }

  #at(pointer: number, bytes: number): DataView {
    if ((pointer >>> 0) + bytes > this.#all().length) refuse(ERRNO.fault);
    return this.#view;
  }

  #all(): Uint8Array {
    const { buffer } = this.memory;
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = new Uint8Array(buffer as ArrayBuffer);
      this.#view = new DataView(buffer);
    }
    return this.#bytes;
  }
}
