/**
 * The file calls of a kernel, whoever answers them, and their numbers on a channel.
 *
 * @module
 */

import type { Awaitable } from "../backends/back_end.ts";
import type { Call, Functions } from "../protocol/runner.ts";
import { MAX_NAME_BYTES, MAX_SLOTS } from "../protocol/channel.ts";
import { failure } from "../protocol/status.ts";

/** What comes before the numbers of a call: a handle, or a channel and one name, two names or none. */
type Form = "handle" | "name" | "names" | "channel";

/** The functions that a channel can call for files: the number of each one, in 1 … 31, and its form. */
export const FILE_CALLS = {
  open: [1, "name"],
  read: [2, "handle"],
  write: [3, "handle"],
  close: [4, "handle"],
  size: [5, "handle"],
  readBuffer: [6, "handle"],
  writeBuffer: [7, "handle"],
  seek: [8, "handle"],
  flush: [9, "handle"],
  truncate: [10, "handle"],
  stat: [11, "name"],
  list: [12, "name"],
  remove: [13, "name"],
  mkdir: [14, "name"],
  batch: [15, "channel"],
  trouble: [16, "handle"],
  rename: [17, "names"],
  look: [18, "name"],
  setTimes: [19, "name"],
  link: [20, "names"],
  symlink: [21, "names"],
  readLink: [22, "name"],
} as const satisfies Record<string, readonly [number: number, form: Form]>;

/** The names of the calls of a form. */
export type CallsOfForm<F extends Form> = {
  [K in keyof typeof FILE_CALLS]: (typeof FILE_CALLS)[K][1] extends F ? K : never;
}[keyof typeof FILE_CALLS];

/** The numbers of {@link FILE_CALLS}. */
export const FILE = Object.fromEntries(
  Object.entries(FILE_CALLS).map(([name, [number]]) => [name, number]),
) as { readonly [K in keyof typeof FILE_CALLS]: (typeof FILE_CALLS)[K][0] };

/**
 * Two times as numbers: seconds since 1970 and nanoseconds behind them, when it was read, and when it was written.
 * @category Channels
 */
export type SplitTimes = [accessed: number, accessedRest: number, modified: number, modifiedRest: number];

/**
 * The calls that a kernel can make. A result below zero is a negative status; counts, offsets and sizes are in elements of
 * the file. Numbers, not objects, because they cross the border to WebAssembly. Names are UTF-8.
 *
 * `N` is `number`, or {@link Awaitable} where the files of the platform may answer late.
 * @category Channels
 */
export interface FileCallsOf<N> {
  /** Opens a file, whose elements have `elementSize` bytes (absent or 0: those of the host): a handle above zero. */
  open(channel: number, mode: number, name: Uint8Array, elementSize?: number): N;
  /** Reads up to `count` elements to `pointer`; the elements read, fewer at the end of the file. */
  read(handle: number, pointer: number, count: number, whence: number, offset: number): N;
  /** Writes `count` elements from `pointer`; the elements written. */
  write(handle: number, pointer: number, count: number, whence: number, offset: number): N;
  /** Reads to the buffer of the channel, from its element `at` on. */
  readBuffer(handle: number, at: number, count: number, whence: number, offset: number): N;
  /** Writes from the buffer of the channel, from its element `at` on. */
  writeBuffer(handle: number, at: number, count: number, whence: number, offset: number): N;
  /** Closes a file; its handle becomes invalid, also for other users of it. */
  close(handle: number): N;
  /** Whole elements in a file. */
  size(handle: number): N;
  /** Moves the cursor; the whole elements before it. `seek(handle, WHENCE.current, 0)` says where it is. */
  seek(handle: number, whence: number, offset: number): N;
  /** Makes sure that what was written would survive a loss of power; 0. */
  flush(handle: number): N;
  /** Makes a file `count` elements long, with zeros where it grows; 0. The cursor stays. */
  truncate(handle: number, count: number): N;
  /** The negative status that cut the latest transfer of a file short, 0 if none did. */
  trouble(handle: number): N;
  /** Writes a record of 24 bytes, see {@link STAT}, to `pointer`; 0. */
  stat(channel: number, name: Uint8Array, pointer: number): N;
  /** Bytes of all names in a directory, each one followed by a 0; writes them to `pointer` if they fit in `capacity` bytes. */
  list(channel: number, name: Uint8Array, pointer: number, capacity: number): N;
  /** Removes a file or an empty directory; 0. */
  remove(channel: number, name: Uint8Array): N;
  /** Makes a directory; 0. */
  mkdir(channel: number, name: Uint8Array): N;
  /** Gives a file or directory the name `to`; 0. What had that name is replaced as in POSIX. Both names share the name area. */
  rename(channel: number, name: Uint8Array, to: Uint8Array): N;
  /** Writes a record of 56 bytes about a name, see {@link NODE}, to `pointer`; 0. Its last link is followed if `follow` is 1. */
  look(channel: number, name: Uint8Array, pointer: number, follow: number): N;
  /** Sets the times of a name; 0. */
  setTimes(channel: number, name: Uint8Array, follow: number, ...times: SplitTimes): N;
  /** Adds a second name to a file; 0. */
  link(channel: number, name: Uint8Array, to: Uint8Array): N;
  /** Makes a link that leads to `text`; 0. */
  symlink(channel: number, text: Uint8Array, name: Uint8Array): N;
  /** Bytes of where a link leads; writes them to `pointer` if they fit in `capacity` bytes. */
  readLink(channel: number, name: Uint8Array, pointer: number, capacity: number): N;
  /** Does `count` queued transfers, whose descriptors are at `pointer`, in their order; how many it did. See `batch.ts`. */
  batch(channel: number, pointer: number, count: number): N;
  /** Begins a batch; the channel is taken until {@link finish}. 0, or a negative status. */
  submit(channel: number, pointer: number, count: number): N;
  /** Whether a batch that was begun is still under way: 1 or 0. */
  busy(channel: number): N;
  /** Waits for the end of a batch that was begun, and lets its channel go: how many transfers it did. */
  finish(channel: number): N;
}

