/**
 * What a kernel in TypeScript has: its memory, its channel with a buffer, and the calls.
 *
 * @module
 */

import { type ChannelLayout, Channels } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import type { FileCalls } from "./calls.ts";

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
    const outside = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
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
