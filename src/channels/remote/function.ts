/**
 * Functions of the host that kernels call: what users write, and the types that travel from it to the callers.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, isNamed } from "../../options.ts";

/**
 * Types of values on a channel, and what they are in TypeScript. Whole numbers of 64 bits are exact. A text travels as UTF-8.
 * @category Channels
 */
export interface RemoteValues {
  /** A number. */
  readonly f64: number;
  /** A whole number of 64 bits with a sign. */
  readonly i64: bigint;
  /** Bytes. The function and the caller have copies of their own. */
  readonly bytes: Uint8Array;
  /** A text. */
  readonly text: string;
}

/**
 * The name of a type of values.
 * @category Channels
 */
export type RemoteType = keyof RemoteValues;

/**
 * The type of a result: `void` for none.
 * @category Channels
 */
export type RemoteResult = RemoteType | "void";

/**
 * The values of types.
 * @category Channels
 */
export type RemoteArguments<A extends readonly RemoteType[]> = {
  readonly [I in keyof A]: RemoteValues[A[I]];
};

/**
 * The value of a result.
 * @category Channels
 */
export type RemoteResultOf<R extends RemoteResult> = R extends RemoteType ? RemoteValues[R] : void;

/**
 * A function of the host, with the types of its arguments and of its result: what {@link remote} makes.
 * @category Channels
 */
export interface RemoteFunction<
  A extends readonly RemoteType[] = readonly RemoteType[],
  R extends RemoteResult = RemoteResult,
> {
  /** Types of the arguments. */
  readonly args: A;
  /** Type of the result. */
  readonly result: R;
  /** The function. The runner serves other channels while it waits for a promise. */
  run(...args: RemoteArguments<A>): RemoteResultOf<R> | Promise<RemoteResultOf<R>>;
}

/**
 * The functions of a host by their names: the export of a module, or what such an export returns.
 * @category Channels
 */
// deno-lint-ignore no-explicit-any -- a function of some arguments is not a function of all, for the compiler
export type RemoteFunctions = Readonly<Record<string, RemoteFunction<any, any>>>;

const TYPES: readonly string[] = ["f64", "i64", "bytes", "text"] satisfies RemoteType[];

/** Numbers of a call that arguments may take: one each, two for an `i64`. */
const MOST_NUMBERS = 7;

/**
 * A function that kernels can call through a channel.
 *
 * Errors: `invalid` for types that do not exist, or for more arguments than a call has room for: seven, of which an `i64` takes two.
 *
 * @param args types of the arguments
 * @param result type of the result
 * @param run the function; it may return a promise
 *
 * @example
 * ```ts
 * import { remote } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * const repeat = remote(["text", "f64"], "text", (text, times) => text.repeat(times));
 * assertEquals(repeat.run("ab", 2), "abab");
 * ```
 * @category Channels
 */
export function remote<const A extends readonly RemoteType[], R extends RemoteResult>(
  args: A,
  result: R,
  run: (...args: RemoteArguments<A>) => RemoteResultOf<R> | Promise<RemoteResultOf<R>>,
): RemoteFunction<A, R> {
  const odd = [...args, ...(result === "void" ? [] : [result])].find((type) => !TYPES.includes(type));
  if (odd !== undefined) throw wrong(`${inWords(odd)} is not a type; there are ${TYPES.join(", ")}`);
  const numbers = numbersOf(args);
  if (numbers > MOST_NUMBERS) {
    throw wrong(`its arguments take ${numbers} numbers; a call has ${MOST_NUMBERS}, and an i64 takes two`);
  }
  if (typeof run !== "function") throw wrong(`${inWords(run)} is given as the function`);
  return { args, result, run };
}

/** Numbers of a call that values of these types take. */
function numbersOf(types: readonly RemoteType[]): number {
  return types.reduce((sum, type) => sum + (type === "i64" ? 2 : 1), 0);
}

function wrong(problem: string): TilewiseError {
  return new TilewiseError("invalid", `Cannot make a remote function: ${problem}`, { found: problem });
}

// The table of a host's functions: their names, numbers and types. It is plain data, which callers get from the host.

/** Numbers of functions on a channel: those of users begin at `first`. */
export const REMOTE = { pull: 60, streamed: 61, push: 62, describe: 63, first: 64 } as const;

/** Numbers of a call beside those of arguments: the function of a call in pieces, and the check of {@link checkOf}. */
export const SLOT = { fn: 6, check: 7 } as const;

/** What callers know of a function. */
export interface Signature {
  /** Its name. */
  readonly name: string;
  /** Its number on a channel. */
  readonly fn: number;
  /** Types of its arguments. */
  readonly args: readonly RemoteType[];
  /** Type of its result. */
  readonly result: RemoteResult;
}

/** The signatures of functions; numbers follow the order in which the functions are declared. Errors: `udf`. */
export function signaturesOf(functions: RemoteFunctions): Signature[] {
  return Object.entries(functions).map(([name, value], index) => {
    const { args, result } = value;
    if (!Array.isArray(args) || typeof value.run !== "function") {
      const text = `Cannot serve "${name}": it is not a function of remote(args, result, run)`;
      throw new TilewiseError("udf", text, { found: name });
    }
    return { name, fn: REMOTE.first + index, args: args as readonly RemoteType[], result };
  });
}

/** The functions in an export: a record of them, or what makes one of the shared data. Errors: `udf`. */
export async function functionsOf(
  exported: unknown,
  shared: unknown,
  what: string,
): Promise<RemoteFunctions> {
  const made: unknown = typeof exported === "function" ? await exported(shared) : exported;
  if (isNamed(made)) return made as RemoteFunctions;
  throw new TilewiseError("udf", `Cannot serve ${what}: it is not a record of functions`, {
    found: typeof made,
  });
}

/**
 * The numbers by which kernels call functions: plain data for their arguments.
 *
 * @example
 * ```ts
 * import { remote, remoteNumbers } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * const functions = { half: remote(["f64"], "f64", (x) => x / 2), now: remote([], "f64", () => Date.now()) };
 * assertEquals(remoteNumbers(functions), { half: 64, now: 65 });
 * ```
 * @category Channels
 */
export function remoteNumbers<F extends RemoteFunctions>(functions: F): { readonly [K in keyof F]: number } {
  const rows = signaturesOf(functions).map(({ name, fn }) => [name, fn] as const);
  return Object.fromEntries(rows) as { [K in keyof F]: number };
}

/**
 * A number for a name and types, which goes with every call: a host that has another function at the same number refuses it.
 *
 * It is FNV-1a, 32 bits.
 */
export function checkOf({ name, args, result }: Omit<Signature, "fn">): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${name}(${args.join()})${result}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}
