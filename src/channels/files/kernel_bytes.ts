/**
 * The memory of kernels as bytes, and which addresses are in it. Kernels may pass any number.
 *
 * @module
 */

/** A view that follows a memory when it grows. */
export class KernelBytes {
  #bytes: Uint8Array;

  /** The bytes of `memory`. */
  constructor(readonly memory: WebAssembly.Memory) {
    this.#bytes = new Uint8Array(memory.buffer);
  }

  /** All bytes. */
  get all(): Uint8Array {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = new Uint8Array(this.memory.buffer);
    return this.#bytes;
  }

  /** Whether `length` bytes from `pointer` on are in the memory. */
  has(pointer: number, length: number): boolean {
    return Number.isSafeInteger(pointer) && Number.isSafeInteger(length) && pointer >= 0 && length >= 0 &&
      pointer + length <= this.all.length;
  }
}
