/**
 * What a section of the bench is: a function that measures one subject, alone and beside its peers, and hands over rows.
 *
 * `deno task bench --set views` and `--set decode` run the sections of the table (`table.ts`), print their rows and keep
 * them in the record. A section prints nothing and writes nowhere but into its folder.
 *
 * @module
 */

import type { BenchRow } from "../timing.ts";

/** What a section is told. */
export interface SectionOptions {
  /** Timed runs of each work; untimed ones before them are up to the section. */
  readonly repeats: number;
  /** A folder for files, removed afterwards. */
  readonly folder: string;
  /** A Python that may have the packages of the peers. Without it there are no peers. */
  readonly python?: string;
  /** Rows and columns of images. Default: what the section takes for its record. */
  readonly side?: number;
}

/** A line of a section. All rows of one `name` are the same work on the same samples. */
export interface SectionRow extends BenchRow {
  /** The work, and all that changes it: `gaussian σ 2, to a file`, `label, spots`, `views of 256 × 256, radius 8`. */
  readonly name: string;
  /** `limit`, `tilewise`, `tilewise plain` (twins of kernels, plain TypeScript), or the name of a peer. */
  readonly by: string;
  /** The version of a peer. */
  readonly version?: string;
  /** Bytes of the samples that come in; of tiles without their halo. */
  readonly bytes: number;
  /** Largest memory of the process in MiB, where it was measured. */
  readonly peakMiB?: number;
  /** How the result compares with that of ours: `equal`, `1e-7`. */
  readonly results?: string;
}

/** What a section found. */
export interface SectionResult {
  /** Everything that was timed. */
  readonly rows: readonly SectionRow[];
  /** What was left out, and why: one sentence per peer or work. */
  readonly skipped: readonly string[];
  /** Where results are not those of the peer, or not those expected. The bench then ends with 1. */
  readonly failures: readonly string[];
}

/** Measures one subject. Results are compared before anything is timed; what fails for a peer is `skipped`, it does not throw. */
export type Section = (options: SectionOptions) => Promise<SectionResult>;
