/**
 * The errors of executors: the same ones whether a task ran on this thread or on another.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { deniedError, isDenied } from "../io/permission.ts";
import type { Job } from "./task.ts";

/** How a worker was lost. */
export interface Death {
  /** `hung` was stopped for giving no sign of life; `ended` closed itself; `crashed` threw out of line. */
  readonly how: "hung" | "ended" | "crashed" | "killed" | "stopped" | "no start";
  /** Whether what it was doing is to blame. */
  readonly busy: boolean;
  /** What is known of the reason. */
  readonly cause?: unknown;
}

/**
 * What the handler threw, as a `TilewiseError` with `details.task` and the stack of the place. An error of
 * ours keeps its code; any other becomes `udf` with the original as its cause.
 */
export function taskError(error: unknown, task: number): TilewiseError {
  if (error instanceof TilewiseError) return dressed(error, error, { ...error.details, task });
  const text = error instanceof Error ? error.message : String(error);
  const failure = new TilewiseError("udf", `Task ${task} failed: ${text}`, { task }, { cause: error });
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
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return new TilewiseError(
    hung ? "timeout" : "worker",
    `Cannot finish task ${task}: it has lost its worker ${times} (${how})${reason}`,
    { task, worker, found: how, attempts: deaths.length },
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
  return jobError(
    job,
    `its handler cannot be closed: ${error instanceof Error ? error.message : error}`,
    error,
  );
}

/** The error of a task or of shared data that `postMessage` refuses. */
export function cloneError(what: string, cause: unknown, task?: number): TilewiseError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const details = task === undefined ? {} : { task };
  return new TilewiseError("invalid", `Cannot send ${what} to another thread: ${reason}`, details, { cause });
}

function shortUrl(url: string): string {
  return url.length > 200 ? `${url.slice(0, 200)}…` : url;
}
