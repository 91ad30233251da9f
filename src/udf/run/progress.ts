/**
 * The progress of a run, as data.
 *
 * @module
 */

import type { UdfPlan } from "../plan/plan_facts.ts";
import type { Progress } from "../plan/run_facts.ts";

/** What is counted during a run. */
export type Counts = Pick<
  Progress,
  "frames" | "partitions" | "partitionsInProgress" | "partitionsTotal" | "seconds"
>;

/** The progress of a run of `plan` with these counts. */
export function progressOf({ udfs, bytesToRead }: UdfPlan, counts: Counts): Progress {
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
