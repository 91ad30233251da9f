/**
 * What engines keep beside the jobs of BullMQ: the lines of runs and workers, which runs are cancelled, and which jobs wait.
 *
 * @module
 */

import type { RunSight, WorkerSight } from "../engine.ts";
import { TilewiseError } from "../../../errors.ts";

/** A place on the server. All times are measured by the server: clocks of workers may be wrong. */
export interface Board {
  /** Writes the line of a run. */
  putRun(sight: RunSight): Promise<void>;
  /** The lines of all runs. */
  runs(): Promise<RunSight[]>;
  /** Whether a run has a line. */
  hasRun(run: string): Promise<boolean>;
  /** Writes that a run is cancelled, or no longer. */
  setCancelled(run: string, cancelled: boolean): Promise<void>;
  /** The cancelled ones of all runs. */
  cancelled(): Promise<ReadonlySet<string>>;
  /** Whether a run is cancelled. */
  isCancelled(run: string): Promise<boolean>;
  /** Writes the line of a worker, which is forgotten after {@link SEEN} seconds. */
  putWorker(sight: WorkerSight): Promise<void>;
  /** The lines of workers that were seen lately. */
  workers(): Promise<WorkerSight[]>;
  /** Lets a job wait for so many milliseconds. */
  hold(job: string, milliseconds: number): Promise<void>;
  /** Of these jobs, those that need not wait any longer. */
  released(jobs: readonly string[]): Promise<string[]>;
}

/** Seconds for which a worker counts as being there. */
export const SEEN = 60;

/** Lines that are JSON; others are left out. */
export function linesOf<T>(texts: readonly (string | null)[]): T[] {
  return texts.flatMap((text) => {
    try {
      return text === null ? [] : [JSON.parse(text) as T];
    } catch {
      return [];
    }
  });
}

/** Milliseconds to wait for a connection, or for an answer. */
export const ANSWER = 10_000;

/** The answer to a call, or `timeout`: a call waits for as long as the server is away. Other errors are those of `errorOf`. */
export async function answered<T>(
  call: Promise<T>,
  shown: string,
  errorOf: (error: unknown) => TilewiseError,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `The engine ${shown} has not answered for ${ANSWER / 1000} s. Is the server running?`;
    timer = setTimeout(() => reject(new TilewiseError("timeout", text, { engine: shown })), ANSWER);
  });
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    throw error instanceof TilewiseError ? error : errorOf(error);
  } finally {
    clearTimeout(timer);
  }
}
