/**
 * The error numbers of WASI preview 1, and which of them a status of a file call is.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { statusError, type StatusName, statusName } from "../../protocol/status.ts";

/** The error numbers that a call can answer with, named as in the WASI document. */
export const ERRNO = {
  success: 0,
  toobig: 1,
  acces: 2,
  badf: 8,
  busy: 10,
  exist: 20,
  fault: 21,
  fbig: 22,
  ilseq: 25,
  inval: 28,
  io: 29,
  isdir: 31,
  loop: 32,
  mfile: 33,
  nametoolong: 37,
  noent: 44,
  nospc: 51,
  notdir: 54,
  notempty: 55,
  notsock: 57,
  notsup: 58,
  overflow: 61,
  perm: 63,
  rofs: 69,
  spipe: 70,
  notcapable: 76,
} as const;

/** Ends one call of a program with an error number; the program goes on. */
export class Refusal {
  /** The refusal with this number. */
  constructor(readonly errno: number) {}
}

/** Ends a call with an error number. */
export function refuse(errno: number): never {
  throw new Refusal(errno);
}

const OF_STATUS: Readonly<Partial<Record<StatusName, number>>> = {
  "busy": ERRNO.busy,
  "bad-handle": ERRNO.badf,
  "access": ERRNO.badf,
  "invalid": ERRNO.inval,
  "not-found": ERRNO.noent,
  "is-directory": ERRNO.isdir,
  "permission": ERRNO.acces,
  "name-too-long": ERRNO.nametoolong,
  "too-many": ERRNO.mfile,
  "too-big": ERRNO.toobig,
  "changed": ERRNO.io,
  "exists": ERRNO.exist,
  "not-empty": ERRNO.notempty,
  "no-space": ERRNO.nospc,
  "unsupported": ERRNO.notsup,
};

/** The error number of a negative status. A host that has been closed ends the program, not only the call: it throws then. */
export function errnoOf(status: number): number {
  const name = statusName(status);
  if (name === "closed") throw statusError(status, "go on with the program");
  if (name === "bad-channel") throw statusError(status, "call the host");
  return OF_STATUS[name] ?? ERRNO.io;
}

/** A result of a file call that is not negative; ends the call otherwise. */
export function granted(result: number): number {
  return result < 0 ? refuse(errnoOf(result)) : result;
}

/** The error of a program that was told to stop. */
export function stopped(): TilewiseError {
  return new TilewiseError("aborted", "The program was stopped");
}

/** The error of a program that takes longer than it may: whoever notices it first, on either thread, says the same. */
export function lateError(program: string, timeout: number): TilewiseError {
  const text = `The program ${program} has not ended within ${timeout} ms, the option "timeout"`;
  return new TilewiseError("timeout", text, { program, expected: timeout });
}
