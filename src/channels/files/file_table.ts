/**
 * The open files of one worker: handles, cursors, and reads and writes directly in kernel memory.
 *
 * Files are reached through a {@link BackEnd} only, so the rules of modes, cursors and handles are the same whether the
 * worker of the kernel does the I/O, or a runner at the other end of a channel. A back end may answer late; a call whose
 * answer is there at once makes neither a promise nor a closure, as it may take less than a microsecond.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Awaitable, BackEnd } from "../backends/back_end.ts";
import { type ChannelLayout, Channels } from "../protocol/channel.ts";
import { failure, STATUS } from "../protocol/status.ts";
import { serveBatch } from "./batch.ts";
import { after, channelOf, type FileCalls, type FileCallsOf, settled } from "./calls.ts";
import { NameCalls } from "./nodes.ts";
import { nameText } from "./kernel_bytes.ts";
import { MODES } from "./modes.ts";
import { arrived, type OpenFile, placeOf, Slots } from "./open_file.ts";

const BAD_HANDLE = -STATUS["bad-handle"], ACCESS = -STATUS.access, INVALID = -STATUS.invalid;

/** Most bytes of an element. */
export const MAX_ELEMENT_BYTES = 65536;

/** Files opened in one worker. */
export class FileTable extends NameCalls implements FileCallsOf<Awaitable<number>> {
  readonly #files = new Slots<OpenFile>();
  readonly #channels: Channels;
  /** How many transfers the batch of a channel did, until that is asked. */
  readonly #batches = new Map<number, number>();
  /** Bytes moved for each channel since it was last asked. */
  readonly #moved: Float64Array;

  /** A table for kernels with the channels at `layout` in `memory`. */
  constructor(memory: WebAssembly.Memory, readonly layout: ChannelLayout, backEnd: BackEnd) {
    super(memory, backEnd);
    this.#channels = new Channels(memory, layout);
    this.#moved = new Float64Array(layout.channels);
  }

  /** How many files are open. */
  get openFiles(): number {
    return this.#files.count;
  }

  /** Bytes that were read and written for a channel since the latest such question. */
  takeMoved(channel: number): number {
    const moved = this.#moved[channel]!;
    this.#moved[channel] = 0;
    return moved;
  }

  /** See {@link FileCallsOf.open}. */
  open(channel: number, mode: number, name: Uint8Array, elementSize = 0): Awaitable<number> {
    if (!(channel >= 0 && channel < this.layout.channels)) return -STATUS["bad-channel"];
    const info = MODES[mode], bytes = elementSize || this.layout.elementSize;
    if (!info || !(Number.isInteger(bytes) && bytes > 0 && bytes <= MAX_ELEMENT_BYTES)) return INVALID;
    const text = nameText(name);
    if (typeof text === "number") return text;
    return settled(() =>
      after(this.backEnd.open(text, info.flags), (file) => {
        const fresh = { file, mode: info, elementSize: bytes, cursor: 0, known: 0, trouble: 0 };
        const handle = this.#files.put(channel, (handle) => ({ handle, ...fresh }));
        return handle !== 0 ? handle : after(this.backEnd.close(file), () => -STATUS["too-many"]);
      })
    );
  }

  /** See {@link FileCallsOf.read}. */
  read(handle: number, pointer: number, count: number, whence: number, offset: number): Awaitable<number> {
    const open = this.#files.find(handle);
    if (open === undefined) return BAD_HANDLE;
    if (!open.mode.read) return ACCESS;
    const bytes = count * open.elementSize, start = placeOf(open, whence, offset);
    if (start < 0 || !this.kernel.has(pointer, bytes)) return INVALID;
    if (start + bytes <= open.known) return this.#fetch(open, pointer, bytes, start);
    return this.#readNearEnd(open, pointer, bytes, whence, offset);
  }

