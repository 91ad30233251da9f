/**
 * Work groups: several workers that do one thing together, with a barrier in 64 bytes of shared memory.
 *
 * ```text
 *   word 0   members that have arrived at the barrier        word 2   0, or the negative status with which the group broke
 *   word 1   generation: barriers that the group has passed  word 3   members
 *   byte 16  two values that member 0 hands to the others, for even and odd generations
 *   byte 32  free for who starts the group
 * ```
 *
 * Who arrives last sets the count back, then the generation on, then wakes the others: nobody can arrive for the next
 * barrier before the count is back. A value belongs to a generation, and its place is used again two barriers later, when
 * every member has read it: handing a value on therefore takes one barrier.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sleep, Watch } from "../protocol/sleep.ts";
import { STATUS } from "../protocol/status.ts";
import { type CallsOfForm, FILE_CALLS, type FileCalls } from "./calls.ts";

/** Bytes of the block of a group. */
export const GROUP_BYTES = 64;

/** First byte in the block that whoever starts the group may use as it likes. */
export const GROUP_FREE = 32;

const ARRIVED = 0, GENERATION = 1, BROKEN = 2, MEMBERS = 3, VALUES = 2;

/** Milliseconds between two looks of a waiting member whether the host still serves. */
const LOOK = 250;

/**
 * Where the block of a group is: plain data for a job.
 * @category Channels
 */
export interface GroupAt {
  /** Address of the block, a multiple of 8. */
  readonly offset: number;
  /** How many members the group has. */
  readonly members: number;
}

/** Prepares the block of a group, before any member uses it. */
export function resetGroup(memory: WebAssembly.Memory, { offset, members }: GroupAt): void {
  if (!(Number.isSafeInteger(members) && members >= 1 && offset % 8 === 0)) {
    const found = `${members} members at address ${offset}`;
    throw new TilewiseError("invalid", `Cannot make a group of ${found}: it has 1 member or more`, { found });
  }
  const words = new Int32Array(memory.buffer, offset, GROUP_BYTES / 4);
  words.fill(0);
  words[MEMBERS] = members;
}

/**
 * Ends all waits in a group with the negative `status`, now and later: for whoever finds that a member died. The first
 * status stays.
 */
export function breakGroup(memory: WebAssembly.Memory, { offset }: GroupAt, status: number): void {
  const words = new Int32Array(memory.buffer, offset, GROUP_BYTES / 4);
  Atomics.compareExchange(words, BROKEN, 0, status);
  Atomics.notify(words, GENERATION);
}

/**
 * One member's view of its group. Its thread must be allowed to block.
 * @category Channels
 */
export class Group {
  readonly #words: Int32Array;
  readonly #values: Float64Array;
  readonly #watch = new Watch();

  /** Member `local` of the group at `at`; `ended` says whether the host has stopped, so that nobody will come any more. */
  constructor(
    readonly memory: WebAssembly.Memory,
    readonly at: GroupAt,
    readonly local: number,
    readonly ended: () => boolean = () => false,
  ) {
    this.#words = new Int32Array(memory.buffer, at.offset, GROUP_BYTES / 4);
    this.#values = new Float64Array(memory.buffer, at.offset, GROUP_BYTES / 8);
  }

  /** Waits until all members are here: 0, or the negative status with which the group ended. */
  barrier(): number {
    const words = this.#words;
    const seen = Atomics.load(words, GENERATION);
    if (Atomics.load(words, BROKEN) !== 0) return Atomics.load(words, BROKEN);
    if (Atomics.add(words, ARRIVED, 1) + 1 < this.at.members) return this.#wait(seen);
    Atomics.store(words, ARRIVED, 0);
    Atomics.add(words, GENERATION, 1);
    Atomics.notify(words, GENERATION);
    return 0;
  }

