/**
 * Turns refusals of Deno for want of a permission into an error that names the flag to add.
 *
 * @module
 */

import { home } from "../../place.ts";
import { type ErrorDetails, TilewiseError } from "../../errors.ts";

/** The part of Deno that is used, if this is Deno. */
interface DenoLike {
  readonly permissions: {
    requestSync?(what: object): { readonly state: string };
    querySync?(what: object): { readonly state: string };
  };
}

/** Refusals have their own error class, except those of imports of modules. */
const REFUSAL = /Requires (\w+) access to (?:"([^"]*)"|[^,]*), run again with the (--[\w-]+)/;

/** Whether Deno refused something for want of a permission. */
export function isDenied(error: unknown): error is Error {
  return error instanceof Error && (error.name === "NotCapable" || REFUSAL.test(error.message));
}

/**
 * The flag to add to the command, from the message of Deno in `error`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const error = new Error('Requires read access to "scan.mib", run again with the --allow-read flag');
 * assertEquals(missingFlag(error), "--allow-read=scan.mib");
 * ```
 */
export function missingFlag(error: Error): string | undefined {
  const [, , what, flag] = REFUSAL.exec(error.message) ?? [];
  const own = folderOf(home());
  const path = what && own && what.startsWith(own) ? own.slice(0, -1) : what; // the whole folder, not each module in turn
  return flag && (path ? `${flag}=${path}` : flag);
}

/** The path of a folder; `undefined` for URLs that are not of files. */
export function folderOf({ protocol, pathname }: URL): string | undefined {
  return protocol === "file:" ? decodeURIComponent(pathname).replace(/^\/(?=[a-z]:)/i, "") : undefined;
}

/** The error for a refusal of Deno: `Cannot …: this needs a permission; add --allow-…`. */
export function deniedError(problem: string, cause: Error, details: ErrorDetails = {}): TilewiseError {
  const flag = missingFlag(cause);
  const hint = flag === undefined ? cause.message : `Deno may not do this; add ${flag}`;
  return new TilewiseError("permission", `${problem}: ${hint}`, {
    ...details,
    expected: flag ?? cause.message,
  }, {
    cause,
  });
}

/**
 * Asks for a permission, where Deno can be asked: a question to the user at a terminal, a refusal elsewhere. Platforms
 * without permissions grant everything.
 */
export function mayDo(what: object): boolean {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  return deno?.permissions.requestSync === undefined ||
    deno.permissions.requestSync(what).state === "granted";
}

/** Whether this process may do something without asking the user. Platforms without permissions grant everything. */
export function isGranted(what: object): boolean {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  return deno?.permissions.querySync === undefined || deno.permissions.querySync(what).state === "granted";
}
