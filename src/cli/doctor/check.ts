/**
 * What `tilewise doctor` finds out, one thing at a time.
 *
 * @module
 */

/** One thing that was looked at. */
export interface Check {
  /** What it is. */
  readonly name: string;
  /** Whether it is there, and right. */
  readonly ok: boolean;
  /** Whether nothing can be computed without it. */
  readonly needed: boolean;
  /** What was found. */
  readonly found: string;
  /** What to do where it is missing. */
  readonly advice?: string;
}

/** A thing without which nothing can be computed. */
export function needed(name: string, ok: boolean, found: string, advice: string): Check {
  return { name, ok, needed: true, found, ...(ok ? {} : { advice }) };
}

/** A thing without which only some things cannot be done. */
export function optional(name: string, ok: boolean, found: string, advice: string): Check {
  return { name, ok, needed: false, found, ...(ok ? {} : { advice }) };
}
