/**
 * The functions that a kernel imports, over either route. What each one takes and returns is in `import_table.ts`; a library
 * in AssemblyScript, see `library.ts`, gives kernels more pleasant names.
 *
 * @module
 */

import { type ChannelLayout, Channels, HOST } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import { DESCRIPTOR, QUEUE, sleepUntilDone } from "./batch.ts";
import { channelOf, fellShort, type FileCalls } from "./calls.ts";
import { type Group, groupCalls, TOGETHER } from "./group.ts";
import type { FILE_IMPORTS, FunctionsOf } from "./import_table.ts";
import { KernelBytes } from "./kernel_bytes.ts";

/**
 * The imports of one kernel instance.
 * @category Channels
 */
export type FileImports = FunctionsOf<typeof FILE_IMPORTS>;

/**
 * The place of a kernel in a grid of work groups.
 * @category Channels
 */
export interface GroupPlace {
  /** The group, with the number of this member. */
  readonly group: Group;
  /** The number of the group. */
  readonly id: number;
  /** How many groups there are. */
  readonly count: number;
}

/** A name that is refused by whoever opens. */
const NO_NAME = new Uint8Array();

/** Milliseconds between two looks of a waiting kernel whether the host still serves. */
const LOOK = 250;

/**
 * The imports for a kernel in `memory`, over `calls`; channel numbers are checked here for every route. Without a `place`, the
 * kernel is the only member of the only group.
 * @category Channels
 */
export function fileImports(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  calls: FileCalls,
  place?: GroupPlace,
): FileImports {
  const side = new KernelSide(memory, layout, place ? groupCalls(calls, place.group) : calls);
  return {
    ...openImports(side),
    ...transferImports(side),
    ...nameImports(side),
    ...batchImports(side),
    ...groupImports(place),
  };
}

/** What the functions of one instance share: the calls, and the status of the latest one per channel. */
class KernelSide {
  readonly channels: Channels;
  readonly bytes: KernelBytes;
  readonly last: Int32Array;
  readonly ended: Uint8Array;

  constructor(
    readonly memory: WebAssembly.Memory,
    readonly layout: ChannelLayout,
    readonly calls: FileCalls,
  ) {
    this.channels = new Channels(memory, layout);
    this.bytes = new KernelBytes(memory);
    this.last = new Int32Array(layout.channels);
    this.ended = new Uint8Array(layout.channels);
  }

  known(channel: number): boolean {
    return channel >= 0 && channel < this.layout.channels;
  }

  /** Notes the status of a call and hands its result on. */
  noted(channel: number, result: number): number {
    if (channel < this.last.length) this.last[channel] = result < 0 ? -result : 0;
    return result;
  }

  /** Notes how a transfer of `count` elements went; its count is 0 where it failed. */
  transferred(handle: number, count: number, result: number, read: boolean): number {
    const channel = channelOf(handle);
    if (result < 0) {
      this.noted(channel, result);
      this.ended[channel] = 0;
      return 0;
    }
    this.last[channel] = 0;
    const short = fellShort(this.calls, handle, count, result);
    if (read) this.ended[channel] = short ? 1 : 0;
    if (short && !read) this.noted(channel, this.calls.trouble(handle));
    return result;
  }

  /** Opens a file. Members of a group come here with any arguments, and all must go on to where they meet. */
  opened(channel: number, mode: number, name: Uint8Array | undefined, elementSize: number): number {
    const alone = (mode & TOGETHER) === 0;
    if (alone && !this.known(channel)) return -STATUS["bad-channel"];
    return this.noted(channel, this.calls.open(channel, mode, name ?? NO_NAME, elementSize));
  }

  /** Does a call about a name that lies in the memory. */
  named(channel: number, pointer: number, length: number, act: (name: Uint8Array) => number): number {
    if (!this.known(channel)) return -STATUS["bad-channel"];
    const name = this.name(pointer, length);
    return this.noted(channel, name ? act(name) : -STATUS.invalid);
  }

  /** The bytes of a name; absent if they are not in the memory. */
  name(pointer: number, length: number): Uint8Array | undefined {
    return this.bytes.has(pointer, length) ? this.bytes.all.subarray(pointer, pointer + length) : undefined;
  }

  /** Text of 16 bits a unit as UTF-8; half a surrogate pair gives a byte that no name has. */
  text(pointer: number, length: number): Uint8Array | undefined {
    if (!(pointer % 2 === 0 && this.bytes.has(pointer, length * 2))) return undefined;
    const units = new Uint16Array(this.memory.buffer, pointer, length).slice();
    const text = Array.from(units, (unit) => String.fromCharCode(unit)).join("");
    return text.isWellFormed() ? new TextEncoder().encode(text) : Uint8Array.of(255);
  }
}

