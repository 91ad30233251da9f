/**
 * Calls about the program itself: arguments, environment, clocks, random numbers, its end. Sockets there are none.
 *
 * @module
 */

import { CLOCK } from "../common/codes.ts";
import { ERRNO, refuse } from "../common/errno.ts";
import type { ProgramState, WasiCalls } from "../common/state.ts";

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
): WasiCalls<
  | "args_sizes_get"
  | "args_get"
  | "environ_sizes_get"
  | "environ_get"
  | "clock_res_get"
  | "clock_time_get"
  | "random_get"
  | "proc_exit"
  | "proc_raise"
  | "sched_yield"
  | "sock_accept"
  | "sock_recv"
  | "sock_send"
  | "sock_shutdown"
> {
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
