/**
 * File calls that the host answers.
 *
 * What is wrong with a call in any case (its mode forbids it, it is more than the buffer holds) is found here, before the host
 * is asked. The bytes of a transfer go straight to their destination; the buffer of a channel limits a transfer all the
 * same, as programs written for such channels expect, unless transfers are cut into pieces: then a large one holds the runner
 * for one piece at a time, and others come in between.
 *
 * @module
 */

import { type BusyPolicy, Caller } from "../protocol/caller.ts";
import { type ChannelLayout, Channels, MAX_NAME_BYTES } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import { isBatch } from "./batch.ts";
import { channelOf, FILE, type FileCalls, joinNames } from "./calls.ts";
import { KernelBytes } from "./kernel_bytes.ts";
import { type FileMode, MODES, WHENCE } from "./modes.ts";

/**
 * What a transfer of more elements than the buffer of its channel holds does: it fails with the status `too-big` and moves
 * nothing, or it is cut into pieces, with the result of one transfer.
 * @category Channels
 */
export type OversizedPolicy = "fail" | "chunk";

/** What the calling side knows of a file that it has opened. */
interface Opened {
  readonly mode: FileMode;
  readonly elementSize: number;
}

/** File calls through channels. The calling thread must be allowed to block. */
export class RpcCalls implements FileCalls {
  readonly #caller: Caller;
  /** Closing waits for its channel in any case: a file that could not be closed would be lost. */
  readonly #closer: Caller;
  readonly #channels: Channels;
  /** The tickets of batches that were begun, by channel. */
  readonly #tickets = new Map<number, number>();
  readonly #opened = new Map<number, Opened>();
  readonly #room: number;
  readonly #kernel: KernelBytes;

  // what only the host can answer
  readonly readBuffer = this.#ofHandle(FILE.readBuffer);
  readonly writeBuffer = this.#ofHandle(FILE.writeBuffer);
  readonly size = this.#ofHandle(FILE.size);
  readonly seek = this.#ofHandle(FILE.seek);
  readonly flush = this.#ofHandle(FILE.flush);
  readonly truncate = this.#ofHandle(FILE.truncate);
  readonly trouble = this.#ofHandle(FILE.trouble);
  readonly stat = this.#ofName(FILE.stat);
  readonly list = this.#ofName(FILE.list);
  readonly remove = this.#ofName(FILE.remove);
  readonly mkdir = this.#ofName(FILE.mkdir);
  readonly look = this.#ofName(FILE.look);
  readonly setTimes = this.#ofName(FILE.setTimes);
  readonly readLink = this.#ofName(FILE.readLink);
  readonly rename = this.#ofNames(FILE.rename);
  readonly link = this.#ofNames(FILE.link);
  readonly symlink = this.#ofNames(FILE.symlink);

  /** Calls through the channels at `layout` in `memory`. */
  constructor(
    readonly memory: WebAssembly.Memory,
    readonly layout: ChannelLayout,
    busy: BusyPolicy = "wait",
    readonly oversized: OversizedPolicy = "fail",
  ) {
    this.#channels = new Channels(memory, layout);
    this.#caller = new Caller(memory, layout, busy);
    this.#closer = busy === "wait" ? this.#caller : new Caller(memory, layout, "wait");
    this.#kernel = new KernelBytes(memory);
    this.#room = layout.bufferLength * layout.elementSize;
  }

  /** See `FileCallsOf.open`. */
  open(channel: number, mode: number, name: Uint8Array, elementSize = 0): number {
    const handle = this.#named(channel, FILE.open, name, mode, elementSize);
    const info = MODES[mode];
    if (handle > 0 && info) {
      this.#opened.set(handle, { mode: info, elementSize: elementSize || this.layout.elementSize });
    }
    return handle;
  }

  /** See `FileCallsOf.read`. */
  read(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    const opened = this.#opened.get(handle);
    if (opened && !opened.mode.read) return -STATUS.access;
    const most = this.#most(opened);
    if (count <= most) return this.#call(FILE.read, handle, pointer, count, whence, offset);
    return this.#inPieces(FILE.read, handle, pointer, count, whence, offset, most);
  }

  /** See `FileCallsOf.write`. */
  write(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    const opened = this.#opened.get(handle);
    if (opened && !opened.mode.write) return -STATUS.access;
    const most = this.#most(opened);
    if (count <= most) return this.#call(FILE.write, handle, pointer, count, whence, offset);
    return this.#inPieces(FILE.write, handle, pointer, count, whence, offset, most);
  }

