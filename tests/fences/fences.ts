/**
 * Fences: memory between leases that must not be touched. In tests they find reads and writes outside of leases. There are none
 * unless `fenceNewArenas` is called.
 *
 * ```
 * memory   reserved │ ▒▒ lease ▒▒▒▒▒ lease ▒▒ … │        ▒ fence: numbers that differ from run to run
 * map               │ 00 11111 00000 11111 00 … │        one per byte: may it be touched?
 *                                               ↑ the map lies behind, in the same memory
 * ```
 *
 * A result that depends on a fence differs from run to run, and a write breaks the pattern of a fence. The map is for kernels: in
 * tests they check the map before every load and store. The address of the map is in the reserved bytes of the memory, so
 * that workers find it by themselves, and load this code then.
 *
 * @module
 */

import { TilewiseError } from "../../src/errors.ts";
import type { FencedRange, Fences as FencesOfMemory } from "../../src/memory/fencing.ts";
import { FENCE_HEADER, FENCE_HEADER_BYTES, FENCE_MARK, hasFences } from "./fence_mark.ts";

/** Words of the pattern; a prime, so that neighbouring blocks of any usual size get different words. */
const WORDS = 1021;

const known = new WeakMap<WebAssembly.Memory, Fences>();

/** The fences of a memory, if it has any. */
export function fencesOf(memory: WebAssembly.Memory): Fences | undefined {
  if (!hasFences(memory)) return undefined;
  let fences = known.get(memory);
  if (!fences) known.set(memory, fences = new Fences(memory));
  return fences;
}

/** Adds fences to a fresh memory; the map, which forbids everything at first, takes its second half. */
export function fence(memory: WebAssembly.Memory, seed: number = Math.random() * 2 ** 32): Fences {
  const map = memory.buffer.byteLength / 2;
  new Int32Array(memory.buffer, FENCE_HEADER, 4).set([...FENCE_MARK, map, seed]);
  known.delete(memory);
  return fencesOf(memory)!;
}

/** Knows which memory may be touched, and finds forbidden memory that was touched. Addresses are in bytes. */
export class Fences implements FencesOfMemory {
  /** One past the last byte that can be leased. */
  readonly end: number;
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #map: Uint8Array;
  readonly #mapWords: Int32Array;
  readonly #pattern: Int32Array;
  readonly #labels = new Map<number, { readonly bytes: number; readonly label: string }>();

  /** The fences that the reserved bytes of `memory` describe. */
  constructor({ buffer }: WebAssembly.Memory) {
    const [, , map, seed] = new Int32Array(buffer, FENCE_HEADER, 4);
    this.end = map! >>> 0;
    this.#bytes = new Uint8Array(buffer, 0, this.end);
    this.#words = new Int32Array(buffer, 0, this.end / 4);
    this.#map = new Uint8Array(buffer, this.end, this.end);
    this.#mapWords = new Int32Array(buffer, this.end, this.end / 4);
    this.#pattern = patternOf(seed!);
  }

  /** Lets `bytes` bytes be touched. */
  allow(start: number, bytes: number, label = "memory"): void {
    this.#mark(start, start + bytes, -1);
    if (bytes > 0) this.#labels.set(start, { bytes, label });
  }

  /** Forbids the bytes from `start` to `stop`; their contents stay. */
  forbid(start: number, stop: number): void {
    this.#mark(start, stop, 0);
    this.#forget(start, stop);
  }

  /** Makes the bytes from `start` to `stop` a fence. */
  raise(start: number, stop: number): void {
    this.forbid(start, stop);
    this.spoil(start, stop);
  }

  /** Fills with numbers that no result may depend on. */
  spoil(start: number, stop: number): void {
    const [first, last] = wholeWords(start, stop);
    for (let at = start; at < Math.min(first, stop); at++) this.#bytes[at] = this.#patternAt(at);
    for (let word = first / 4; word < last / 4;) {
      const p = word % WORDS;
      const some = this.#pattern.subarray(p, p + last / 4 - word);
      this.#words.set(some, word);
      word += some.length;
    }
    for (let at = Math.max(start, last); at < stop; at++) this.#bytes[at] = this.#patternAt(at);
  }

