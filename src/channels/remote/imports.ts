/**
 * The imports of a kernel that calls functions of the host.
 *
 * | import | returns |
 * |---|---|
 * | `rpc_find(channel, name, nameLength): i32` | the number of a function, or a negative status |
 * | `rpc_call(channel, fn, args, count, flags, result): i32` | 0 when the call has been answered, or a negative status |
 * | `rpc_submit(channel, fn, args, count, flags): i32` | a ticket above zero, or a negative status |
 * | `rpc_try(ticket): i32` | 1 if the answer is there, 0 if it is not, or a negative status |
 * | `rpc_wait(ticket, milliseconds: f64): i32` | the same, after at most so long; `Infinity` is allowed |
 * | `rpc_get(ticket, result): i32` | 0 when the answer is there, or a negative status; again and again until the release |
 * | `rpc_acquire(channel): i32`, `rpc_release(channel): i32` | 0, or a negative status |
 * | `rpc_bytes(channel, to, capacity): i32` | bytes of the latest result of the channel; copies those that fit |
 * | `rpc_message(channel, to, capacity): i32` | bytes of the message of the latest failure, in UTF-8; copies those that fit |
 * | `timestamp(): f64` | nanoseconds since the host was started |
 *
 * `args` is the address of `count` words of 8 bytes, a multiple of 8: an `f64`, an `i64`, or for bytes and texts their address and
 * then their length, 32 bits each. `result` is the address of such a word or 0; of bytes and texts it gets the length, as `i64`.
 * Flags: 1 keeps the call on the runner that has the files of the channel, 2 sends and fetches bytes piece by piece.
 *
 * @module
 */

import type { BusyPolicy } from "../protocol/caller.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import type { Signature } from "./function.ts";
import { halves, type Packed, textOf } from "./values.ts";
import { RemoteWire, type WireResult } from "./wire.ts";

/** Flags of a call. */
const FLAGS = { home: 1, stream: 2 } as const;

/** More than there are channels: a ticket is a generation and a channel. */
const TICKETS = 1024;

/**
 * The imports of one kernel instance; see the table above.
 * @category Channels
 */
export type RemoteImports = Readonly<Record<`rpc_${string}` | "timestamp", (...args: number[]) => number>>;

/**
 * The imports of a kernel in `memory` that calls functions of the host of the channels at `layout`.
 *
 * @param channels the memory of the channels. Default: that of the kernel
 * @category Channels
 */
export function remoteImports(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  busy: BusyPolicy = "wait",
  channels: WebAssembly.Memory = memory,
): RemoteImports {
  let made: KernelSide | undefined;
  const side = () => made ??= new KernelSide(memory, new RemoteWire(channels, layout, busy)); // few kernels make calls
  return {
    rpc_find: (channel, name, length) => side().find(channel, name >>> 0, length),
    rpc_call: (channel, fn, args, count, flags, result) =>
      side().call(channel, fn, args >>> 0, count, flags, result >>> 0),
    rpc_submit: (channel, fn, args, count, flags) => side().submit(channel, fn, args >>> 0, count, flags),
    rpc_try: (ticket) => side().wire.wait(ticket, 0),
    rpc_wait: (ticket, timeout) => side().wire.wait(ticket, timeout),
    rpc_get: (ticket, result) => side().get(ticket, result >>> 0),
    rpc_acquire: (channel) => side().wire.acquire(channel),
    rpc_release: (channel) => side().wire.release(channel),
    rpc_bytes: (channel, to, capacity) => side().bytes(side().wire.result(channel), to >>> 0, capacity),
    rpc_message: (_channel, to, capacity) => side().bytes(side().wire.message, to >>> 0, capacity),
    timestamp: () => side().wire.now(),
  };
}

/** Addresses of one kernel memory, and the calls that are made with them. */
class KernelSide {
  /** The function whose call each channel holds. */
  readonly #called = new Map<number, Signature>();

  constructor(private readonly memory: WebAssembly.Memory, readonly wire: RemoteWire) {}

