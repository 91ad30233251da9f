/**
 * Options that are refused when nobody knows them: a misspelt one would be ignored in silence otherwise.
 *
 * @module
 */

import { TilewiseError } from "./errors.ts";

/** The names of all options of `T`; the compiler reports a missing one and one that `T` does not have. */
export type OptionNames<T> = { readonly [K in keyof T]-?: true };

/**
 * Refuses options of `call` that are not an object, and names it does not know, with the nearest one it knows.
 *
 * Errors: `invalid`, with `found` and `expected`.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * const names: OptionNames<{ syncOffset?: number }> = { syncOffset: true };
 * const typed: object = JSON.parse('{ "syncoffset": 5 }');
 * assertThrows(() => checkOptionNames("open()", typed, names), Error, 'did you mean "syncOffset"?');
 * ```
 */
export function checkOptionNames<T extends object>(call: string, options: T, names: OptionNames<T>): void {
  checkNames(`${call} has no option`, options, Object.keys(names));
}

/**
 * Refuses names of `given` that are not `known`. The message begins with `problem`, such as `open() has no option`.
 *
 * Errors: `invalid`, with `found` and `expected`.
 */
export function checkNames(problem: string, given: object, known: readonly string[]): void {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const found = Array.isArray(given) ? "a list" : JSON.stringify(given) ?? String(given);
    const text = `${problem} ${found}: options are an object, such as { ${known[0] ?? ""}: … }`;
    throw new TilewiseError("invalid", text, { found });
  }
  const wrong = Object.keys(given).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const near = nearest(wrong, known);
  const hint = near
    ? `did you mean "${near}"?`
    : known.length > 0
    ? `there are ${known.join(", ")}`
    : "there are none";
  const text = `${problem} "${wrong}"; ${hint}`;
  throw new TilewiseError("invalid", text, { found: wrong, expected: near ?? known.join(", ") });
}

/**
 * The candidate most like `word`, if any is alike: at most a third of its letters differ. Capitals, dashes and
 * underscores make no difference.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(nearest("stat", ["info", "stats", "pick"]), "stats");
 * assertEquals(nearest("extra_shape", ["dtype", "extraShape"]), "extraShape");
 * assertEquals(nearest("xyz", ["info", "stats"]), undefined);
 * ```
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates.map((candidate) => ({
    candidate,
    cost: distance(plain(word), plain(candidate)),
  }));
  const best = ranked.toSorted((a, b) => a.cost - b.cost)[0];
  return best && best.cost <= Math.max(1, Math.ceil(best.candidate.length / 3)) ? best.candidate : undefined;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/(?<=\w)[-_]/g, "");
}

/** Edits from `a` to `b`: letters added, removed, changed, or neighbours swapped. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const [before, row] = [rows[i - 1]!, [i]];
    for (let j = 1; j <= b.length; j++) {
      const change = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(change, swap, before[j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
