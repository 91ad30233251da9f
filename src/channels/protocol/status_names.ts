/**
 * The names of statuses, and the numbers that kernels see.
 *
 * @module
 */

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

/** Every status by its name. A kernel sees the number, negative where a call returns it in place of a value. */
export const STATUS = {
  "ok": 0,
  "bad-channel": 1,
  "busy": 2,
  "closed": 3,
  "bad-handle": 4,
  "access": 5,
  "invalid": 6,
  "not-found": 7,
  "is-directory": 8,
  "permission": 9,
  "name-too-long": 10,
  "too-many": 11,
  "no-space": 12,
  "io": 13,
  "aborted": 14,
  "state": 15,
  "failed": 16,
  "lost": 17,
  "would-block": 18,
  "too-big": 19,
  "exists": 20,
  "not-empty": 21,
  "broken": 22,
  "unsupported": 23,
  "changed": 24,
  "no-function": 25,
  "unknown-format": 26,
  "malformed": 27,
} as const satisfies Record<StatusName, number>;
