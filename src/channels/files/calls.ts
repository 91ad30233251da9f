/**
 * The file calls of a kernel, whoever answers them, and their numbers on a channel.
 *
 * @module
 */

import { MAX_SLOTS } from "../protocol/channel.ts";
import type { Call, Functions } from "../protocol/call.ts";

/** The functions that a channel can call for files; each one has a number in 1 … 31. */
export const FILE = { open: 1, read: 2, write: 3, close: 4, size: 5 } as const;

/**
 * The calls that a kernel can make. A result below zero is a negative status; counts, offsets and sizes are in
 * elements. Numbers, not objects, because they cross the border to WebAssembly.
 * @category Channels
 */
export interface FileCalls {
  /** Opens the file named by the UTF-8 bytes at `name`: a handle above zero. */
  open(channel: number, mode: number, name: number, nameLength: number): number;
  /** Reads up to `count` elements to `pointer`; the elements read, fewer at the end of the file. */
  read(handle: number, pointer: number, count: number, whence: number, offset: number): number;
  /** Writes `count` elements from `pointer`; the elements written. */
  write(handle: number, pointer: number, count: number, whence: number, offset: number): number;
  /** Closes a file; its handle becomes invalid, also for other users of it. */
  close(handle: number): number;
  /** Whole elements in a file. */
  size(handle: number): number;
}

/** The channel that a handle belongs to. */
export function channelOf(handle: number): number {
  return (handle >> 10) & (MAX_SLOTS - 1);
}

/** What the host does for the calls of {@link FILE}. */
export function fileFunctions(files: FileCalls): Functions {
  return new Map<number, (call: Call) => number>([
    [FILE.open, (call) => files.open(call.channel, call.arg(0), call.name, call.nameLength)],
    [FILE.read, (call) => files.read(call.arg(0), call.arg(1), call.arg(2), call.arg(3), call.arg(4))],
    [FILE.write, (call) => files.write(call.arg(0), call.arg(1), call.arg(2), call.arg(3), call.arg(4))],
    [FILE.close, (call) => files.close(call.arg(0))],
    [FILE.size, (call) => files.size(call.arg(0))],
  ]);
}
