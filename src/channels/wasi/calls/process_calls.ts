/**
 * Calls about the program itself: arguments, environment, clocks, random numbers, its end. There are no sockets.
 *
 * @module
 */

import { CLOCK, ERRNO, Refusal, refuse, RIGHT } from "../common/codes.ts";
import type { Descriptors, ProgramState } from "../common/descriptors.ts";
import type { GuestMemory } from "../common/guest_memory.ts";

/** Ends a program, with the code that it gives. */
export class Exit {
  /** The end with this code. */
  constructor(readonly code: number) {}
}

/** Nanoseconds between two values of a clock: no platform is coarser in a page that shares memory. */
const RESOLUTION = 5_000n;

/** Most bytes that the platform makes in one call. */
const MOST_RANDOM = 65536;

/** The calls about the program. */
export function processCalls(
  { memory, args, env, descriptors }: ProgramState,
) {
  const sizes = (texts: readonly Uint8Array[], count: number, bytes: number) => {
    memory.setU32(count, texts.length);
    memory.setU32(bytes, texts.reduce((sum, text) => sum + text.length, 0));
    return ERRNO.success;
  };
  const texts = (all: readonly Uint8Array[], list: number, buffer: number) => {
    let at = buffer >>> 0;
    for (const [index, text] of all.entries()) {
      memory.setU32((list >>> 0) + 4 * index, at);
      memory.span(at, text.length).set(text);
      at += text.length;
    }
    return ERRNO.success;
  };
  /** What a call for sockets answers: there are none, so that a descriptor is not a socket, or is not open. */
  const noSocket = (fd: number): number => (descriptors.get(fd), ERRNO.notsock);
  return {
    args_sizes_get: (count: number, bytes: number): number => sizes(args, count, bytes),
    args_get: (list: number, buffer: number): number => texts(args, list, buffer),
    environ_sizes_get: (count: number, bytes: number): number => sizes(env, count, bytes),
    environ_get: (list: number, buffer: number): number => texts(env, list, buffer),
    clock_res_get(clock: number, result: number): number {
      clockTime(clock);
      memory.setU64(result, RESOLUTION);
      return ERRNO.success;
    },
    clock_time_get(clock: number, _precision: bigint, result: number): number {
      memory.setU64(result, clockTime(clock));
      return ERRNO.success;
    },
    random_get(buffer: number, length: number): number {
      const bytes = memory.span(buffer, length);
      for (let at = 0; at < bytes.length; at += MOST_RANDOM) {
        crypto.getRandomValues(bytes.subarray(at, at + MOST_RANDOM));
      }
      return ERRNO.success;
    },
    proc_exit(code: number): number {
      throw new Exit(code >>> 0);
    },
    proc_raise: (): number => ERRNO.notsup,
    sched_yield: (): number => ERRNO.success,
    sock_accept: noSocket,
    sock_recv: noSocket,
    sock_send: noSocket,
    sock_shutdown: noSocket,
  };
}

/** Nanoseconds on a clock. What time the processor spent is unknown here: `notsup`. */
export function clockTime(clock: number): bigint {
  if (clock === CLOCK.realtime) return nanoseconds(performance.timeOrigin + performance.now());
  if (clock === CLOCK.monotonic) return nanoseconds(performance.now());
  return refuse(clock === CLOCK.processCpuTime || clock === CLOCK.threadCpuTime ? ERRNO.notsup : ERRNO.inval);
}

/** Milliseconds as nanoseconds; whole microseconds, as a double has no more digits. */
function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds * 1000)) * 1000n;
}

// The call `poll_oneoff`: sleeps, and descriptors that are ready.

/** Bytes of a subscription and of an event. */
const SUBSCRIPTION = 48, EVENT = 32;

/** Kinds of events. */
const KIND = { clock: 0, read: 1, write: 2 } as const;

/** The flag of an event: nothing will come any more. */
const HANGUP = 1;

