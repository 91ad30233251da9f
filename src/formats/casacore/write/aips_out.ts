/**
 * Writes objects as casacore stores them: what `AipsIo` reads.
 *
 * @module
 */

import type { Shape } from "../../../space/shape.ts";

const MAGIC = 0xbebebebe;

/** Writes values one after another, big-endian, as all headers are that are written here. */
export class AipsOut {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  #depth: number;

  /** `inside`: what is written lies in an object that is written elsewhere, and has no magic number. */
  constructor({ inside = false } = {}) {
    this.#depth = Number(inside);
  }

  /** What was written. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at);
  }

  /** Writes an object; a root gets the magic number. */
  object(type: string, version: number, write: () => void): void {
    if (this.#depth === 0) this.u32(MAGIC);
    this.#depth++;
    const start = this.#at;
    this.u32(0);
    this.text(type);
    this.u32(version);
    write();
    this.#view.setUint32(start, this.#at - start);
    this.#depth--;
  }

  /** Writes a byte: 0 or 1. */
  bool(value: boolean): void {
    const at = this.#take(1); // which may take another buffer
    this.#view.setUint8(at, Number(value));
  }

  /** Writes a number of 32 bits; those below 0 as signed ones. */
  u32(value: number): void {
    const at = this.#take(4);
    this.#view.setUint32(at, value);
  }

  /** Writes a number of 64 bits. */
  u64(value: number): void {
    const at = this.#take(8);
    this.#view.setBigUint64(at, BigInt(value));
  }

  /** Writes a number of 64 bits if `isLong`, else of 32. */
  count(value: number, isLong: boolean): void {
    if (isLong) this.u64(value);
    else this.u32(value);
  }

  /** Writes a text. */
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.u32(bytes.length);
    this.raw(bytes);
  }

  /** Writes bytes as they are. */
  raw(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Writes sizes, given with the slowest first. */
  shape(shape: Shape): void {
    this.object("IPosition", 1, () => {
      this.u32(shape.length);
      for (const size of shape.toReversed()) this.u32(size);
    });
  }

  /** Writes a list of numbers of 32 bits. */
  block(values: ArrayLike<number>): void {
    this.object("Block", 1, () => {
      this.u32(values.length);
      for (let i = 0; i < values.length; i++) this.u32(values[i]!);
    });
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at <= this.#bytes.length) return at;
    const larger = new Uint8Array(Math.max(this.#at, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
    return at;
  }
}
