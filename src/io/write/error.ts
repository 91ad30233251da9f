/**
 * Typed errors for the errors of a file system while a file is written.
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../../errors.ts";
import { deniedError, isDenied } from "../source/permission.ts";

const FULL = "the disk is full; free some space or write to another disk";

const REASONS: Readonly<Record<string, [ErrorCode, string]>> = {
  ENOENT: ["not-found", "its folder does not exist; make it first"],
  ENOTDIR: ["not-found", "a part of its path is a file, not a folder"],
  EISDIR: ["not-a-file", "a folder has this name; choose another"],
  EACCES: ["permission", "the folder may not be written to"],
  EPERM: ["permission", "the folder may not be written to"],
  EROFS: ["permission", "the file system is read-only"],
  ENOSPC: ["io", FULL],
  EDQUOT: ["io", "your quota of the disk is used up; free some space or write to another disk"],
  EFBIG: ["io", "the file would be larger than the file system or a limit of this process permits"],
  EIO: ["io", "the disk reports an error"],
  ENAMETOOLONG: ["invalid", "the name is too long"],
};

/** Errors without a code in Deno, by their text. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/os error 28\b|no space left/i, "ENOSPC"],
  [/os error 122\b|quota exceeded/i, "EDQUOT"],
  [/os error 27\b|file too large/i, "EFBIG"],
];

/** Error codes of file systems without hard links, or without one for this file. */
export const NO_LINKS: readonly string[] = [
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
  "EISDIR",
  "EINVAL",
];

/** The typed error for what a call that writes `path` threw; a `TilewiseError` passes unchanged. */
export function writeError(path: string, cause: unknown): TilewiseError {
  if (cause instanceof TilewiseError) return cause;
  if (isDenied(cause)) return deniedError(`Cannot write ${path}`, cause, { file: path });
  const { message = String(cause) } = cause as { message?: string };
  const code = (cause as { code?: string }).code ?? TEXTS.find(([text]) => text.test(message))?.[1];
  const [kind, reason] = REASONS[code ?? ""] ?? ["io", message];
  return new TilewiseError(kind, `Cannot write ${path}: ${reason}`, { file: path, found: code ?? "error" }, {
    cause,
  });
}
