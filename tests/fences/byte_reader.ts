/**
 * Reads the numbers of a WebAssembly module one after another.
 *
 * @module
 */

/** Bytes, and how far they have been read. */
export class ByteReader {
  /** What is read from `at` on. */
  constructor(private readonly bytes: Uint8Array, public at = 0) {}

  /** Whether all has been read. */
  get ended(): boolean {
    return this.at >= this.bytes.length;
  }

  /** The next byte. */
  byte(): number {
    if (this.ended) throw new Error("the module ends early");
    return this.bytes[this.at++]!;
  }

  /** The next unsigned number of variable length. */
  unsigned(): number {
    for (let value = 0, unit = 1;; unit *= 128) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }

  /** Steps over a number of variable length. */
  skipLeb(): void {
    while (this.byte() >= 128);
  }

  /** The next `count` bytes. */
  take(count: number): Uint8Array {
    this.at += count;
    return this.slice(this.at - count, this.at);
  }

  /** All that is left. */
  rest(): Uint8Array {
    return this.take(this.bytes.length - this.at);
  }

  /** Appends the bytes that have been read since `start`. */
  copy(start: number, out: number[]): void {
    for (let i = start; i < this.at; i++) out.push(this.bytes[i]!);
  }

  /** Bytes that have been read already. */
  slice(start: number, stop: number): Uint8Array {
    return this.bytes.subarray(start, stop);
  }
}