  /** Lets nothing but `ranges` be touched from `start` to `stop`; what lies between them becomes a fence. */
  outline(start: number, stop: number, ranges: readonly FencedRange[]): void {
    let from = start;
    for (const { pointer, bytes, label } of ranges.toSorted((a, b) => a.pointer - b.pointer)) {
      this.raise(from, pointer);
      this.forbid(pointer, pointer + bytes);
      this.allow(pointer, bytes, label);
      from = pointer + bytes;
    }
    this.raise(from, stop);
  }

  /** Throws if a forbidden byte from `start` to `stop` has been written to; all forbidden bytes there must once have been fences. */
  check(start: number, stop: number): void {
    const first = this.touched(start, stop);
    if (first !== undefined) throw this.#broken(first);
  }

  /** The first forbidden byte from `start` to `stop` that has been written to; it is reported only once. */
  touched(start: number, stop: number): number | undefined {
    let first: number | undefined;
    const [from, to] = wholeWords(start, stop);
    const look = (at: number) => {
      if (this.#map[at] !== 0 || this.#bytes[at] === this.#patternAt(at) || isHeader(at)) return;
      this.#bytes[at] = this.#patternAt(at);
      first ??= at;
    };
    for (let at = start; at < Math.min(from, stop); at++) look(at);
    const words = this.#words, map = this.#mapWords, pattern = this.#pattern;
    for (let word = from / 4, p = word % WORDS; word < to / 4; word++) {
      if (words[word] !== pattern[p] && map[word] !== -1) {
        for (let at = 4 * word; at < 4 * word + 4; at++) look(at);
      }
      if (++p === WORDS) p = 0;
    }
    for (let at = Math.max(start, to); at < stop; at++) look(at);
    return first;
  }

  /** The error of a kernel that reads or writes `bytes` bytes at `address`. */
  outside(address: number, bytes: number, writes: boolean): TilewiseError {
    const verb = writes ? "writes" : "reads";
    const text = `A kernel ${verb} ${bytes} B at ${address}, outside of its memory: ${this.#where(address)}`;
    return new TilewiseError("corrupt", text, { offset: address });
  }

  #broken(address: number): TilewiseError {
    const text = `Byte ${address} was written to, outside of what may be: ${this.#where(address)}`;
    return new TilewiseError("corrupt", text, { offset: address });
  }

  /** Where an address lies, seen from the nearest block that this thread knows of. */
  #where(address: number): string {
    const distance = (start: number, bytes: number) =>
      address < start ? start - address : Math.max(0, address - start - bytes + 1);
    let [nearest, text] = [Infinity, "no block is near"];
    for (const [start, { bytes, label }] of this.#labels) {
      const away = distance(start, bytes);
      if (away >= nearest) continue;
      nearest = away;
      const side = away === 0 ? "inside of" : address < start ? "in front of" : "behind";
      text = `${away} B ${side} "${label}", which has ${bytes} B from ${start} on`;
    }
    return text;
  }

  #mark(start: number, stop: number, value: 0 | -1): void {
    const [first, last] = wholeWords(start, stop);
    if (last <= first) return void this.#map.fill(value & 255, start, stop);
    this.#map.fill(value & 255, start, first);
    this.#mapWords.fill(value, first / 4, last / 4);
    this.#map.fill(value & 255, last, stop);
  }

  #forget(start: number, stop: number): void {
    for (const at of this.#labels.keys()) if (at >= start && at < stop) this.#labels.delete(at);
  }

  #patternAt(address: number): number {
    return this.#pattern[Math.floor(address / 4) % WORDS]! >>> 8 * (address % 4) & 255;
  }
}

/** Whether a byte describes the fences. */
function isHeader(at: number): boolean {
  return at >= FENCE_HEADER && at < FENCE_HEADER + FENCE_HEADER_BYTES;
}

/** The whole words of 32 bits between two addresses: first, and one past the last. */
function wholeWords(start: number, stop: number): [number, number] {
  return [Math.ceil(start / 4) * 4, Math.floor(stop / 4) * 4];
}

/** NaN, huge numbers and any bits, as words that are halves of a float64 or all of a float32; again and again, to be copied. */
function patternOf(seed: number): Int32Array {
  let state = seed;
  const tops = [0x7fc00000, 0x7f7f0000, 0xffc00000, 0x7fef0000];
  const once = Array.from({ length: WORDS }, () => {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    const kind = state >>> 29;
    return kind < 4 ? tops[kind]! | state >>> 12 & 0xffff : Math.imul(state ^ state >>> 15, 0x2c1b3c6d);
  });
  return Int32Array.from({ length: 16 * WORDS }, (_, i) => once[i % WORDS]!);
}
