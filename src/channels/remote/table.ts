/**
 * The table of a host's functions: their names, numbers and types. It is plain data, which callers get from the host.
 *
 * @module
 */

import { isNamed } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { RemoteFunctions, RemoteResult, RemoteType } from "./function.ts";

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
