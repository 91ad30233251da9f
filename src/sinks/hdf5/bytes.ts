/**
 * Little-endian bytes that are put together one after another.
 *
 * @module
 */

/** Bytes that grow. */
export class Bytes {
  #all = new Uint8Array(256);
  #view = new DataView(this.#all.buffer);
  /** How many there are. */
  length = 0;

  /** An unsigned number of `size` bytes. */
  put(value: number | bigint, size: 1 | 2 | 4 | 8): this {
    const at = this.#grow(size);
    this.#view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true); // what is beyond `size` is written over
    return this;
  }

  /** Bytes as they are. */
  add(bytes: Uint8Array): this {
    const at = this.#grow(bytes.length); // may make new memory
    this.#all.set(bytes, at);
    return this;
  }

  /** Text as UTF-8, with a zero behind it. */
  text(text: string): this {
    return this.add(new TextEncoder().encode(`${text}\0`));
  }

  /** Zeros up to a multiple of `unit`. */
  pad(unit: number): this {
    return this.add(new Uint8Array((unit - this.length % unit) % unit));
  }

  /** All of them. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#all.slice(0, this.length);
  }

  /** Room for `size` bytes more, and 8 behind them; returns where it begins. */
  #grow(size: number): number {
    const at = this.length;
    this.length += size;
    if (this.length + 8 <= this.#all.length) return at;
    const next = new Uint8Array(2 * this.length + 8);
    next.set(this.#all);
    this.#all = next;
    this.#view = new DataView(next.buffer);
    return at;
  }
}
