/**
 * Batches of reads for kernels in TypeScript: one call, many reads, taken in any order.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { HOST } from "../protocol/channel.ts";
import { STATUS, statusError } from "../protocol/status.ts";
import { DESCRIPTOR, QUEUE, sleepUntilDone } from "./batch.ts";
import { FILE } from "./calls.ts";
import type { KernelRoom } from "./kernel_room.ts";
import { WHENCE } from "./modes.ts";

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
export interface ReadFrom {
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
