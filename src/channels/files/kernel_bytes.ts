/**
 * The memory of kernels as bytes, and which addresses are in it. Kernels may pass any number.
 *
 * @module
 */

import type { Awaitable } from "../backends/back_end.ts";
import { MAX_NAME_BYTES } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import { settled } from "./calls.ts";

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

// Names of files as kernels pass them: bytes that should be UTF-8.

/** The text of a name; the negative status for bytes that are not UTF-8, and for names that are empty, too long or have a NUL. */
export function nameText(bytes: Uint8Array): string | number {
  if (bytes.length > MAX_NAME_BYTES) return -STATUS["name-too-long"];
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.slice());
    return text === "" || text.includes("\0") ? -STATUS.invalid : text;
  } catch {
    return -STATUS.invalid;
  }
}

/** Names as bytes, each one followed by a 0. */
export function nameList(names: readonly string[]): Uint8Array {
  return new TextEncoder().encode(names.map((name) => `${name}\0`).join(""));
}

/** The result of `act` with the text of a name, or a negative status. */
export function named(name: Uint8Array, act: (text: string) => Awaitable<number>): Awaitable<number> {
  const text = nameText(name);
  return typeof text === "number" ? text : settled(() => act(text));
}
