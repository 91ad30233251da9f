/**
 * The errors of a launch: they name the kernel, the group and the member.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import type { SourcePosition } from "../../user_kernels/trap.ts";

/** Who has failed. */
export interface Who {
  /** What the kernel is called. */
  readonly kernel: string;
  /** The group. */
  readonly group: number;
  /** The member of the group. */
  readonly member: number;
}

/** What a member has thrown, with its place in the source if that is known. */
export function memberError(error: unknown, who: Who, place?: SourcePosition): TilewiseError {
  const source = place ? ` (${place.file}:${place.line}:${place.column})` : "";
  const text = `Kernel "${who.kernel}" failed in group ${who.group}, member ${who.member}: ${
    reasonOf(error)
  }${source}`;
  const known = error instanceof TilewiseError ? error.details : {};
  const code = error instanceof TilewiseError ? error.code : "udf";
  const failure = new TilewiseError(code, text, { ...known, ...who, ...place }, { cause: error });
  if (error instanceof Error && error.stack) failure.stack = error.stack;
  return failure;
}

/** The error of a launch: `error` itself, or, if a member has lost its worker, one that names the member. */
export function launchError(error: unknown, kernel: string, groupSize: number): unknown {
  if (!isTilewiseError(error) || error.details["group"] !== undefined) return error;
  const { task } = error.details;
  if (typeof task !== "number") return error;
  const who = { kernel, group: Math.floor(task / groupSize), member: task % groupSize };
  const text = `Kernel "${kernel}" failed in group ${who.group}, member ${who.member}: ${error.message}`;
  return new TilewiseError(error.code, text, { ...error.details, ...who }, { cause: error });
}

/** The error of a launch that has not ended in time. */
export function lateError(kernel: string, timeout: number): TilewiseError {
  const text = `Kernel "${kernel}" has not ended within ${timeout} ms, the option "timeout" of the launch`;
  return new TilewiseError("timeout", text, { kernel, expected: timeout });
}
