/**
 * Least squares with three unknowns: the matrix that takes data to the fit, from which follows what errors of the data do.
 *
 * @module
 */

/**
 * (AᵀWA)⁻¹AᵀW: three rows, one number for each row of `design`; nothing where the fit has no single answer.
 *
 * @example A line through three points, and a third unknown
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * const [constant] = fitMatrix([[1, 0, 0], [1, 1, 0], [1, 0, 1]])!;
 * assertAlmostEquals(constant![0]!, 1, 1e-12);
 * ```
 */
export function fitMatrix(
  design: readonly (readonly number[])[],
  weights: readonly number[] = design.map(() => 1),
): number[][] | undefined {
  const moment = (a: number, b: number) =>
    design.reduce((sum, row, i) => sum + weights[i]! * row[a]! * row[b]!, 0);
  const m = [0, 1, 2].map((a) => [0, 1, 2].map((b) => moment(a, b)));
  const minor = (a: number, b: number) => {
    const [r, s] = [0, 1, 2].filter((i) => i !== a), [t, u] = [0, 1, 2].filter((i) => i !== b);
    return (m[r!]![t!]! * m[s!]![u!]! - m[r!]![u!]! * m[s!]![t!]!) * ((a + b) % 2 === 0 ? 1 : -1);
  };
  const determinant = [0, 1, 2].reduce((sum, b) => sum + m[0]![b]! * minor(0, b), 0);
  if (!(Math.abs(determinant) > 1e-9 * m[0]![0]! * m[1]![1]! * m[2]![2]!)) return undefined;
  return [0, 1, 2].map((a) =>
    design.map((row, i) =>
      weights[i]! * [0, 1, 2].reduce((sum, b) => sum + minor(b, a) / determinant * row[b]!, 0)
    )
  );
}

/** The bounds of the three unknowns, when each number of the data may be off by `errors`. */
export function fitErrors(matrix: readonly (readonly number[])[], errors: (row: number) => number): number[] {
  return matrix.map((row) => row.reduce((sum, weight, i) => sum + Math.abs(weight) * errors(i), 0));
}
