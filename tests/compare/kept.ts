/**
 * Comparisons that once differed because we were wrong: every run makes them again.
 *
 * @module
 */

import type { Case } from "./spec.ts";

/** A comparison, and what was wrong. */
export interface KeptCase extends Case {
  /** What a user would have seen. */
  readonly why: string;
}

/** The comparisons. */
export const KEPT: readonly KeptCase[] = [];