  /** Most elements of one transfer. */
  #most(opened: Opened | undefined): number {
    return opened ? Math.floor(this.#room / opened.elementSize) : this.layout.bufferLength;
  }

  #inPieces(
    fn: number,
    handle: number,
    pointer: number,
    count: number,
    whence: number,
    offset: number,
    most: number,
  ): number {
    if (this.oversized === "fail" || most === 0) return -STATUS["too-big"];
    const size = this.#opened.get(handle)?.elementSize ?? this.layout.elementSize;
    if (!this.#kernel.has(pointer, count * size)) return -STATUS.invalid;
    let done = 0;
    while (done < count) {
      const n = Math.min(most, count - done), first = done === 0;
      const got = this.#call(
        fn,
        handle,
        pointer + done * size,
        n,
        first ? whence : WHENCE.current,
        first ? offset : 0,
      );
      if (got < 0 && first) return got;
      done += Math.max(0, got);
      if (got < n) break;
    }
    return done;
  }

  /** See `FileCallsOf.close`. */
  close(handle: number): number {
    this.#opened.delete(handle);
    const channel = this.#channelOf(handle);
    return channel < 0 ? channel : this.#closer.call(channel, FILE.close, handle);
  }

  /** See `FileCallsOf.batch`. */
  batch(channel: number, pointer: number, count: number): number {
    return this.#caller.call(channel, FILE.batch, pointer, count);
  }

  /** See `FileCallsOf.submit`. */
  submit(channel: number, pointer: number, count: number): number {
    if (!isBatch(this.#kernel, pointer, count)) return -STATUS.invalid; // now, not when it is finished
    const ticket = this.#caller.submit(channel, FILE.batch, [pointer, count]);
    if (ticket > 0) this.#tickets.set(channel, ticket);
    return Math.min(ticket, 0);
  }

  /** See `FileCallsOf.busy`. */
  busy(channel: number): number {
    const ticket = this.#tickets.get(channel);
    return ticket !== undefined && this.#caller.poll(ticket) === 0 ? 1 : 0;
  }

  /** See `FileCallsOf.finish`. */
  finish(channel: number): number {
    const ticket = this.#tickets.get(channel);
    if (ticket === undefined) return -STATUS.state;
    this.#tickets.delete(channel);
    const done = this.#caller.get(ticket);
    const released = this.#caller.release(channel);
    return done < 0 ? done : released < 0 ? released : done;
  }

  #ofHandle(fn: number) {
    return (handle: number, a?: number, b?: number, c?: number, d?: number) =>
      this.#call(fn, handle, a, b, c, d);
  }

  #ofName(fn: number) {
    return (channel: number, name: Uint8Array, ...args: number[]) => this.#named(channel, fn, name, ...args);
  }

  #ofNames(fn: number) {
    return (channel: number, name: Uint8Array, to: Uint8Array) =>
      this.#named(channel, fn, joinNames(name, to));
  }

  /** A call with a name; bytes that are not in the memory of the channels are copied to where names go. */
  #named(channel: number, fn: number, name: Uint8Array, ...args: number[]): number {
    if (name.length > MAX_NAME_BYTES) return -STATUS["name-too-long"];
    if (name.buffer === this.memory.buffer) {
      const bytes = { pointer: name.byteOffset, length: name.length };
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = args;
      return this.#caller.call(channel, fn, a, b, c, d, e, bytes);
    }
    const held = this.#caller.acquire(channel);
    if (held < 0) return held;
    const pointer = this.#channels.name(channel);
    new Uint8Array(this.memory.buffer, pointer, name.length).set(name);
    const call = { acquire: false, name: { pointer, length: name.length } };
    return this.#caller.invoke(channel, fn, args, call);
  }

  #call(fn: number, handle: number, a = 0, b = 0, c = 0, d = 0): number {
    const channel = this.#channelOf(handle);
    return channel < 0 ? channel : this.#caller.call(channel, fn, handle, a, b, c, d);
  }

  /** The channel of a handle, or a negative status. */
  #channelOf(handle: number): number {
    const channel = channelOf(handle);
    return channel >= this.layout.channels || !(handle > 0) ? -STATUS["bad-handle"] : channel;
  }
}
