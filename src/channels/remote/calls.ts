/**
 * Functions of the host for kernels in TypeScript: called by name, with the types of their declaration.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { oneOf, truth } from "../../options/rules.ts";
import type { BusyPolicy } from "../protocol/caller.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import { STATUS, statusError } from "../protocol/status.ts";
import type {
  RemoteArguments,
  RemoteFunction,
  RemoteFunctions,
  RemoteResultOf,
  Signature,
} from "./function.ts";
import { isOf, pack, type Packed, type RemoteValue, textOf } from "./values.ts";
import { RemoteWire, type WireResult } from "./wire.ts";

/**
 * The arguments of a function.
 * @category Channels
 */
export type ArgumentsOf<F> = F extends RemoteFunction<infer A, infer _R> ? RemoteArguments<A> : never;

/**
 * The result of a function.
 * @category Channels
 */
export type ReturnOf<F> = F extends RemoteFunction<infer _A, infer R> ? RemoteResultOf<R> : never;

/**
 * Options of {@link remoteCalls}.
 * @category Channels
 */
export interface RemoteOptions {
  /** What to do when another thread holds the channel. Default `wait`. */
  readonly busy?: BusyPolicy;
  /** Whether any runner may answer; false: the one that has the files of the channel. Default true. */
  readonly spawn?: boolean;
  /**
   * Whether arguments and results may be larger than the buffer of the channel: bytes travel piece by piece, up to 64 MiB, and
   * the runner that has the files of the channel answers. Default false.
   */
  readonly stream?: boolean;
}

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const REMOTE_OPTIONS: OptionNames<RemoteOptions> = {
  busy: oneOf("wait", "fail"), spawn: truth, stream: truth,
};

/**
 * A call that has been submitted. Its channel is held until it is released, or the value is disposed of.
 * @category Channels
 */
export interface RemoteTicket<T> extends Disposable {
  /** Whether the answer is there. */
  try(): boolean;
  /** Waits for the answer, at most so many milliseconds (default: without end): whether it is there. */
  wait(timeout?: number): boolean;
  /** Waits for the answer: the result, as often as it is asked. Throws what the function threw, as a typed error. */
  get(): T;
  /** Lets the channel go, after the answer. */
  release(): void;
}

/**
 * Calls of the functions `F` of a host, from one thread. Every method throws typed errors; `udf` has the message of an error
 * that the function threw.
 * @category Channels
 */
export interface RemoteCalls<F extends RemoteFunctions> {
  /** Calls a function through a channel and waits for its result. The thread must be allowed to block. */
  call<K extends string & keyof F>(channel: number, name: K, ...args: ArgumentsOf<F[K]>): ReturnOf<F[K]>;
  /** Calls a function without waiting; arguments and result must fit the buffer of the channel. */
  submit<K extends string & keyof F>(
    channel: number,
    name: K,
    ...args: ArgumentsOf<F[K]>
  ): RemoteTicket<ReturnOf<F[K]>>;
  /** Claims a channel for several calls, until it is released. */
  acquire(channel: number): void;
  /** Lets a channel go. Errors: `invalid` if this object does not hold it. */
  release(channel: number): void;
  /** Nanoseconds since the host was started. */
  timestamp(): number;
}

/**
 * Calls of the functions of a host, for a kernel in TypeScript. The type parameter is that of the functions, which the compiler
 * takes from their module without loading it.
 */
export function remoteCalls<F extends RemoteFunctions>(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  options: RemoteOptions = {},
): RemoteCalls<F> {
  checkOptionNames("remoteCalls()", options, REMOTE_OPTIONS);
  return new TypedCalls(memory, layout, options);
}

class TypedCalls<F extends RemoteFunctions> implements RemoteCalls<F> {
  readonly #wire: RemoteWire;
  readonly #spawn: boolean;
  readonly #stream: boolean;

  constructor(memory: WebAssembly.Memory, layout: ChannelLayout, options: RemoteOptions) {
    const { busy = "wait", spawn = true, stream = false } = options;
    this.#wire = new RemoteWire(memory, layout, busy);
    this.#spawn = spawn;
    this.#stream = stream;
  }

  call<K extends string & keyof F>(channel: number, name: K, ...args: ArgumentsOf<F[K]>): ReturnOf<F[K]> {
    const { signature, packed } = this.#prepare(channel, name, args);
    const status = this.#wire.call(channel, signature, packed, { spawn: this.#spawn, stream: this.#stream });
    if (status < 0) throw this.#error(status, name);
    return valueOf(signature, this.#wire.result(channel)) as ReturnOf<F[K]>;
  }

  submit<K extends string & keyof F>(
    channel: number,
    name: K,
    ...args: ArgumentsOf<F[K]>
  ): RemoteTicket<ReturnOf<F[K]>> {
    const { signature, packed } = this.#prepare(channel, name, args);
    const ticket = this.#wire.submit(channel, signature, packed, { spawn: this.#spawn, stream: false });
    if (ticket < 0) throw this.#error(ticket, name);
    return this.#ticket<ReturnOf<F[K]>>(channel, signature, ticket);
  }

  acquire(channel: number): void {
    this.#must(this.#wire.acquire(channel), `acquire channel ${channel}`);
  }

  release(channel: number): void {
    this.#must(this.#wire.release(channel), `release channel ${channel}`);
  }

  timestamp(): number {
    return this.#wire.now();
  }

  #ticket<T>(channel: number, signature: Signature, ticket: number): RemoteTicket<T> {
    const { name } = signature;
    let released = false;
    const wait = (timeout = Infinity) => {
      const status = this.#wire.wait(ticket, timeout);
      if (status < 0) throw this.#error(status, name);
      return status === 1;
    };
    const release = () => {
      released = true;
      this.release(channel);
    };
    return {
      try: () => wait(0),
      wait,
      get: () => {
        const status = this.#wire.get(channel, signature, ticket);
        if (status < 0) throw this.#error(status, name);
        return valueOf(signature, this.#wire.result(channel)) as T;
      },
      release,
      [Symbol.dispose]: () => {
        if (!released) release();
      },
    };
  }

  #prepare(
    channel: number,
    name: string,
    args: ArrayLike<unknown>,
  ): { signature: Signature; packed: Packed } {
    const signature = this.#wire.find(channel, name);
    if (typeof signature === "number") throw this.#error(signature, name);
    const values = Array.from(args), types = signature.args;
    if (values.length !== types.length) {
      const text =
        `Cannot call the host function "${name}" with ${values.length} arguments: it takes ${types.length}`;
      throw new TilewiseError("invalid", text, { expected: types.length, found: values.length });
    }
    types.forEach((type, i) => {
      if (isOf(type, values[i])) return;
      const text = `Cannot call the host function "${name}": argument ${i + 1} is ${
        inWords(values[i])
      }, no ${type}`;
      throw new TilewiseError("invalid", text, { expected: type, found: inWords(values[i]) });
    });
    return { signature, packed: pack(types, values as RemoteValue[]) };
  }

  #must(status: number, what: string): void {
    if (status < 0) throw statusError(status, what);
  }

  #error(status: number, name: string): TilewiseError {
    const error = statusError(status, `call the host function "${name}"`);
    if (status !== -STATUS.failed) return error;
    const message = textOf(this.#wire.message) ?? "";
    return new TilewiseError(error.code, `${error.message}: ${message}`, {
      ...error.details,
      reason: message,
    });
  }
}

function valueOf({ result }: Signature, found: WireResult): RemoteValue | undefined {
  return result === "text" && found instanceof Uint8Array ? textOf(found) : found;
}
