/**
 * The progress of a run, as data.
 *
 * @module
 */

import type { Plan } from "../plan/plan_facts.ts";

/**
 * The progress of a run.
 * @category Runs
 */
export interface Progress {
  /** Frames that have been merged, or computed by workers and not merged yet. */
  readonly frames: number;
  /** Frames in total. */
  readonly framesTotal: number;
  /** Partitions merged. */
  readonly partitions: number;
  /** Partitions that have been given to workers and are not merged yet. */
  readonly partitionsInProgress: number;
  /** Partitions in total. */
  readonly partitionsTotal: number;
  /** Stored bytes of these `frames`. */
  readonly bytes: number;
  /** Stored bytes of all frames. */
  readonly bytesTotal: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Bytes per second so far. */
  readonly bytesPerSecond: number;
  /** Remaining seconds at this rate. */
  readonly etaSeconds: number;
}

/** What is counted during a run. */
export type Counts = Pick<
  Progress,
  "frames" | "partitions" | "partitionsInProgress" | "partitionsTotal" | "seconds"
>;

/** The progress of a run of `plan` with these counts. */
export function progressOf({ udfs, bytesToRead }: Plan, counts: Counts): Progress {
  const framesTotal = udfs[0]!.meta.selected;
  const frames = Math.min(framesTotal, counts.frames);
  const { seconds } = counts;
  const bytes = framesTotal === 0 ? 0 : frames * (bytesToRead / framesTotal);
  return {
    ...counts,
    frames,
    framesTotal,
    bytes,
    bytesTotal: bytesToRead,
    bytesPerSecond: bytes / Math.max(seconds, 1e-9),
    etaSeconds: frames === 0 ? Infinity : (framesTotal - frames) * seconds / frames,
  };
}
