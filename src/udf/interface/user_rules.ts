/**
 * What is looked for in UDFs of users only; those that come with Tilewise are right. Its code is loaded with the first of them.
 *
 * @module
 */

import type { HintFacts } from "./hints.ts";
import type { BufferSpec, Udf } from "./udf.ts";

/** The checks and hints. */
export interface UserRules {
  /** Refuses an invalid buffer, and a buffer that could be neither filled nor merged. */
  checkBuffer(udf: Udf, name: string, spec: BufferSpec): void;
  /** The text to add to the message of `error`; empty if no hint applies. */
  hintFor(error: unknown, facts: HintFacts): string;
}

let found: UserRules | undefined;

/** From now on, this thread follows `rules`. */
export function followRules(rules: UserRules): void {
  found = rules;
}

/** The checks and hints, if this thread has loaded a UDF of a user. */
export function userRules(): UserRules | undefined {
  return found;
}
