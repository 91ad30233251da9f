/**
 * Batches of reads for kernels in TypeScript: one call, many reads, taken in any order.
 *
 * @module
 */

import { DESCRIPTOR, QUEUE, sleepUntilDone } from "./batch.ts";
import { FILE, type FileCalls } from "./calls.ts";
import { WHENCE } from "./modes.ts";
import { type ChannelLayout, Channels, HOST } from "../protocol/channel.ts";
import { STATUS, statusError } from "../protocol/status.ts";
import { TilewiseError } from "../../errors.ts";
import { bytesOf } from "../../space/bytes.ts";

/** Moves `count` elements at an address; `first`: it is the first piece of a transfer. */
type Move = (pointer: number, count: number, first: boolean) => number;

/** The place where a kernel in TypeScript works: one channel, for one thread at a time. */
export class KernelRoom {
  /** Address of the buffer of the channel. */
  readonly buffer: number;
  /** Bytes of that buffer. */
  readonly bufferBytes: number;
  /** Whether the host still serves. */
  readonly channels: Channels;

  /** The room of the kernel that uses `channel`. */
  constructor(
    readonly memory: WebAssembly.Memory,
    readonly layout: ChannelLayout,
    readonly calls: FileCalls,
    readonly channel: number,
  ) {
    this.channels = new Channels(memory, layout);
    this.buffer = this.channels.buffer(channel);
    this.bufferBytes = layout.bufferLength * layout.elementSize;
  }

  /** Bytes of the memory, as they are now. */
  bytes(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, pointer, length);
  }

  /**
   * Moves the elements of a view: at once if it lies in the memory, through the buffer of the channel in pieces if it does not.
   * The elements moved, or the negative status of the first piece.
   */
  transfer(view: ArrayBufferView, elementSize: number, move: Move, way: "in" | "out"): number {
    const total = view.byteLength / elementSize;
    if (view.buffer === this.memory.buffer) return move(view.byteOffset, total, true);
    const outside = bytesOf(view);
    const most = Math.floor(this.bufferBytes / elementSize);
    if (most === 0) return -STATUS["too-big"];
    let done = 0;
    do {
      const n = Math.min(most, total - done), at = done * elementSize;
      const inside = this.bytes(this.buffer, n * elementSize);
      if (way === "out") inside.set(outside.subarray(at, at + inside.length));
      const got = move(this.buffer, n, done === 0);
      if (got < 0 && done === 0) return got;
      if (way === "in" && got > 0) outside.set(inside.subarray(0, got * elementSize), at);
      done += Math.max(0, got);
      if (got < n) break;
    } while (done < total);
    return done;
  }
}

/**
 * One read of a batch.
 * @category Channels
 */
export interface Request {
  /** Where the elements go: a view in the memory of the kernel. */
  readonly view: ArrayBufferView;
  /** The first element in the file. */
  readonly offset: number;
}

/**
 * Reads that are under way. Dispose of it, or call `finish`, before the channel is used for something else.
 * @category Channels
 */
export interface Batch extends Disposable {
  /** How many reads there are. */
  readonly length: number;
  /** Waits for read `i`: the elements read. Errors: why it failed. */
  get(i: number): number;
  /** Waits for all: the elements that each one read. */
  finish(): number[];
}

/** The file of a batch. */
interface ReadFrom {
  /** Its handle. */
  readonly handle: number;
  /** Bytes of an element. */
  readonly elementSize: number;
  /** Its name. */
  readonly name: string;
}

/** Milliseconds between two looks whether the host still serves. */
const LOOK = 250;

/** Queues the reads in the buffer of the channel, and begins. Errors: `invalid` if they are too many for the buffer. */
export function beginBatch(room: KernelRoom, file: ReadFrom, requests: readonly Request[]): Batch {
  const most = Math.floor(room.bufferBytes / DESCRIPTOR.bytes);
  if (requests.length > most) {
    const text =
      `Cannot begin ${requests.length} reads at once: the buffer of the channel has room for ${most}`;
    throw new TilewiseError("invalid", text, { expected: most, found: requests.length });
  }
  const record = new DataView(room.memory.buffer, room.buffer, requests.length * DESCRIPTOR.bytes);
  for (const [i, request] of requests.entries()) queue(record, i, room, file, request);
  const begun = room.calls.submit(room.channel, room.buffer, requests.length);
  if (begun < 0) throw statusError(begun, `begin ${requests.length} reads of ${file.name}`);
  return new BatchUnderWay(room, file.name, requests.length);
}

function queue(
  record: DataView,
  i: number,
  room: KernelRoom,
  file: ReadFrom,
  { view, offset }: Request,
): void {
  const at = i * DESCRIPTOR.bytes;
  if (view.buffer !== room.memory.buffer) {
    const text = `Cannot read to a view outside of the memory of the kernel in a batch: request ${i}`;
    throw new TilewiseError("invalid", text, { found: i });
  }
  record.setInt32(at + DESCRIPTOR.fn, FILE.read, true);
  record.setInt32(at + DESCRIPTOR.handle, file.handle, true);
  record.setUint32(at + DESCRIPTOR.pointer, view.byteOffset, true);
  record.setInt32(at + DESCRIPTOR.count, view.byteLength / file.elementSize, true);
  record.setInt32(at + DESCRIPTOR.whence, WHENCE.begin, true);
  record.setFloat64(at + DESCRIPTOR.offset, offset, true);
  record.setInt32(at + DESCRIPTOR.state, QUEUE.queued, true);
}

class BatchUnderWay implements Batch {
  #over = false;
  readonly #words: Int32Array;
  readonly #results: Float64Array;

  constructor(private readonly room: KernelRoom, private readonly name: string, readonly length: number) {
    const { memory: { buffer }, buffer: at } = room;
    this.#words = new Int32Array(buffer, at, length * DESCRIPTOR.bytes / 4);
    this.#results = new Float64Array(buffer, at, length * DESCRIPTOR.bytes / 8);
  }

  get(i: number): number {
    if (!(Number.isInteger(i) && i >= 0 && i < this.length)) {
      throw new TilewiseError("invalid", `Cannot get read ${i}: there are ${this.length}`, { found: i });
    }
    const state = i * DESCRIPTOR.bytes / 4;
    while (Atomics.load(this.#words, state) !== QUEUE.done) {
      const busy = this.room.calls.busy(this.room.channel) === 1;
      if (!busy && Atomics.load(this.#words, state) !== QUEUE.done) throw this.#lost(i);
      if (busy) sleepUntilDone(this.#words, state, LOOK);
    }
    const result = this.#results[(i * DESCRIPTOR.bytes + DESCRIPTOR.result) / 8]!;
    if (result < 0) throw statusError(result, `do read ${i} of ${this.name}`);
    return result;
  }

  #lost(i: number): TilewiseError {
    const closed = this.room.channels.host !== HOST.open;
    return statusError(closed ? -STATUS.closed : -STATUS.lost, `do read ${i} of ${this.name}`);
  }

  finish(): number[] {
    const done = this.#over ? 0 : this.room.calls.finish(this.room.channel);
    this.#over = true;
    if (done < 0) throw statusError(done, `finish ${this.length} reads of ${this.name}`);
    return Array.from({ length: this.length }, (_, i) => this.get(i));
  }

  [Symbol.dispose](): void {
    if (!this.#over) this.room.calls.finish(this.room.channel);
    this.#over = true;
  }
}
