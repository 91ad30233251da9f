/**
 * How far a run is, as data.
 *
 * @module
 */

import type { Plan } from "../plan/plan_facts.ts";

/**
 * How far a run is.
 * @category Runs
 */
export interface Progress {
  /** Frames merged, and on their way in workers. */
  readonly frames: number;
  /** Frames in all. */
  readonly framesTotal: number;
  /** Partitions merged. */
  readonly partitions: number;
  /** Partitions that workers have been given and that are not merged yet. */
  readonly partitionsInProgress: number;
  /** Partitions in all. */
  readonly partitionsTotal: number;
  /** Stored bytes of `frames`. */
  readonly bytes: number;
  /** Stored bytes of all frames. */
  readonly bytesTotal: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Rate so far. */
  readonly bytesPerSecond: number;
  /** Seconds to go at this rate. */
  readonly etaSeconds: number;
}

/** What is counted while a run goes on. */
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