  /** Reads what is there of `bytes` bytes, in whole elements: the rest of the destination stays as it is. */
  #readNearEnd(
    open: OpenFile,
    pointer: number,
    bytes: number,
    whence: number,
    offset: number,
  ): Awaitable<number> {
    return settled(() =>
      after(this.backEnd.size(open.file), (size) => {
        open.known = size;
        const start = placeOf(open, whence, offset, size);
        if (start < 0) return INVALID;
        const there = Math.max(0, Math.floor((size - start) / open.elementSize)) * open.elementSize;
        return this.#fetch(open, pointer, Math.min(bytes, there), start);
      })
    );
  }

  #fetch(open: OpenFile, pointer: number, bytes: number, start: number): Awaitable<number> {
    try {
      const got = bytes === 0 ? 0 : this.backEnd.read(open.file, this.kernel.all, pointer, bytes, start);
      if (typeof got === "number") return this.#arrived(open, start, bytes, got);
      return got.then((got) => this.#arrived(open, start, bytes, got))
        .catch((error) => troubled(open, error));
    } catch (error) {
      return troubled(open, error);
    }
  }

  #arrived(open: OpenFile, start: number, bytes: number, got: number): number {
    const elements = arrived(open, start, bytes, got);
    if (elements > 0) this.#moved[channelOf(open.handle)]! += elements * open.elementSize;
    return elements;
  }

  /** See {@link FileCallsOf.write}. */
  write(handle: number, pointer: number, count: number, whence: number, offset: number): Awaitable<number> {
    const open = this.#files.find(handle);
    if (open === undefined) return BAD_HANDLE;
    if (!open.mode.write) return ACCESS;
    const bytes = count * open.elementSize, start = placeOf(open, whence, offset);
    if (start < 0 || !this.kernel.has(pointer, bytes)) return INVALID;
    if (start >= 0) return this.#store(open, pointer, bytes, start);
    return settled(() =>
      after(this.backEnd.size(open.file), (size) => {
        const start = placeOf(open, whence, offset, size);
        return start < 0 ? INVALID : this.#store(open, pointer, bytes, start);
      })
    );
  }

  /** Writes `bytes` bytes, of which the first `done` have been written. */
  #store(open: OpenFile, pointer: number, bytes: number, start: number, done = 0): Awaitable<number> {
    if (done === bytes) return this.#stored(open, start, done, 0);
    const at = open.mode.append ? null : start + done;
    try {
      const put = this.backEnd.write(open.file, this.kernel.all, pointer + done, bytes - done, at);
      if (typeof put === "number") return this.#wrote(open, pointer, bytes, start, done, put);
      return put.then((put) => this.#wrote(open, pointer, bytes, start, done, put))
        .catch((error) => this.#stored(open, start, done, failure(error)));
    } catch (error) {
      return this.#stored(open, start, done, failure(error));
    }
  }

  /** After a short write it tries to write the rest, to learn why it was short. */
  #wrote(
    open: OpenFile,
    pointer: number,
    bytes: number,
    start: number,
    done: number,
    put: number,
  ): Awaitable<number> {
    if (put > 0 && put <= bytes - done) return this.#store(open, pointer, bytes, start, done + put);
    return this.#stored(open, start, done, -STATUS.io);
  }

  /** Notes that `done` bytes have been written, and why not more. */
  #stored(open: OpenFile, start: number, done: number, trouble: number): Awaitable<number> {
    open.trouble = trouble;
    if (done === 0 && trouble !== 0) return trouble;
    const elements = Math.floor(done / open.elementSize);
    this.#moved[channelOf(open.handle)]! += done;
    if (open.mode.append && done > 0) {
      return settled(() =>
        after(this.backEnd.size(open.file), (size) => {
          open.cursor = open.known = size;
          return elements;
        })
      );
    }
    open.cursor = start + elements * open.elementSize;
    if (done > 0 && start + done > open.known) open.known = start + done;
    return elements;
  }

  /** See {@link FileCallsOf.readBuffer}. */
  readBuffer(handle: number, at: number, count: number, whence: number, offset: number): Awaitable<number> {
    const pointer = this.#inBuffer(handle, at, count);
    return pointer < 0 ? pointer : this.read(handle, pointer, count, whence, offset);
  }

  /** See {@link FileCallsOf.writeBuffer}. */
  writeBuffer(handle: number, at: number, count: number, whence: number, offset: number): Awaitable<number> {
    const pointer = this.#inBuffer(handle, at, count);
    return pointer < 0 ? pointer : this.write(handle, pointer, count, whence, offset);
  }

  /** The address of element `at` of the buffer of a channel, if `count` elements are there. */
  #inBuffer(handle: number, at: number, count: number): number {
    const open = this.#files.find(handle);
    if (open === undefined) return BAD_HANDLE;
    if (!(Number.isSafeInteger(at) && at >= 0 && count >= 0)) return INVALID;
    const room = this.layout.bufferLength * this.layout.elementSize;
    if ((at + count) * open.elementSize > room) return -STATUS["too-big"];
    return this.#channels.buffer(channelOf(handle)) + at * open.elementSize;
  }

  /** See {@link FileCallsOf.close}. */
  close(handle: number): Awaitable<number> {
    const open = this.#files.take(handle);
    if (open === undefined) return BAD_HANDLE;
    return settled(() => after(this.backEnd.close(open.file), () => 0));
  }

  /** See {@link FileCallsOf.size}. */
  size(handle: number): Awaitable<number> {
    const open = this.#files.find(handle);
    if (open === undefined) return BAD_HANDLE;
    return settled(() => after(this.backEnd.size(open.file), (size) => Math.floor(size / open.elementSize)));
  }

  /** See {@link FileCallsOf.seek}. */
  seek(handle: number, whence: number, offset: number): Awaitable<number> {
    const open = this.#files.find(handle);
    if (open === undefined) return BAD_HANDLE;
    const move = (start: number) => {
      if (start < 0) return INVALID;
      open.cursor = start;
      return Math.floor(start / open.elementSize);
    };
    const start = placeOf(open, whence, offset);
    if (!Number.isNaN(start)) return move(start);
    return settled(() =>
      after(this.backEnd.size(open.file), (size) => move(placeOf(open, whence, offset, size)))
    );
  }

  /** See {@link FileCallsOf.flush}. */
  flush(handle: number): Awaitable<number> {
    const open = this.#files.find(handle);
    if (open === undefined) return BAD_HANDLE;
    if (!open.mode.write) return 0;
    return settled(() => after(this.backEnd.flush(open.file), () => 0));
  }

  /** See {@link FileCallsOf.truncate}. */
  truncate(handle: number, count: number): Awaitable<number> {
    const open = this.#files.find(handle);
    if (open === undefined) return BAD_HANDLE;
    if (!open.mode.write) return ACCESS;
    const bytes = count * open.elementSize;
    if (!(Number.isSafeInteger(bytes) && bytes >= 0)) return INVALID;
    for (const other of this.#files.all()) other.known = 0; // it may be the same file
    return settled(() => after(this.backEnd.truncate(open.file, bytes), () => 0));
  }

  /** See {@link FileCallsOf.trouble}. */
  trouble(handle: number): number {
    return this.#files.find(handle)?.trouble ?? BAD_HANDLE;
  }

  /** See {@link FileCallsOf.batch}. */
  batch(channel: number, pointer: number, count: number): Awaitable<number> {
    return serveBatch(this, this.kernel, channel, pointer, count);
  }

  /** See {@link FileCallsOf.submit}; here a batch is done as soon as it begins. */
  submit(channel: number, pointer: number, count: number): Awaitable<number> {
    return after(this.batch(channel, pointer, count), (done) => {
      if (done >= 0) this.#batches.set(channel, done);
      return Math.min(done, 0);
    });
  }

  /** See {@link FileCallsOf.busy}. */
  busy(): number {
    return 0;
  }

  /** See {@link FileCallsOf.finish}. */
  finish(channel: number): number {
    const done = this.#batches.get(channel);
    return done !== undefined && this.#batches.delete(channel) ? done : -STATUS.state;
  }

  /** Closes every file. Resolves, where closing takes time, when all are closed. */
  closeAll(): Awaitable<void> {
    const late = this.#files.all().map(({ handle }) => this.close(handle)).filter((done) =>
      typeof done !== "number"
    );
    if (late.length > 0) return Promise.all(late).then(() => {});
  }
}

function troubled(open: OpenFile, error: unknown): number {
  return open.trouble = failure(error);
}

/** The calls of a table, for a kernel on the same thread. Errors: `unsupported` if its files may answer late. */
export function directCalls(table: FileTable): FileCalls & {
  /** Closes all files that are open. */
  closeAll(): void;
} {
  if (table.backEnd.synchronous) return table as FileCallsOf<Awaitable<number>> as FileTable & FileCalls;
  const text = "Cannot read files on the thread of a kernel: they answer late; use the route `rpc`";
  throw new TilewiseError("unsupported", text, { expected: "a synchronous back end" });
}
