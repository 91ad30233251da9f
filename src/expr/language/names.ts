/**
 * The predefined names of expressions: functions, reductions, constants, coordinates; and suggestions for misspelt
 * names.
 *
 * @module
 */

/** Functions of samples, with their smallest and largest number of arguments. */
export const FUNCTIONS: Readonly<Record<string, readonly [number, number]>> = {
  abs: [1, 1],
  atan2: [2, 2],
  ceil: [1, 1],
  clamp: [3, 3],
  cos: [1, 1],
  exp: [1, 1],
  floor: [1, 1],
  hypot: [2, 2],
  log: [1, 1],
  log1p: [1, 1],
  max: [2, 16],
  min: [2, 16],
  pow: [2, 2],
  round: [1, 1],
  sin: [1, 1],
  sqrt: [1, 1],
  trunc: [1, 1],
};

/** Reductions of one argument: over the pixels of a frame, or over the frames (`frames.sum`). */
export const REDUCTIONS = ["sum", "mean", "min", "max", "count"] as const;

/** The name of a reduction. */
export type ReductionName = (typeof REDUCTIONS)[number];

/** Constants. */
export const CONSTANTS: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  inf: Infinity,
  nan: NaN,
};

/** The sample, the coordinates of its pixel, and the scan position of its frame. */
export const VARIABLES = ["x", "row", "col", "frame"] as const;

/** Names that parameters and arrays cannot have. */
export function isReserved(name: string): boolean {
  return Object.hasOwn(CONSTANTS, name) || name === "frames" ||
    (VARIABLES as readonly string[]).includes(name);
}

/** Every callable name, for messages. */
export function callables(): string[] {
  return [
    ...new Set([...Object.keys(FUNCTIONS), ...REDUCTIONS, ...REDUCTIONS.map((name) => `frames.${name}`)]),
  ];
}

/**
 * The name among `known` that is most similar to `name`, if one is similar.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(closest("sqr", ["sin", "sqrt"]), "sqrt");
 * assertEquals(closest("zebra", ["sin", "sqrt"]), undefined);
 * ```
 */
export function closest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 40).toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 2)) + 0.5;
  for (const candidate of known) {
    const distance = edits(wanted, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Number of letters to insert, delete or change between two words. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
