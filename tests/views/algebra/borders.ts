/** Borders for tests, which workers import. */

/** The first sample, everywhere. */
export function first(): number {
  return 0;
}

/** The sample as far from the other end. */
export function opposite(i: number, n: number): number {
  return i < 0 ? Math.max(0, n + i) : Math.min(n - 1, i - n);
}

/** Not a function. */
export const five = 5;