/** The flag of a clock: the time is not relative. */
const ABSOLUTE = 1;

/** Milliseconds between two checks of a sleeping program whether it was told to stop. */
const LOOK = 50;

/** What a program waits for. */
interface Subscription {
  readonly userdata: bigint;
  readonly kind: number;
  /** When it is over, on the monotonic clock; 0 for descriptors, which are always ready. */
  readonly due: bigint;
  readonly fd: number;
  /** An error of the subscription itself, 0 if there is none. */
  readonly errno: number;
}

/** The call `poll_oneoff`. */
export function pollCalls({ memory, descriptors, look }: ProgramState) {
  return {
    poll_oneoff(list: number, events: number, count: number, result: number): number {
      if (count === 0) refuse(ERRNO.inval);
      memory.span(list, (count >>> 0) * SUBSCRIPTION);
      memory.span(events, (count >>> 0) * EVENT);
      memory.u32(result);
      const all = Array.from(
        { length: count >>> 0 },
        (_, i) => subscription(memory, (list >>> 0) + i * SUBSCRIPTION),
      );
      sleepUntil(all.reduce((first, { due }) => due < first ? due : first, all[0]!.due), look);
      const now = clockTime(CLOCK.monotonic);
      const over = all.filter(({ due }) => due <= now);
      for (const [i, one] of over.entries()) writeEvent(memory, descriptors, (events >>> 0) + i * EVENT, one);
      memory.setU32(result, over.length);
      return ERRNO.success;
    },
  };
}

function subscription(memory: GuestMemory, at: number): Subscription {
  const [userdata, kind] = [memory.u64(at), memory.span(at + 8, 1)[0]!];
  if (kind !== KIND.clock) {
    const errno = kind === KIND.read || kind === KIND.write ? 0 : ERRNO.inval;
    return { userdata, kind, due: 0n, fd: memory.u32(at + 16), errno };
  }
  const [clock, timeout, flags] = [memory.u32(at + 16), memory.u64(at + 24), memory.u16(at + 40)];
  try {
    const start = clockTime(clock);
    const wait = flags & ABSOLUTE ? timeout - start : timeout;
    return { userdata, kind, due: clockTime(CLOCK.monotonic) + wait, fd: 0, errno: 0 };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { userdata, kind, due: 0n, fd: 0, errno: error.errno };
  }
}

/** Sleeps until a time on the monotonic clock, in short steps. */
function sleepUntil(due: bigint, look: () => void): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const left = Number(due - clockTime(CLOCK.monotonic)) / 1e6;
    if (left <= 0) return;
    Atomics.wait(cell, 0, 0, Math.min(left, LOOK));
    look();
  }
}

function writeEvent(memory: GuestMemory, descriptors: Descriptors, at: number, one: Subscription): void {
  memory.span(at, EVENT).fill(0);
  memory.setU64(at, one.userdata);
  memory.setU8(at + 10, one.kind);
  const { errno, left, hangup } = one.kind === KIND.clock || one.errno
    ? { ...ready, errno: one.errno }
    : readiness(descriptors, one);
  memory.setU16(at + 8, errno);
  memory.setU64(at + 16, BigInt(left));
  memory.setU16(at + 24, hangup);
}

const ready = { errno: 0, left: 0, hangup: 0 };

/** How ready a descriptor is: all of them are, but a stream may have ended. */
function readiness(descriptors: Descriptors, { fd, kind }: Subscription): typeof ready {
  try {
    const { node } = descriptors.get(fd, RIGHT.pollFdReadwrite);
    if (node.kind !== "input" || kind !== KIND.read) return ready;
    const left = node.bytes.length - node.at;
    return { errno: 0, left, hangup: left === 0 ? HANGUP : 0 };
  } catch (error) {
    if (error instanceof Refusal) return { ...ready, errno: error.errno };
    throw error;
  }
}
