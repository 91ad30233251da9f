/**
 * The errors of executors: the same ones whether a task ran on this thread or on another.
 *
 * @module
 */

import type { Activity } from "../activity.ts";
import { TilewiseError } from "../errors.ts";
import { deniedError, isDenied } from "../io/source/permission.ts";
import { fullError } from "../memory/full.ts";
import { reasonOf } from "../reason.ts";
import type { Job } from "./task.ts";

/** How a worker was lost. */
export interface Death {
  /**
   * `hung`: stopped because it gave no sign of life. `ended`: closed itself. `crashed`: threw outside of a task. `nonsense`:
   * sent an invalid message. `renewed`: replaced by a worker with more permissions.
   */
  readonly how:
    | "hung"
    | "ended"
    | "crashed"
    | "killed"
    | "stopped"
    | "no start"
    | "out of memory"
    | "nonsense"
    | "renewed";
  /** Whether it was lost because of the work that it was doing. */
  readonly busy: boolean;
  /** The reason, as far as it is known. */
  readonly cause?: unknown;
  /** What it was doing, by its own last note. */
  readonly activity?: Activity;
}

/**
 * What the handler threw, as a `TilewiseError` with `details.task` and the original stack. A `TilewiseError`
 * keeps its code; any other error becomes `udf` with the original as its cause.
 */
export function taskError(error: unknown, task: number): TilewiseError {
  if (error instanceof TilewiseError) return dressed(error, error, { ...error.details, task });
  const full = fullError(`Task ${task} failed`, error);
  if (full) return dressed(full, full, { ...full.details, task });
  const text = `Task ${task} failed: ${reasonOf(error)}`;
  const failure = new TilewiseError("udf", text, { task }, { cause: error });
  if (error instanceof Error && error.stack) failure.stack = error.stack;
  return failure;
}

function dressed(
  like: TilewiseError,
  { cause, stack }: Error,
  details: TilewiseError["details"],
): TilewiseError {
  const options = cause === undefined ? undefined : { cause };
  const error = new TilewiseError(like.code, like.message, details, options);
  if (stack) error.stack = stack;
  return error;
}

/** The error of a task that has lost its worker too often. */
export function lostError(task: number, worker: number, deaths: readonly Death[]): TilewiseError {
  const hung = deaths.every(({ how }) => how === "hung");
  const times = deaths.length === 1 ? "once" : `${deaths.length} times`;
  const how = [...new Set(deaths.map((death) => death.how))].join(", ");
  const cause = deaths.findLast((death) => death.cause !== undefined)?.cause;
  const reason = cause === undefined ? "" : `: ${reasonOf(cause)}`;
  const activity = deaths.findLast((death) => death.activity)?.activity;
  const where = activity ? ` in ${activity.text}` : "";
  const full = deaths.some((death) => death.how === "out of memory");
  const hint = full
    ? "; its heap was full: keep less, or raise the limit (option heap of the context, or of its executor)"
    : "";
  return new TilewiseError(
    hung ? "timeout" : "worker",
    `Cannot finish task ${task}: it has lost its worker ${times} (${how})${where}${reason}${hint}`,
    { task, worker, found: how, attempts: deaths.length, ...activity?.details },
    cause === undefined ? undefined : { cause },
  );
}

/** The error of a job whose code cannot be used. */
export function jobError(job: Job<unknown>, found: string, cause?: unknown): TilewiseError {
  const problem = `Cannot use "${job.export}" of ${shortUrl(job.module)}`;
  const details = { module: job.module, export: job.export };
  if (isDenied(cause)) return deniedError(problem, cause, details);
  return new TilewiseError(
    "udf",
    `${problem}: ${found}`,
    details,
    cause === undefined ? undefined : { cause },
  );
}

/** What the `close` of a handler threw. */
export function closeError(job: Job<unknown>, error: unknown): TilewiseError {
  if (error instanceof TilewiseError) return error;
  return jobError(job, `its handler cannot be closed: ${reasonOf(error)}`, error);
}

/** The error for a task or shared data that `postMessage` refuses; a `TilewiseError` is kept, as it says more. */
export function cloneError(what: string, cause: unknown, task?: number): TilewiseError {
  if (cause instanceof TilewiseError) return cause;
  const details = task === undefined ? {} : { task };
  const text = `Cannot send ${what} to a worker: ${reasonOf(cause)}`;
  return new TilewiseError("invalid", text, details, { cause });
}

function shortUrl(url: string): string {
  return url.length > 200 ? `${url.slice(0, 200)}…` : url;
}
