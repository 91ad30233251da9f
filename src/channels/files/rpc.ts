/**
 * File calls that the host answers.
 *
 * @module
 */

import { type BusyPolicy, Caller } from "../protocol/caller.ts";
import { type ChannelLayout, MAX_NAME_BYTES } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import { channelOf, FILE, type FileCalls } from "./calls.ts";

/** File calls through channels. The calling thread must be allowed to block. */
export class RpcCalls implements FileCalls {
  readonly #caller: Caller;
  readonly #memoryBytes: number;

  /** Calls through the channels at `layout` in `memory`. */
  constructor(memory: WebAssembly.Memory, layout: ChannelLayout, busy: BusyPolicy = "wait") {
    this.#caller = new Caller(memory, layout, busy);
    this.#memoryBytes = memory.buffer.byteLength;
  }

  /** See {@link FileCalls.open}. */
  open(channel: number, mode: number, name: number, nameLength: number): number {
    if (nameLength > MAX_NAME_BYTES) return -STATUS["name-too-long"];
    if (nameLength < 0 || name < 0 || name + nameLength > this.#memoryBytes) return -STATUS.invalid;
    return this.#caller.call(channel, FILE.open, mode, 0, 0, 0, 0, { pointer: name, length: nameLength });
  }

  /** See {@link FileCalls.read}. */
  read(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    return this.#transfer(FILE.read, handle, pointer, count, whence, offset);
  }

  /** See {@link FileCalls.write}. */
  write(handle: number, pointer: number, count: number, whence: number, offset: number): number {
    return this.#transfer(FILE.write, handle, pointer, count, whence, offset);
  }

  /** See {@link FileCalls.close}. */
  close(handle: number): number {
    return this.#transfer(FILE.close, handle, 0, 0, 0, 0);
  }

  /** See {@link FileCalls.size}. */
  size(handle: number): number {
    return this.#transfer(FILE.size, handle, 0, 0, 0, 0);
  }

  #transfer(
    fn: number,
    handle: number,
    pointer: number,
    count: number,
    whence: number,
    offset: number,
  ): number {
    const channel = channelOf(handle);
    if (channel >= this.#caller.layout.channels || handle <= 0) return -STATUS["bad-handle"];
    return this.#caller.call(channel, fn, handle, pointer, count, whence, offset);
  }
}
