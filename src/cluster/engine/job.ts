/**
 * Jobs: what an engine hands out. A job is a range of the units of a run, and where the manifest of the run lies.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** Version of what jobs say; a worker refuses others. */
export const JOB_VERSION = 1;

/** Most bytes of a job as JSON. */
export const JOB_BYTES = 1024;

/**
 * A job: units `start` to `end` of a run. Results never pass through the engine; the part store has them.
 * @category Cluster
 */
export interface EngineJob {
  /** Version of this record. */
  readonly version: number;
  /** Its name: {@link jobId}. */
  readonly id: string;
  /** The name of the run. */
  readonly run: string;
  /** The part store. */
  readonly store: string;
  /** Digest of the manifest in that store. */
  readonly manifest: string;
  /** First unit. */
  readonly start: number;
  /** One past the last unit. */
  readonly end: number;
  /** Lower numbers first. */
  readonly priority: number;
}

/**
 * The name of a job: run, units and a mark, so that the same units can be published again under another name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(jobId("5f3a", 16, 32, "a1"), "5f3a-16-32-a1");
 * assertEquals(unitsOfJob("5f3a-16-32-a1"), { run: "5f3a", start: 16, end: 32 });
 * ```
 */
export function jobId(run: string, start: number, end: number, mark: string): string {
  return `${run}-${start}-${end}-${mark}`;
}

/** What the name of a job says; `undefined` if it is the name of something else. */
export function unitsOfJob(id: string): { run: string; start: number; end: number } | undefined {
  const [, run, start, end] = /^([0-9a-z]+)-(\d+)-(\d+)-[0-9a-z]+$/.exec(id) ?? [];
  if (run === undefined || Number(start) >= Number(end)) return undefined;
  return { run, start: Number(start), end: Number(end) };
}

/** Checks a job before it is published. Errors: `invalid` if it is larger than {@link JOB_BYTES}. */
export function checkJob(job: EngineJob): string {
  const text = JSON.stringify(job);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < JOB_BYTES) return text;
  const message =
    `Cannot publish a job of ${bytes} bytes, ${JOB_BYTES} are too many: give the store a shorter name than "${
      job.store.slice(0, 60)
    }…"`;
  throw new TilewiseError("invalid", message, { option: "store", found: bytes, expected: JOB_BYTES });
}

/** Reads a job that an engine delivers: others may have written it. Errors: `malformed`, `unsupported` (another version). */
export function readJob(found: unknown): EngineJob {
  const job = (typeof found === "object" && found !== null ? found : {}) as Partial<EngineJob>;
  if (job.version !== undefined && job.version !== JOB_VERSION) {
    const text = `Cannot run a job of version ${job.version}: this worker knows version ${JOB_VERSION}. ` +
      "Run the same Tilewise on all machines";
    throw new TilewiseError("unsupported", text, { expected: JOB_VERSION, found: String(job.version) });
  }
  const { id, run, store, manifest, start, end, priority } = job;
  const texts = [id, run, store, manifest].every((text) => typeof text === "string");
  const numbers = [start, end, priority].every((number) => Number.isSafeInteger(number));
  if (!texts || !numbers || start! < 0 || start! >= end!) {
    throw new TilewiseError(
      "malformed",
      `Cannot run what is not a job: ${JSON.stringify(found)?.slice(0, 200)}`,
    );
  }
  return job as EngineJob;
}