  find(channel: number, pointer: number, length: number): number {
    if (!this.#has(pointer, length)) return -STATUS.invalid;
    const name = textOf(new Uint8Array(new Uint8Array(this.memory.buffer, pointer, length)));
    const found = name === undefined ? -STATUS.invalid : this.wire.find(channel, name);
    return typeof found === "number" ? found : found.fn;
  }

  call(channel: number, fn: number, args: number, count: number, flags: number, result: number): number {
    const ready = this.#prepare(channel, fn, args, count, result);
    if (typeof ready === "number") return ready;
    const status = this.wire.call(channel, ready.signature, ready.packed, optionsOf(flags));
    return status < 0 ? status : this.#put(this.wire.result(channel), result);
  }

  submit(channel: number, fn: number, args: number, count: number, flags: number): number {
    const ready = this.#prepare(channel, fn, args, count, 0);
    if (typeof ready === "number") return ready;
    const ticket = this.wire.submit(channel, ready.signature, ready.packed, optionsOf(flags));
    if (ticket > 0) this.#called.set(channel, ready.signature);
    return ticket;
  }

  get(ticket: number, result: number): number {
    const channel = (ticket - 1) % TICKETS, signature = this.#called.get(channel);
    if (!(ticket > 0) || !signature) return -STATUS.state;
    if (result !== 0 && !this.#isWords(result, 1)) return -STATUS.invalid;
    const status = this.wire.get(channel, signature, ticket);
    return status < 0 ? status : this.#put(this.wire.result(channel), result);
  }

  /** Copies what fits of bytes: how many there are, or a negative status. */
  bytes(found: WireResult, to: number, capacity: number): number {
    if (!(found instanceof Uint8Array)) return -STATUS.state;
    if (!this.#has(to, capacity)) return -STATUS.invalid;
    new Uint8Array(this.memory.buffer).set(found.subarray(0, capacity), to);
    return found.length;
  }

  /** The function and its arguments, or a negative status. */
  #prepare(
    channel: number,
    fn: number,
    args: number,
    count: number,
    result: number,
  ): { readonly signature: Signature; readonly packed: Packed } | number {
    const signature = this.wire.find(channel, fn);
    if (typeof signature === "number") return signature;
    if (count !== signature.args.length) return -STATUS["no-function"];
    const areWords = (count === 0 || this.#isWords(args, count)) &&
      (result === 0 || this.#isWords(result, 1));
    const packed = areWords ? this.#packed(signature, args) : undefined;
    return packed ? { signature, packed } : -STATUS.invalid;
  }

  /** The arguments at `at`; `undefined` if one lies outside of the memory. */
  #packed({ args }: Signature, at: number): Packed | undefined {
    const view = new DataView(this.memory.buffer);
    const numbers: number[] = [], bytes: Uint8Array[] = [];
    for (const [i, type] of args.entries()) {
      const word = at + 8 * i;
      if (type === "f64") numbers.push(view.getFloat64(word, true));
      else if (type === "i64") numbers.push(...halves(view.getBigInt64(word, true)));
      else {
        const [pointer, length] = [view.getUint32(word, true), view.getUint32(word + 4, true)];
        if (!this.#has(pointer, length)) return undefined;
        bytes.push(new Uint8Array(this.memory.buffer, pointer, length));
        numbers.push(length);
      }
    }
    return { numbers, bytes, length: bytes.reduce((sum, part) => sum + part.length, 0) };
  }

  /** Writes a result to the word at `to`, unless that is 0. */
  #put(result: WireResult, to: number): number {
    if (to === 0) return 0;
    const view = new DataView(this.memory.buffer);
    if (typeof result === "number") view.setFloat64(to, result, true);
    else view.setBigInt64(to, typeof result === "bigint" ? result : BigInt(result?.length ?? 0), true);
    return 0;
  }

  #isWords(pointer: number, count: number): boolean {
    return pointer % 8 === 0 && this.#has(pointer, 8 * count);
  }

  #has(pointer: number, bytes: number): boolean {
    return bytes >= 0 && pointer + bytes <= this.memory.buffer.byteLength;
  }
}

function optionsOf(flags: number): { readonly spawn: boolean; readonly stream: boolean } {
  return { spawn: (flags & FLAGS.home) === 0, stream: (flags & FLAGS.stream) !== 0 };
}
