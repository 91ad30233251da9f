/**
 * The open files of one worker: handles, cursors, and reads and writes directly in kernel memory.
 *
 * The operating system is reached through {@link SynchronousBackEnd} only, so the rules of modes, cursors and handles
 * are the same whether the worker of the kernel does the I/O, or a runner at the other end of a channel.
 *
 * @module
 */

import type { SynchronousBackEnd } from "../backends/back_end.ts";
import { MAX_NAME_BYTES, MAX_SLOTS } from "../protocol/channel.ts";
import { failure, STATUS } from "../protocol/status.ts";
import type { FileCalls } from "./calls.ts";
import { type FileMode, MODES, WHENCE } from "./modes.ts";

const GENERATIONS = 2047;

interface OpenFile {
  readonly handle: number;
  readonly file: number;
  readonly mode: FileMode;
  cursor: number;
  /** Size of the file when it was last asked for: reads below it need not ask again. */
  known: number;
}

/** Files opened in one worker, addressed by handles of generation, channel and slot: a stale handle finds nothing. */
export class FileTable implements FileCalls {
  readonly #files: (OpenFile | undefined)[] = [];
  #generation = 0;
  #bytes: Uint8Array;

  /** A table whose pointers are addresses in `memory`. */
  constructor(
    readonly memory: WebAssembly.Memory,
    readonly elementSize: number,
    readonly raw: SynchronousBackEnd,
  ) {
    this.#bytes = new Uint8Array(memory.buffer);
  }

  /** How many files are open. */
  get openFiles(): number {
    return this.#files.filter((file) => file).length;
  }

  /** See {@link FileCalls.open}. */
  open(channel: number, mode: number, name: number, nameLength: number): number {
    const info = MODES[mode];
    if (!info || !this.#inside(name, nameLength)) return -STATUS.invalid;
    if (nameLength > MAX_NAME_BYTES) return -STATUS["name-too-long"];
    const text = decodeName(this.#memory().slice(name, name + nameLength));
    return text === undefined ? -STATUS.invalid : this.#openNamed(channel, info, text);
  }

  #openNamed(channel: number, mode: FileMode, name: string): number {
    const slot = this.#freeSlot();
    if (slot >= MAX_SLOTS) return -STATUS["too-many"];
    try {
      const file = this.raw.open(name, mode.flags);
      this.#generation = this.#generation % GENERATIONS + 1;
      const handle = this.#generation << 20 | channel << 10 | slot;
      this.#files[slot] = { handle, file, mode, cursor: 0, known: 0 };
      return handle;
    } catch (error) {
      return failure(error);
    }
  }

  #freeSlot(): number {
    for (let slot = 0; slot < this.#files.length; slot++) if (!this.#files[slot]) return slot;
    return this.#files.length;
  }

  /** See {@link FileCalls.read}. */
  read(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    const open = this.#find(handle);
    if (!open) return -STATUS["bad-handle"];
    if (!open.mode.read) return -STATUS.access;
    try {
      const start = this.#place(open, whence, offset);
      if (start < 0 || !this.#inside(pointer, count * this.elementSize)) return -STATUS.invalid;
      const bytes = this.#available(open, start, count * this.elementSize);
      const got = bytes && this.raw.read(open.file, this.#memory(), pointer, bytes, start);
      const elements = Math.floor(got / this.elementSize);
      open.cursor = start + elements * this.elementSize;
      return elements;
    } catch (error) {
      return failure(error);
    }
  }

  /** Bytes, in whole elements, that a read of `bytes` at `start` can get: the rest of the destination stays as it is. */
  #available(open: OpenFile, start: number, bytes: number): number {
    if (start + bytes > open.known) open.known = this.raw.size(open.file);
    if (start + bytes <= open.known) return bytes;
    return Math.max(0, Math.floor((open.known - start) / this.elementSize)) * this.elementSize;
  }

  /** See {@link FileCalls.write}. */
  write(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    const open = this.#find(handle);
    if (!open) return -STATUS["bad-handle"];
    if (!open.mode.write) return -STATUS.access;
    try {
      const start = this.#place(open, whence, offset);
      const bytes = count * this.elementSize;
      if (start < 0 || !this.#inside(pointer, bytes)) return -STATUS.invalid;
      const at = open.mode.append ? null : start;
      const put = bytes && this.raw.write(open.file, this.#memory(), pointer, bytes, at);
      open.cursor = open.mode.append && bytes ? this.raw.size(open.file) : start + put;
      return Math.floor(put / this.elementSize);
    } catch (error) {
      return failure(error);
    }
  }

  /** See {@link FileCalls.close}. */
  close(handle: number): number {
    const open = this.#find(handle);
    if (!open) return -STATUS["bad-handle"];
    this.#files[handle & (MAX_SLOTS - 1)] = undefined;
    try {
      this.raw.close(open.file);
      return 0;
    } catch (error) {
      return failure(error);
    }
  }

  /** See {@link FileCalls.size}. */
  size(handle: number): number {
    const open = this.#find(handle);
    if (!open) return -STATUS["bad-handle"];
    try {
      return Math.floor(this.raw.size(open.file) / this.elementSize);
    } catch (error) {
      return failure(error);
    }
  }

  /** Closes every file. */
  closeAll(): void {
    for (const open of this.#files) if (open) this.close(open.handle);
  }

  #find(handle: number): OpenFile | undefined {
    const open = this.#files[handle & (MAX_SLOTS - 1)];
    return open?.handle === handle ? open : undefined;
  }

  /** The byte where a call starts, or -1 where there is none. */
  #place(open: OpenFile, whence: number, offset: number): number {
    let origin = open.cursor;
    if (whence === WHENCE.begin) origin = 0;
    else if (whence === WHENCE.end) origin = this.raw.size(open.file);
    else if (whence !== WHENCE.current) return -1;
    const start = origin + offset * this.elementSize;
    return Number.isSafeInteger(start) ? start : -1;
  }

  #inside(pointer: number, bytes: number): boolean {
    return bytes >= 0 && pointer >= 0 && pointer + bytes <= this.#memory().length;
  }

  #memory(): Uint8Array {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = new Uint8Array(this.memory.buffer);
    return this.#bytes;
  }
}

/** The text of a name; `undefined` for bytes that are not UTF-8, for an empty name, and for a name with a NUL. */
function decodeName(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text === "" || text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
