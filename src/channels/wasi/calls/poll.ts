/**
 * The call `poll_oneoff`: sleeps, and descriptors that are ready.
 *
 * @module
 */

import { CLOCK, RIGHT } from "../common/codes.ts";
import type { Descriptors } from "../common/descriptors.ts";
import { ERRNO, Refusal, refuse } from "../common/errno.ts";
import type { GuestMemory } from "../common/guest_memory.ts";
import { clockTime } from "./process_calls.ts";
import type { ProgramState, WasiCalls } from "../common/state.ts";

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
export function pollCalls({ memory, descriptors, look }: ProgramState): WasiCalls<"poll_oneoff"> {
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
