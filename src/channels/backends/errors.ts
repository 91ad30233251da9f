/**
 * Errors of back ends: what a file system would say, by the name it has in POSIX, as typed errors.
 *
 * @module
 */

import { type ErrorCode, isTilewiseError, TilewiseError } from "../../errors.ts";

const CODES = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EISDIR: "not-a-file",
  EEXIST: "invalid",
  ENOTEMPTY: "invalid",
  EACCES: "permission",
  EROFS: "permission",
  EBADF: "invalid",
  EBUSY: "invalid",
  EINVAL: "invalid",
  ENOSPC: "io",
  ESHUTDOWN: "aborted",
  EIO: "io",
  EMFILE: "io",
  ENOTSUP: "unsupported",
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** The name of an error in POSIX. */
export type Errno = keyof typeof CODES;

/** The error that a kernel sees as the status for `errno`; `details.errno` keeps the name. */
export function fileError(
  errno: Errno,
  text: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): TilewiseError {
  return new TilewiseError(CODES[errno], text, { ...details, errno }, cause === undefined ? {} : { cause });
}

/** Whether `error` has this name in POSIX, wherever it comes from. */
export function isErrno(error: unknown, errno: Errno): boolean {
  if (isTilewiseError(error)) return error.details["errno"] === errno;
  return (error as { readonly code?: unknown } | undefined)?.code === errno;
}
