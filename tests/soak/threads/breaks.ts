/**
 * Calls of this thread of which the n-th fails: reads, writes, leases of the arena, memories of WebAssembly.
 *
 * @module
 */

import { TilewiseError } from "../../../src/errors.ts";
import { SYSTEM_CALLS } from "../../../src/io/file/facts.ts";
import { Arena } from "../../../src/memory/arena.ts";
import { failWrite } from "../../io/failing_writes.ts";

/** A fault that is set up, until it is disposed of. */
export interface Fault extends Disposable {
  /** Whether the n-th call was made. */
  readonly happened: boolean;
}

/** Lets call number `n`, counted from 1, fail. */
export type Break = (n: number) => Fault | Promise<Fault>;

/** Counts calls, and says which one fails. */
class Counter {
  #calls = 0;

  constructor(private readonly n: number, private readonly persistent: boolean = false) {}

  get happened(): boolean {
    return this.#calls >= this.n;
  }

  /** Whether this call fails. */
  next(): boolean {
    this.#calls++;
    return this.#calls === this.n || (this.persistent && this.#calls > this.n);
  }
}

/** A fault in the method `name` of `holder`: `instead` is called in place of the n-th call. */
function inMethod<H extends object, K extends keyof H>(
  holder: H,
  name: K,
  counter: Counter,
  instead: () => unknown,
): Fault {
  const own = holder[name] as (...values: unknown[]) => unknown;
  holder[name] = function (this: unknown, ...values: unknown[]) {
    return counter.next() ? instead() : own.apply(this, values);
  } as H[K];
  return {
    get happened() {
      return counter.happened;
    },
    [Symbol.dispose]: () => void (holder[name] = own as H[K]),
  };
}

function systemError(code: string): never {
  throw Object.assign(new Error(`${code}: by plan`), { code });
}

const reading = (code: string, persistent: boolean): Break => (n) =>
  inMethod(SYSTEM_CALLS, "read", new Counter(n, persistent), () => systemError(code));

const inCall = (name: "open" | "stat" | "fstat", code: string): Break => (n) =>
  inMethod(SYSTEM_CALLS, name, new Counter(n), () => systemError(code));

const writing = (code: string, persistent: boolean): Break => async (n) => {
  const failing = await failWrite(n, code, persistent);
  return {
    get happened() {
      return failing.calls >= n;
    },
    [Symbol.dispose]: () => failing[Symbol.dispose](),
  };
};

function leasing(n: number): Fault {
  return inMethod(Arena.prototype, "lease", new Counter(n), () => {
    throw new TilewiseError("over-budget", "Cannot lease by plan");
  });
}

/** Memories are made by `new`: the class itself is replaced. */
function growing(n: number): Fault {
  const counter = new Counter(n);
  const own = WebAssembly.Memory;
  WebAssembly.Memory = class extends own {
    constructor(type: WebAssembly.MemoryDescriptor) {
      if (counter.next()) throw new RangeError("WebAssembly.Memory(): could not allocate memory");
      super(type);
    }
  };
  return {
    get happened() {
      return counter.happened;
    },
    [Symbol.dispose]: () => void (WebAssembly.Memory = own),
  };
}

/** All of them, by what fails. */
export const BREAKS: Readonly<Record<string, Break>> = {
  "a read that passes (EINTR)": reading("EINTR", false),
  "a read (EIO, from then on)": reading("EIO", true),
  "a read (EBADF)": reading("EBADF", false),
  "a read that ends early": (n) => inMethod(SYSTEM_CALLS, "read", new Counter(n), () => 0),
  "an opening (EMFILE)": inCall("open", "EMFILE"),
  "a look at a file (EACCES)": inCall("stat", "EACCES"),
  "a look at an open file (EIO)": inCall("fstat", "EIO"),
  "a write (ENOSPC)": writing("ENOSPC", false),
  "a write (EIO, from then on)": writing("EIO", true),
  "a lease": leasing,
  "a memory": growing,
};