  #wait(seen: number): number {
    const words = this.#words;
    while (Atomics.load(words, GENERATION) === seen) {
      const broken = Atomics.load(words, BROKEN);
      if (broken !== 0) return broken;
      if (this.ended()) breakGroup(this.memory, this.at, -STATUS.closed);
      else if (!this.#watch.changes(words, GENERATION, seen)) {
        sleep(words, GENERATION, seen, LOOK);
        this.#watch.woke();
      }
    }
    return 0;
  }

  /**
   * Member 0 computes a value, all members get it: the value, or the negative status with which the group ended. What `make`
   * throws reaches member 0 alone, after the others got the status `failed`.
   */
  share(make: () => number): number {
    const place = VALUES + (Atomics.load(this.#words, GENERATION) & 1);
    let thrown: { readonly error: unknown } | undefined;
    if (this.local === 0) {
      try {
        this.#values[place] = make();
      } catch (error) {
        thrown = { error };
        this.#values[place] = -STATUS.io;
      }
    }
    const status = this.barrier();
    if (thrown) throw thrown.error;
    return status === 0 ? this.#values[place]! : status;
  }
}

// File calls of a work group: every member makes them, member 0 does them, all get the same result.
//
// A file belongs to the group if it was opened with {@link TOGETHER} in its mode; a bit of its handle says so. The arguments
// of the other members do not matter, except that all name a file of the group; destinations are in the memory that all share.
// Other files are those of one member, as ever. The calls about names, and batches, are those of one member too.

/** Added to the number of a mode: the file is opened by all members of the group. */
export const TOGETHER = 16;

/** The bit of a handle of a file of the group. */
const OURS = 1 << 30;

/** More than a transfer can have elements. */
const SHORT = 2 ** 40;

const isOurs = (handle: number) => handle > 0 && (handle & OURS) !== 0;

/** `calls` as a member of `group` makes them: those for files of the group are done by member 0. */
export function groupCalls(calls: FileCalls, group: Group): FileCalls {
  /** Does a call for one file, by all members if it belongs to the group. */
  const shared = (handle: number, act: (handle: number) => number) =>
    !isOurs(handle) ? act(handle) : group.share(() => act(handle & ~OURS));
  let short = false;
  /** Does a transfer; what all share is the elements, and in a bit above them whether these are fewer than member 0 asked for. */
  const moved = (handle: number, count: number, act: (handle: number) => number) => {
    if (!isOurs(handle)) return act(handle);
    const result = group.share(() => {
      const done = act(handle & ~OURS);
      return done >= 0 && done < count ? done + SHORT : done;
    });
    short = result >= SHORT;
    return short ? result - SHORT : result;
  };
  return {
    ...ofOne(calls),
    open: (channel, mode, name, elementSize) => {
      if ((mode & TOGETHER) === 0) return calls.open(channel, mode, name, elementSize);
      const handle = group.share(() => calls.open(channel, mode & ~TOGETHER, name, elementSize));
      return handle > 0 ? handle | OURS : handle;
    },
    read: (handle, pointer, count, whence, offset) =>
      !isOurs(handle)
        ? calls.read(handle, pointer, count, whence, offset) // without a closure
        : moved(handle, count, (handle) => calls.read(handle, pointer, count, whence, offset)),
    write: (handle, pointer, count, whence, offset) =>
      !isOurs(handle)
        ? calls.write(handle, pointer, count, whence, offset)
        : moved(handle, count, (handle) => calls.write(handle, pointer, count, whence, offset)),
    readBuffer: (handle, at, count, whence, offset) =>
      moved(handle, count, (handle) => calls.readBuffer(handle, at, count, whence, offset)),
    writeBuffer: (handle, at, count, whence, offset) =>
      moved(handle, count, (handle) => calls.writeBuffer(handle, at, count, whence, offset)),
    wasShort: (handle) => isOurs(handle) ? short : undefined,
    close: (handle) => shared(handle, calls.close.bind(calls)),
    size: (handle) => shared(handle, calls.size.bind(calls)),
    seek: (handle, whence, offset) => shared(handle, (handle) => calls.seek(handle, whence, offset)),
    flush: (handle) => shared(handle, calls.flush.bind(calls)),
    truncate: (handle, count) => shared(handle, (handle) => calls.truncate(handle, count)),
    trouble: (handle) => shared(handle, calls.trouble.bind(calls)),
  };
}

/** The calls about names, and batches, which every member makes for itself. */
function ofOne(calls: FileCalls): Omit<FileCalls, CallsOfForm<"handle"> | "open" | "wasShort"> {
  const names = Object.entries(FILE_CALLS).filter(([, [, form]]) => form !== "handle").map(([name]) => name);
  const all = [...names, "submit", "busy", "finish"] as (keyof ReturnType<typeof ofOne>)[];
  return Object.fromEntries(all.map((name) => [name, calls[name].bind(calls)])) as unknown as FileCalls;
}
