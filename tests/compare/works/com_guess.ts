/**
 * How near a guess of the corrections of a field must be to LiberTEM's, which tries whole degrees.
 *
 * @module
 */

import type { NDArray } from "../../../src/space/ndarray.ts";
import type { Expectations, Results } from "../compare.ts";

/**
 * The rotation may be half a degree off. A field and its opposite are told apart by how many values of the divergence
 * lie in the outermost fifths of their range: where these counts are equal, or change within that half degree, the
 * rotation counts modulo 180°.
 */
export function guessExpectations(raw: NDArray, ours: Results, theirs: Results): Expectations {
  const value = (results: Results, name: string) => Number(results[name]!.data[0]);
  const flips = [ours, theirs].map((results) => value(results, "flip"));
  const curls = [0, 1].map((flip) => leastCurl(raw, flip === 1));
  const areAlike = Math.abs(curls[0]! - curls[1]!) <= 1e-3 * Math.max(...curls) + 1e-12;
  if (flips[0] !== flips[1] && areAlike) return { cy: 1e-9, cx: 1e-9 };
  const verdicts = [ours, theirs].map((results) =>
    polarity(raw, value(results, "rotation"), value(results, "flip") === 1)
  );
  const isClear = verdicts.every((sign) => sign > 0) || verdicts.every((sign) => sign < 0);
  return { cy: 1e-9, cx: 1e-9, flip: 0, rotation: { within: 0.501, period: isClear ? 360 : 180 } };
}

/** Divergence and curl of the turned field, without the last row and column. */
function derivatives({ data, shape }: NDArray, degrees: number, flipY: boolean) {
  const [rows, columns] = shape as [number, number];
  const angle = degrees * Math.PI / 180;
  const at = (row: number, column: number, part: 0 | 1) => {
    const i = 2 * (row * columns + column);
    const [y, x] = [(flipY ? -1 : 1) * Number(data[i]), Number(data[i + 1])];
    return part === 0 ? Math.cos(angle) * y + Math.sin(angle) * x : Math.cos(angle) * x - Math.sin(angle) * y;
  };
  const slope = (row: number, column: number, part: 0 | 1, axis: 0 | 1) => {
    const [from, to] = [-1, 1].map((step) => {
      const [n, c] = axis === 0 ? [rows, row] : [columns, column];
      return Math.min(n - 1, Math.max(0, c + step));
    }) as [number, number];
    const value = (c: number) => axis === 0 ? at(c, column, part) : at(row, c, part);
    return (value(to) - value(from)) / (to - from);
  };
  const places = Array.from({ length: (rows - 1) * (columns - 1) }, (_, i) => {
    return [Math.floor(i / (columns - 1)), i % (columns - 1)] as const;
  });
  return places.map(([r, c]) => ({
    divergence: slope(r, c, 0, 0) + slope(r, c, 1, 1),
    curl: slope(r, c, 0, 1) - slope(r, c, 1, 0),
  }));
}

/** The least mean square of the curl over all rotations. */
function leastCurl(raw: NDArray, flipY: boolean): number {
  const degrees = Array.from({ length: 180 }, (_, i) => i);
  const curls = degrees.map((angle) => {
    const all = derivatives(raw, angle, flipY);
    return all.reduce((sum, { curl }) => sum + curl * curl, 0) / all.length;
  });
  return Math.min(...curls);
}

/** How many more values lie in the most negative of five bins than in the most positive one; 0: it cannot be told. */
function polarity(raw: NDArray, degrees: number, flipY: boolean): number {
  const values = derivatives(raw, degrees, flipY).map(({ divergence }) => divergence);
  const range = Math.max(...values.map(Math.abs));
  const count = (inside: (value: number) => boolean) => values.filter(inside).length;
  const sure = count((v) => v < -0.601 * range) - count((v) => v > 0.599 * range);
  const other = count((v) => v < -0.599 * range) - count((v) => v > 0.601 * range);
  return Math.sign(sure) === Math.sign(other) ? sure : 0;
}