function openImports(side: KernelSide) {
  const { calls, layout, channels } = side;
  const ofFile = <K extends "close" | "flush" | "size" | "seek" | "truncate">(name: K) => {
    const call = calls[name].bind(calls) as (handle: number, a: number, b: number) => number;
    return (handle: number, a = 0, b = 0) => side.noted(channelOf(handle), call(handle, a, b));
  };
  return {
    fs_open: (channel: number, mode: number, name: number, length: number, elementSize = 0) =>
      side.opened(channel, mode, side.name(name >>> 0, length), elementSize),
    fs_open_text: (channel: number, mode: number, text: number, length: number, elementSize = 0) =>
      side.opened(channel, mode, side.text(text >>> 0, length), elementSize),
    fs_close: ofFile("close"),
    fs_flush: ofFile("flush"),
    fs_size: ofFile("size"),
    fs_seek: ofFile("seek"),
    fs_truncate: ofFile("truncate"),
    fs_last_error: (channel: number) => side.known(channel) ? side.last[channel]! : STATUS["bad-channel"],
    fs_eof: (channel: number) => side.known(channel) ? side.ended[channel]! : 0,
    fs_io_buffer: (channel: number) => side.known(channel) ? channels.buffer(channel) : 0,
    fs_max_count: () => layout.bufferLength,
    fs_element_size: () => layout.elementSize,
    fs_channel_count: () => layout.channels,
    fs_abort: () => {
      channels.abort();
      return 0;
    },
  };
}

function transferImports(side: KernelSide) {
  const { calls } = side;
  return {
    fs_read: (handle: number, pointer: number, n: number, whence: number, offset: number) =>
      side.transferred(handle, n, calls.read(handle, pointer >>> 0, n, whence, offset), true),
    fs_write: (handle: number, pointer: number, n: number, whence: number, offset: number) =>
      side.transferred(handle, n, calls.write(handle, pointer >>> 0, n, whence, offset), false),
    fs_read_buffer: (handle: number, at: number, n: number, whence: number, offset: number) =>
      side.transferred(handle, n, calls.readBuffer(handle, at, n, whence, offset), true),
    fs_write_buffer: (handle: number, at: number, n: number, whence: number, offset: number) =>
      side.transferred(handle, n, calls.writeBuffer(handle, at, n, whence, offset), false),
  };
}

function nameImports(side: KernelSide) {
  const { calls } = side;
  return {
    fs_stat: (channel: number, name: number, length: number, pointer: number) =>
      side.named(channel, name >>> 0, length, (name) => calls.stat(channel, name, pointer >>> 0)),
    fs_list: (channel: number, name: number, length: number, pointer: number, capacity: number) =>
      side.named(channel, name >>> 0, length, (name) => calls.list(channel, name, pointer >>> 0, capacity)),
    fs_remove: (channel: number, name: number, length: number) =>
      side.named(channel, name >>> 0, length, (name) => calls.remove(channel, name)),
    fs_mkdir: (channel: number, name: number, length: number) =>
      side.named(channel, name >>> 0, length, (name) => calls.mkdir(channel, name)),
  };
}

function batchImports(side: KernelSide) {
  const { calls } = side;
  const begin = (how: "batch" | "submit") => (channel: number, pointer: number, count: number) =>
    side.known(channel)
      ? side.noted(channel, calls[how](channel, pointer >>> 0, count))
      : -STATUS["bad-channel"];
  return {
    fs_batch: begin("batch"),
    fs_submit: begin("submit"),
    fs_wait: (transfer: number, timeout: number) => waitFor(side, transfer >>> 0, timeout),
    fs_finish: (channel: number) =>
      side.known(channel) ? side.noted(channel, calls.finish(channel)) : -STATUS["bad-channel"],
  };
}

/** Waits for one transfer of a batch: 1 when it is done, 0 when the time is over, or a negative status. */
function waitFor({ bytes, memory, calls, channels }: KernelSide, transfer: number, timeout: number): number {
  if (!(transfer % 8 === 0 && bytes.has(transfer, DESCRIPTOR.bytes))) return -STATUS.invalid;
  const words = new Int32Array(memory.buffer, transfer, DESCRIPTOR.bytes / 4);
  const until = performance.now() + timeout;
  for (;;) {
    const busy = calls.busy(channelOf(words[DESCRIPTOR.handle / 4]!)) === 1;
    if (Atomics.load(words, 0) === QUEUE.done) return 1;
    if (channels.host === HOST.closed) return -STATUS.closed;
    if (!busy) return -STATUS.invalid; // nobody works on it
    const left = until - performance.now();
    if (!(left > 0)) return 0;
    sleepUntilDone(words, 0, Math.min(LOOK, left));
  }
}

/** What a kernel can ask about its place in a grid, also without a host. */
export function groupImports(place: GroupPlace | undefined) {
  const group = place?.group;
  return {
    group_barrier: () => group?.barrier() ?? 0,
    group_share: (value: number) => group?.share(() => value) ?? value,
    group_local: () => group?.local ?? 0,
    group_size: () => group?.at.members ?? 1,
    group_id: () => place?.id ?? 0,
    group_count: () => place?.count ?? 1,
  };
}
