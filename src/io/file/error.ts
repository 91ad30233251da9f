/**
 * Typed errors for the errors of a file system, and which files this thread has opened.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type ErrorCode, TilewiseError } from "../../errors.ts";
import { deniedError, isDenied } from "../source/permission.ts";

/** Per code of the operating system: the code of Tilewise, and the text of the message. */
const REASONS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ["not-found", "there is no such file"],
  ENOTDIR: ["not-found", "a part of its path is not a directory"],
  ELOOP: ["not-found", "its links go round in a circle"],
  ENAMETOOLONG: ["invalid", "its name is too long"],
  ERR_INVALID_ARG_VALUE: ["invalid", "its name holds a zero byte"],
  EACCES: ["permission", "the file system does not permit it"],
  EPERM: ["permission", "the file system does not permit it"],
  EISDIR: ["not-a-file", "it is a directory, not a file"],
  EMFILE: ["io", "too many files are open; raise the limit (ulimit -n) or open fewer at once"],
  ENFILE: ["io", "too many files are open on this machine"],
};

/** The typed error for what a call on `path` threw; a `TilewiseError` passes unchanged. */
export function fileError(path: string, cause: unknown, offset?: number): TilewiseError {
  if (cause instanceof TilewiseError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const [code, why] = REASONS[codeOf(cause)] ?? ["io" as const, message];
  const isAddress = code === "not-found" && /^[a-z][\w+.-]+:\/\//i.test(path);
  const reason = isAddress ? "addresses begin with https://, http:// or file://" : why;
  const where = offset === undefined ? "" : ` at byte ${offset}`;
  const details = { file: path, ...defined({ offset }), found: codeOf(cause) };
  if (isDenied(cause)) return deniedError(`Cannot read ${path}${where}`, cause, details);
  return new TilewiseError(code, `Cannot read ${path}${where}: ${reason}`, details, { cause });
}

/** Whether a call failed as there is no such entry; a typed error, whose stack takes room, need not be made for that. */
export function isMissing(cause: unknown): boolean {
  return REASONS[codeOf(cause)]?.[0] === "not-found";
}

/** The code of the operating system in `error`, such as `ENOENT`; empty where there is none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** The result of `call` on `path`; what it throws becomes a typed error. */
export function attempt<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw fileError(path, error);
  }
}

// Records which files this thread opens for reading, so that no output replaces them.

const logs = new Set<Set<string>>();

/** From now on adds the path of every file that this thread opens to `paths`, until the result is disposed of. */
export function logOpened(paths: Set<string>): Disposable {
  logs.add(paths);
  return { [Symbol.dispose]: () => void logs.delete(paths) };
}

/** Notes that the file at `path` is read. */
export function noteOpened(path: string): void {
  for (const paths of logs) paths.add(path);
}
