/**
 * The imports of a kernel that does file I/O: `fs_open`, `fs_read` and the others, over either route.
 *
 * | import | returns |
 * |---|---|
 * | `fs_open(channel, mode, name, nameLength): i32` | a handle above zero, or a negative status |
 * | `fs_read(handle, pointer, count, whence, offset: f64): i32` | elements read; 0 on failure |
 * | `fs_write(handle, pointer, count, whence, offset: f64): i32` | elements written; 0 on failure |
 * | `fs_close(handle): i32` | 0, or a negative status |
 * | `fs_size(handle): f64` | elements in the file, or a negative status |
 * | `fs_last_error(channel): i32` | the status of the latest call on the channel, 0 if it went well |
 * | `fs_io_buffer(channel): usize` | address of the buffer of the channel, 0 if there is no such channel |
 * | `fs_max_count(): i32` | elements in that buffer |
 *
 * @module
 */

import { type ChannelLayout, Channels } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import { channelOf, type FileCalls } from "./calls.ts";

/**
 * The name of the module from which kernels import.
 * @category Channels
 */
export const IMPORT_MODULE = "channels";

/**
 * The imports of one kernel instance; see the table above.
 * @category Channels
 */
export interface FileImports extends Readonly<Record<string, (...args: number[]) => number>> {
  /** Opens a file. */
  readonly fs_open: (channel: number, mode: number, name: number, nameLength: number) => number;
  /** Reads elements. */
  readonly fs_read: Transfer;
  /** Writes elements. */
  readonly fs_write: Transfer;
  /** Closes a file. */
  readonly fs_close: (handle: number) => number;
  /** Elements in a file. */
  readonly fs_size: (handle: number) => number;
  /** Status of the latest call. */
  readonly fs_last_error: (channel: number) => number;
  /** Address of a channel's buffer. */
  readonly fs_io_buffer: (channel: number) => number;
  /** Elements in a channel's buffer. */
  readonly fs_max_count: () => number;
}

/**
 * A read or write as a kernel calls it.
 * @category Channels
 */
export type Transfer = (
  handle: number,
  pointer: number,
  count: number,
  whence: number,
  offset: number,
) => number;

/**
 * The imports for a kernel in `memory`, over `calls`; channel numbers are checked here for every route.
 * @category Channels
 */
export function fileImports(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  calls: FileCalls,
): FileImports {
  const channels = new Channels(memory, layout);
  const last = new Int32Array(layout.channels);
  const known = (channel: number) => channel >= 0 && channel < layout.channels;
  /** Notes the status of a call and hands its result on. */
  const noted = (channel: number, result: number) => {
    if (channel < last.length) last[channel] = result < 0 ? -result : 0;
    return result;
  };
  const count = (handle: number, result: number) => Math.max(0, noted(channelOf(handle), result));
  return {
    fs_open: (channel, mode, name, nameLength) => {
      if (!known(channel)) return -STATUS["bad-channel"];
      return noted(channel, calls.open(channel, mode, name >>> 0, nameLength));
    },
    fs_read: (handle, pointer, n, whence, offset) =>
      count(handle, calls.read(handle, pointer >>> 0, n, whence, offset)),
    fs_write: (handle, pointer, n, whence, offset) =>
      count(handle, calls.write(handle, pointer >>> 0, n, whence, offset)),
    fs_close: (handle) => noted(channelOf(handle), calls.close(handle)),
    fs_size: (handle) => noted(channelOf(handle), calls.size(handle)),
    fs_last_error: (channel) => known(channel) ? last[channel]! : STATUS["bad-channel"],
    fs_io_buffer: (channel) => known(channel) ? channels.buffer(channel) : 0,
    fs_max_count: () => layout.bufferLength,
  };
}
