/**
 * Where leases of an arena with fences lie, and the ranges of slabs inside of them.
 *
 * ```
 * room of a lease   │ ▒▒▒ note ▒▒ │ leased bytes …              ▒ … room for fences inside ▒ │
 * cut by a slab     │ ▒▒▒ note ▒▒   ▒ range ▒▒▒▒ range ▒▒ …                                 │
 * ```
 *
 * The note tells the thread that cuts the lease how far it may go, and tells the thread that returns it how far it went.
 * Sums and budgets do not include fences.
 *
 * @module
 */

import { TilewiseError } from "../../src/errors.ts";
import { FENCE_HEADER, FENCE_HEADER_BYTES } from "./fence_mark.ts";
import { fence, type Fences, fencesOf } from "./fences.ts";

const LINE = 64;

/** One past the last byte that describes the fences. */
const HEADER_END = FENCE_HEADER + FENCE_HEADER_BYTES;

/** Bytes from a note to the lease that it belongs to. */
const NOTE_DISTANCE = 128;

const NOTE_MARK = 0x5eed4a0d;

/** Room for the fences inside of a lease, and for copies of what lies in it. */
function roomFor(bytes: number): number {
  return 3 * bytes + 128 * 1024;
}

/** The places of all leases of one memory. */
export class FencedRoom {
  readonly #fences: Fences;
  readonly #notes: Int32Array;
  #free: { readonly start: number; readonly stop: number }[];
  #count = 0;
  readonly #start: number;

  /** Room from `start` on. */
  constructor(memory: WebAssembly.Memory, start: number) {
    this.#fences = fence(memory);
    this.#notes = new Int32Array(memory.buffer);
    this.#start = start;
    this.#free = [{ start, stop: this.#fences.end }];
    this.#fences.raise(0, FENCE_HEADER);
    this.#fences.raise(HEADER_END, start);
  }

  /** The address of a lease; two successive leases never have the same address. */
  place(bytes: number, label: string): number {
    const shift = NOTE_DISTANCE + LINE * (1 + this.#count++ % 61);
    const size = Math.ceil((shift + roomFor(bytes)) / LINE) * LINE;
    const at = this.#free.findIndex(({ start, stop }) => stop - start >= size);
    if (at < 0) throw new TilewiseError("corrupt", `There is no room for fences around ${bytes} bytes`);
    const { start, stop } = this.#free[at]!;
    const offset = start + shift, high = offset + bytes + 16 * LINE;
    this.#free[at] = { start: start + size, stop };
    this.#fences.raise(start, high);
    this.#fences.allow(offset, bytes, label);
    writeNote(this.#notes, offset, { start, stop: start + size, high, back: start + size });
    return offset;
  }

  /** Takes a lease back; throws if fences have been written to. */
  free(offset: number): void {
    const { start, stop, high, back } = readNote(this.#notes, offset)!;
    const note = offset - NOTE_DISTANCE;
    this.#notes[note / 4] = 0;
    const at = this.#free.findIndex((other) => other.start > start);
    this.#free.splice(at < 0 ? this.#free.length : at, 0, { start, stop });
    this.#free = joined(this.#free);
    try {
      this.#fences.check(start, note);
      this.#fences.check(note + LINE, high);
      this.#fences.check(0, this.#start);
    } finally {
      this.#fences.forbid(offset, high);
      this.#fences.forbid(back, stop);
    }
  }
}

/** The ranges of a slab, with fences between them. */
export class FencedCuts {
  #next = 0;
  #high: number;
  #back: number;

  private constructor(
    /** The fences, which know which memory may be touched. */
    readonly fences: Fences,
    private readonly notes: Int32Array,
    private readonly offset: number,
    private readonly note: Note,
  ) {
    this.#high = note.high;
    this.#back = note.back;
    this.reset();
  }

  /** The cuts of a slab that is a whole lease of a memory with fences. */
  static of(memory: WebAssembly.Memory, offset: number): FencedCuts | undefined {
    const fences = fencesOf(memory);
    if (!fences || offset < NOTE_DISTANCE || offset % 4 !== 0) return undefined;
    const notes = new Int32Array(memory.buffer);
    const note = readNote(notes, offset);
    return note && new FencedCuts(fences, notes, offset, note);
  }

  /** The address of a range; its contents are not zeros. */
  cut(bytes: number, label: string): number {
    const pointer = this.#next;
    const end = pointer + bytes;
    const next = Math.ceil(end / LINE) * LINE + LINE * (1 + (end / LINE & 3));
    if (next > this.#back) throw new TilewiseError("corrupt", `There is no room for fences around ${label}`);
    this.fences.spoil(pointer, end);
    this.fences.allow(pointer, bytes, label);
    this.fences.raise(end, next);
    this.#next = this.#high = next;
    this.#write();
    return pointer;
  }

  /** Memory beyond the slab, from the other end of its room, if there is enough; none of it may be touched. */
  spare(bytes: number): number | undefined {
    const start = Math.floor((this.#back - bytes) / LINE) * LINE;
    if (start < this.#next) return undefined;
    this.#back = start;
    this.#write();
    return start;
  }

  /** Forgets all ranges. */
  reset(): void {
    this.fences.forbid(this.offset, this.#high);
    this.fences.forbid(this.#back, this.note.stop);
    this.#back = this.note.stop;
    this.#next = this.#high = this.offset + LINE;
    this.fences.raise(this.offset, this.#next);
    this.#write();
  }

  /** Throws if something was written between the ranges. */
  check(): void {
    this.fences.check(this.offset, this.#high);
  }

  #write(): void {
    writeNote(this.notes, this.offset, { ...this.note, high: this.#high, back: this.#back });
  }
}

interface Note {
  readonly start: number;
  readonly stop: number;
  /** One past the last byte from the front that has been used, its fence included. */
  readonly high: number;
  /** The first byte that has been used at the other end. */
  readonly back: number;
}

function writeNote(words: Int32Array, offset: number, { start, stop, high, back }: Note): void {
  words.set([NOTE_MARK ^ offset, start, stop, high, back], (offset - NOTE_DISTANCE) / 4);
}

function readNote(words: Int32Array, offset: number): Note | undefined {
  const at = (offset - NOTE_DISTANCE) / 4;
  if (words[at] !== (NOTE_MARK ^ offset)) return undefined;
  const [start, stop, high, back] = words.subarray(at + 1, at + 5);
  return { start: start! >>> 0, stop: stop! >>> 0, high: high! >>> 0, back: back! >>> 0 };
}

function joined(spans: readonly { readonly start: number; readonly stop: number }[]) {
  const all: { start: number; stop: number }[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last?.stop === span.start) last.stop = span.stop;
    else all.push({ ...span });
  }
  return all;
}
