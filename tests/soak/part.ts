/**
 * A part of the soak test: what it is given, and what it says in the end.
 *
 * @module
 */

/** What a part is to do. */
export interface SoakOptions {
  /** Another series of random numbers. */
  readonly seed: number;
  /** Fewer cases, for the tests of every change. */
  readonly quick: boolean;
}

/** A promise that was broken. */
export interface Finding {
  /** The case, so that it can be found again. */
  readonly at: string;
  /** What was wrong. */
  readonly text: string;
}

/** What a part has done. */
export interface Outcome {
  /** Cases. */
  readonly cases: number;
  /** What was wrong in them. */
  readonly findings: readonly Finding[];
  /** Measured figures as a table with a head, where there are some. */
  readonly figures?: readonly (readonly string[])[];
}

/** A part. */
export interface Part {
  /** Its name, after `--only`. */
  readonly name: string;
  /** What it does, for the help. */
  readonly help: string;
  /** What must be installed for it, in words, and whether it is; without it the part is skipped. */
  readonly needs?: { readonly what: string; isThere(): boolean };
  /** Runs it. */
  run(options: SoakOptions): Promise<Outcome>;
}

/** Counts cases and keeps what was wrong in them. */
export class Tally implements Outcome {
  /** Cases so far. */
  cases = 0;
  /** What was wrong so far. */
  readonly findings: Finding[] = [];

  /** One case: `body` says what is wrong, or nothing; what it throws is wrong as well. */
  async add(at: string, body: () => Promise<string | undefined>): Promise<void> {
    this.cases++;
    const text = await body().catch((error: unknown) => `it threw ${describe(error)}`);
    if (text !== undefined) this.findings.push({ at, text });
  }
}

/** An error with its stack, anything else as text. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** What `work` gives, or nothing after `milliseconds`. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => timer = setTimeout(() => resolve("late"), milliseconds));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Calls `body` for each of `all`, `width` at a time. */
export async function inParallel<T>(
  width: number,
  all: Iterable<T>,
  body: (one: T) => Promise<void>,
): Promise<void> {
  const rest = all[Symbol.iterator]();
  const lane = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await body(next.value);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** A folder that is gone after `body`. */
export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-soak-" });
  try {
    return await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
