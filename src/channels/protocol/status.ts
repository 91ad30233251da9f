/**
 * Statuses of a channel call: small numbers that a kernel can carry, and the typed errors they stand for.
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../../errors.ts";

/**
 * The name of a status.
 * @category Channels
 */
export type StatusName =
  | "ok"
  | "bad-channel"
  | "busy"
  | "closed"
  | "bad-handle"
  | "access"
  | "invalid"
  | "not-found"
  | "is-directory"
  | "permission"
  | "name-too-long"
  | "too-many"
  | "no-space"
  | "io"
  | "aborted"
  | "state"
  | "failed"
  | "lost"
  | "would-block"
  | "too-big"
  | "exists"
  | "not-empty"
  | "broken"
  | "unsupported"
  | "changed"
  | "no-function"
  | "unknown-format"
  | "malformed";

/** What each status stands for: its number, the code of its error, and why. */
const ALL = {
  "ok": [0, "corrupt", "nothing went wrong"],
  "bad-channel": [1, "invalid", "there is no such channel"],
  "busy": [2, "invalid", "another call holds the channel; use one channel a worker, or the policy `wait`"],
  "closed": [3, "aborted", "the host of the channel has been closed"],
  "bad-handle": [4, "invalid", "the file has been closed, or was opened by somebody else"],
  "access": [5, "invalid", "the mode in which the file was opened forbids it"],
  "invalid": [6, "invalid", "an argument is out of range"],
  "not-found": [7, "not-found", "there is no such file"],
  "is-directory": [8, "not-a-file", "it is a directory"],
  "permission": [9, "permission", "the operating system or the runtime forbids it"],
  "name-too-long": [10, "invalid", "the name is too long"],
  "too-many": [11, "io", "too many files are open"],
  "no-space": [12, "io", "the device is full"],
  "io": [13, "io", "the device reports an error"],
  "aborted": [14, "aborted", "the host was told to drop the calls that were waiting"],
  "state": [15, "invalid", "this thread does not hold the channel, or has no such call on it"],
  "failed": [16, "udf", "the function of the host threw an error"],
  "lost": [17, "worker", "the thread that answered the call has ended"],
  "would-block": [18, "unsupported", "this thread must not block, and the answer is not there yet"],
  "too-big": [
    19,
    "invalid",
    'it is more than the buffer of the channel holds; ask for less, or choose `oversized: "chunk"`',
  ],
  "exists": [20, "invalid", "the name is taken"],
  "not-empty": [21, "invalid", "the directory has names in it"],
  "broken": [22, "worker", "a member of the work group has ended"],
  "unsupported": [23, "unsupported", "these files cannot do it"],
  "changed": [24, "changed", "the file is not the one that was opened any more"],
  "no-function": [25, "not-found", "the host has no such function, or none with these types of arguments"],
  "unknown-format": [26, "unknown-format", "the file is of no format that can be read"],
  "malformed": [27, "malformed", "the file contradicts its format, or ends early"],
} as const satisfies Readonly<Record<StatusName, readonly [status: number, code: ErrorCode, why: string]>>;

const NAMES = Object.keys(ALL) as StatusName[];

/** Every status by its name. A kernel sees the number, negative where a call returns it in place of a value. */
export const STATUS = Object.fromEntries(NAMES.map((name) => [name, ALL[name][0]])) as {
  readonly [N in StatusName]: typeof ALL[N][0];
};

/**
 * The name of the status with this number; the sign does not matter.
 * @category Channels
 */
export function statusName(status: number): StatusName {
  return NAMES.find((name) => STATUS[name] === Math.abs(status)) ?? "io";
}

/**
 * The error that a status stands for, as the answer to `Cannot ${what}`.
 *
 * @example
 * ```ts
 * import { statusError } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * const error = statusError(-7, "open walk.bin"); // what an import of a kernel has returned
 * assertEquals([error.code, error.message], ["not-found", "Cannot open walk.bin: there is no such file"]);
 * ```
 * @category Channels
 */
export function statusError(status: number, what: string): TilewiseError {
  const name = statusName(status);
  const [, code, why] = ALL[name];
  return new TilewiseError(code, `Cannot ${what}: ${why}`, { status: name });
}

const SYSTEM: Readonly<Record<string, StatusName>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  ELOOP: "permission",
  EISDIR: "is-directory",
  EACCES: "permission",
  EPERM: "permission",
  EROFS: "permission",
  ENAMETOOLONG: "name-too-long",
  EMFILE: "too-many",
  ENFILE: "too-many",
  ENOSPC: "no-space",
  EBADF: "bad-handle",
  EBUSY: "busy",
  EINVAL: "invalid",
  ENOTSUP: "unsupported",
  ESHUTDOWN: "closed",
  ENOSYS: "unsupported",
  EEXIST: "exists",
  ENOTEMPTY: "not-empty",
  NotCapable: "permission",
  "not-found": "not-found",
  "permission": "permission",
  "not-a-file": "is-directory",
  "invalid": "invalid",
  "unsupported": "unsupported",
  "changed": "changed",
};

/** The negative status for anything that a back end throws: errors of the platform, and typed ones, which may name an `errno`. */
export function failure(error: unknown): number {
  const { code, name, details } = (error ?? {}) as { code?: unknown; name?: unknown; details?: object };
  const { errno } = (details ?? {}) as { errno?: unknown };
  const known = [errno, code, name].find((word) => typeof word === "string" && Object.hasOwn(SYSTEM, word));
  return -STATUS[SYSTEM[String(known)] ?? "io"];
}