/**
 * File calls that answer at once; see {@link FileCallsOf}.
 * @category Channels
 */
export interface FileCalls extends FileCallsOf<number> {
  /**
   * For a file of a work group: whether the latest transfer fell short of what member 0 asked for. Absent, or `undefined`, where
   * the caller knows that from its own count.
   */
  wasShort?(handle: number): boolean | undefined;
}

/** Whether a transfer of `count` elements, of which `done` were moved, fell short. */
export function fellShort(calls: FileCalls, handle: number, count: number, done: number): boolean {
  return calls.wasShort?.(handle) ?? done < count;
}

/** The record of `stat`: doubles at byte 0 and 8 (bytes; milliseconds since 1970 or NaN), and a word at byte 16. */
export const STAT = { bytes: 0, modified: 8, kind: 16, length: 24, file: 1, directory: 2 } as const;

/**
 * The record of `look`: that of `stat`, a word for the names that a file has, and 64-bit integers for its number and for its
 * times in nanoseconds since 1970.
 */
export const NODE = {
  ...STAT,
  link: 3,
  links: 20,
  number: 24,
  accessed: 32,
  written: 40,
  changed: 48,
  length: 56,
} as const;

/** The channel that a handle belongs to. */
export function channelOf(handle: number): number {
  return (handle >> 10) & (MAX_SLOTS - 1);
}

/** The name that goes with a call. A length that cannot be, which a kernel may have written, gives a name that cannot be. */
function nameOf({ channels, name, nameLength }: Call): Uint8Array {
  const length = Math.max(0, Math.min(nameLength, MAX_NAME_BYTES + 1));
  return new Uint8Array(channels.memory.buffer, name, length);
}

/** Two names in one, with a NUL between them, which no name contains. */
export function joinNames(name: Uint8Array, to: Uint8Array): Uint8Array {
  const both = new Uint8Array(name.length + 1 + to.length);
  both.set(name);
  both.set(to, name.length + 1);
  return both;
}

function twoNames(call: Call): [name: Uint8Array, to: Uint8Array] {
  const both = nameOf(call), end = both.indexOf(0);
  return end < 0 ? [both, both.subarray(0, 0)] : [both.subarray(0, end), both.subarray(end + 1)];
}

/** A call of any form. */
type AnyCall = (...args: unknown[]) => Awaitable<number>;

/** What the host does for the calls of {@link FILE_CALLS}, and counts the bytes it moved. */
export function fileFunctions(files: HostFiles): Functions {
  const numbers = (call: Call) => [call.arg(0), call.arg(1), call.arg(2), call.arg(3), call.arg(4)];
  const forms: Record<Form, (act: AnyCall) => (call: Call) => Awaitable<number>> = {
    handle: (act) => (call) => act(...numbers(call)),
    name: (act) => (call) => act(call.channel, nameOf(call), ...numbers(call)),
    names: (act) => (call) => act(call.channel, ...twoNames(call)),
    channel: (act) => (call) => act(call.channel, ...numbers(call)),
  };
  const open: AnyCall = (channel, name, mode, size) =>
    files.open(channel as number, mode as number, name as Uint8Array, size as number);
  const counted = (answer: (call: Call) => Awaitable<number>) => (call: Call) => {
    const result = answer(call);
    if (typeof result !== "number") return result.then((result) => count(call, result));
    return count(call, result);
  };
  const count = (call: Call, result: number) => {
    const moved = files.takeMoved(call.channel);
    if (moved > 0) call.moved(moved);
    return result;
  };
  return new Map(
    Object.entries(FILE_CALLS).map(([name, [number, form]]) => {
      const act = name === "open" ? open : (files[name as keyof typeof FILE_CALLS] as AnyCall).bind(files);
      return [number, counted(forms[form](act))];
    }),
  );
}

/** Files that a host serves. */
interface HostFiles extends Omit<FileCallsOf<Awaitable<number>>, "submit" | "busy" | "finish"> {
  /** Bytes that were read and written for a channel since the latest such question. */
  takeMoved(channel: number): number;
}

// Values that may come late, without a promise where they do not.

/** Goes on with a value as soon as it is there: at once if it is. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The result of `act`, or the negative status for what it throws, now or later. */
export function settled(act: () => Awaitable<number>): Awaitable<number> {
  try {
    const result = act();
    return typeof result === "number" ? result : result.catch(failure);
  } catch (error) {
    return failure(error);
  }
}
