/**
 * What is known of an error, and a row of the table that says what to do about it.
 *
 * @module
 */

/** What is known of an error, whichever copy of the library it comes from. */
export interface Known {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A kind of error: how it is recognised, and what is said. */
export interface Row {
  readonly when: (error: Known) => boolean;
  /** What happened, in a few words. */
  readonly title: string;
  /** What can be done. */
  readonly steps: readonly string[];
  /** How grave it is; absent: bad. */
  readonly kind?: "warn";
  /** Whether a form with facts about the file can help. */
  readonly form?: boolean;
  /** Whether it may work at another time. */
  readonly again?: boolean;
}

/** Errors whose message has a pattern. */
export const has = (pattern: RegExp) => ({ message }: Known): boolean => pattern.test(message);

/** Errors of these codes. */
export const is = (...codes: readonly string[]) => ({ code }: Known): boolean => codes.includes(code);

/** What is known of anything that was thrown. */
export function knownOf(error: unknown): Known {
  if (!(error instanceof Object)) return { name: "Error", code: "", message: `${error}`, details: {} };
  const { name, code, message, details } = error as Readonly<Record<string, unknown>>;
  return {
    name: typeof name === "string" ? name : "Error",
    code: typeof code === "string" ? code : "",
    message: typeof message === "string" ? message : `${error}`,
    details: details instanceof Object ? details as Record<string, unknown> : {},
  };
}
