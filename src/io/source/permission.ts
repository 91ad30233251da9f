/**
 * What Deno refuses because a permission is missing, as our error that names the flag to add.
 *
 * @module
 */

import { type ErrorDetails, TilewiseError } from "../../errors.ts";

/** What is used of Deno, where this is Deno. */
interface DenoLike {
  readonly permissions: { requestSync?(what: object): { readonly state: string } };
}

/** Refusals have an error class of their own, but for modules that may not be imported. */
const REFUSAL = /Requires (\w+) access to (?:"([^"]*)"|[^,]*), run again with the (--[\w-]+)/;

/** Where this library lies, with a slash at its end; nothing where it does not lie in files. */
const OWN = folderOf(new URL("../../", import.meta.url));

/** Whether Deno refused something for want of a permission. */
export function isDenied(error: unknown): error is Error {
  return error instanceof Error && (error.name === "NotCapable" || REFUSAL.test(error.message));
}

/**
 * What to add to the command, as Deno says it in `error`.
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
  const path = what && OWN && what.startsWith(OWN) ? OWN.slice(0, -1) : what; // not one module after another
  return flag && (path ? `${flag}=${path}` : flag);
}

/** The path of a folder; nothing for URLs of other kinds. */
export function folderOf({ protocol, pathname }: URL): string | undefined {
  return protocol === "file:" ? decodeURIComponent(pathname).replace(/^\/(?=[a-z]:)/i, "") : undefined;
}

/** The error for what Deno refused: `Cannot …: this needs a permission; add --allow-…`. */
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
