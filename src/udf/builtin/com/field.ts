/**
 * From shifts on the detector to the field on the scan: flip, rotation, and a background that is subtracted.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { cosine, sine } from "../../../space/functions/functions.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { asNumbers } from "../../../space/numbers.ts";
import type { Shape } from "../../../space/shape.ts";
import type { UdfMeta } from "../../interface/udf.ts";

/**
 * A background that is subtracted: −1 nothing, 0 the mean, 1 the plane that fits best, or the rows `[[y, x], [∂y/∂row,
 * ∂x/∂row], [∂y/∂column, ∂x/∂column]]` of a plane.
 * @category Analyses
 */
export type ComRegression = -1 | 0 | 1 | readonly (readonly number[])[] | NDArray;

/**
 * The field rotated by an angle in degrees; with `flipY`, y changes its sign first. A positive angle rotates from x
 * towards y, clockwise if y points down: `[[cos, sin], [−sin, cos]]` on (y, x).
 */
export function turned({ y, x }: VectorField, degrees: number, flipY: boolean): VectorField {
  const angle = degrees * Math.PI / 180;
  const [cos, sin] = [cosine(angle), sine(angle)];
  const sign = flipY ? -1 : 1;
  return {
    y: y.map((value, i) => cos * sign * value + sin * x[i]!),
    x: x.map((value, i) => cos * value - sin * sign * y[i]!),
  };
}

/** The plane of a background, three rows of (y, x), as a matrix in row-major order. */
export function backgroundOf(field: VectorField, navShape: Shape, regression: ComRegression): Float64Array {
  if (typeof regression !== "number") return matrixOf(regression);
  const plane = new Float64Array(6);
  if (regression === -1) return plane;
  const fit = regression === 0 ? meanOf : (values: Float64Array) => planeOf(values, navShape);
  [field.y, field.x].forEach((values, c) => fit(values).forEach((value, row) => plane[2 * row + c] = value));
  return plane;
}

/** The field minus the background. */
export function subtracted({ y, x }: VectorField, navShape: Shape, plane: Float64Array): VectorField {
  const columns = navShape.at(-1) ?? 1;
  const without = (values: Float64Array, c: number) =>
    values.map((value, i) => {
      const [row, column] = [Math.floor(i / columns), i % columns];
      return value - (plane[c]! + row * plane[2 + c]! + column * plane[4 + c]!);
    });
  return { y: without(y, 0), x: without(x, 1) };
}

/** Refuses an invalid regression, and one that does not fit the dimensions of the scan. */
export function checkRegression(regression: ComRegression, navShape: Shape): void {
  if (typeof regression === "number" && ![-1, 0, 1].includes(regression)) {
    const text =
      `A regression of ${regression} is unknown: −1 subtracts nothing, 0 the mean, 1 a plane; or give 3 × 2 numbers`;
    throw new TilewiseError("invalid", text, { option: "regression", found: regression });
  }
  if (typeof regression !== "number") matrixOf(regression);
  if (regression === -1 || regression === 0 || navShape.length === 2) return;
  const text =
    `Cannot subtract a plane from a scan of ${navShape.length} dimensions: it needs 2; regression 0 ` +
    `subtracts the mean`;
  throw new TilewiseError("invalid", text, { option: "regression", expected: 2, found: navShape.length });
}

function matrixOf(regression: readonly (readonly number[])[] | NDArray): Float64Array {
  const values = "data" in regression
    ? Float64Array.from(asNumbers(regression.data))
    : Float64Array.from(regression.flat());
  const shape = "data" in regression ? regression.shape : [regression.length, regression[0]?.length ?? 0];
  if (values.length === 6 && shape[0] === 3 && values.every(Number.isFinite)) return values;
  throw new TilewiseError("invalid", "A regression must be −1, 0, 1 or 3 rows of 2 finite numbers (y, x)", {
    option: "regression",
  });
}

function meanOf(values: Float64Array): number[] {
  const valid = values.filter(Number.isFinite);
  return [valid.length === 0 ? 0 : valid.reduce((a, b) => a + b, 0) / valid.length];
}

/**
 * The plane `a + b·row + c·column` with the least squared distance from the finite values. Rows and columns are centred
 * on their means, and columns are made orthogonal to rows, so that each slope is one division. A direction without
 * extent has slope 0.
 */
function planeOf(values: Float64Array, navShape: Shape): number[] {
  const width = navShape.at(-1)!;
  const at = [...values.keys()].filter((i) => Number.isFinite(values[i]));
  if (at.length === 0) return [0, 0, 0];
  const centred = (list: number[]) => {
    const mean = list.reduce((a, b) => a + b, 0) / list.length;
    return { mean, rest: list.map((value) => value - mean) };
  };
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, i) => sum + v * b[i]!, 0);
  const slope = (a: readonly number[], b: readonly number[]) => dot(a, a) < 1e-9 ? 0 : dot(a, b) / dot(a, a);
  const rows = centred(at.map((i) => Math.floor(i / width)));
  const columns = centred(at.map((i) => i % width));
  const field = centred(at.map((i) => values[i]!));
  const lean = slope(rows.rest, columns.rest);
  const across = columns.rest.map((value, i) => value - lean * rows.rest[i]!);
  const byColumn = slope(across, field.rest);
  const byRow = slope(rows.rest, field.rest) - lean * byColumn;
  return [field.mean - byRow * rows.mean - byColumn * columns.mean, byRow, byColumn];
}

// Divergence and curl of a vector field on a grid, by the differences of `numpy.gradient`: central ones inside,
// one-sided ones at the borders. A position without a value is NaN, and so are the derivatives that depend on it.

/** Components of a vector field over rows and columns. */
export interface VectorField {
  /** Component along the axis of the rows. */
  readonly y: Float64Array;
  /** Component along the axis of the columns. */
  readonly x: Float64Array;
}

/** Numbers of rows and columns of a grid. */
export type GridShape = readonly [rows: number, columns: number];

/** Whether a grid has neighbours in both directions. */
export function hasDerivatives(shape: readonly number[]): shape is GridShape {
  return shape.length === 2 && shape.every((n) => n > 1);
}

/** The derivative along an axis: 0 down the rows, 1 along them. */
function gradient(values: Float64Array, [rows, columns]: GridShape, axis: 0 | 1): Float64Array {
  const [size, stride] = axis === 0 ? [rows, columns] : [columns, 1];
  return values.map((_, i) => {
    const at = Math.floor(i / stride) % size;
    const before = at === 0 ? i : i - stride;
    const after = at === size - 1 ? i : i + stride;
    return (values[after]! - values[before]!) / ((after - before) / stride);
  });
}

/** ∂y/∂(row) + ∂x/∂(column). */
export function divergence({ y, x }: VectorField, shape: GridShape): Float64Array {
  const down = gradient(x, shape, 1);
  return gradient(y, shape, 0).map((value, i) => value + down[i]!);
}

/** ∂y/∂(column) − ∂x/∂(row). */
export function curl({ y, x }: VectorField, shape: GridShape): Float64Array {
  const down = gradient(x, shape, 0);
  return gradient(y, shape, 1).map((value, i) => value - down[i]!);
}

// Shifts on the detector in its unit, where the file knows it.

/** The unit of both axes of a frame, and how much of it a pixel is along y and x. */
interface Calibration {
  readonly unit: string;
  readonly y: number;
  readonly x: number;
}

/** The calibration of frames; `undefined`: the file does not say both scales, in one unit. */
export function calibrationOf(
  { axes, navShape }: Pick<UdfMeta, "axes" | "navShape">,
): Calibration | undefined {
  const [y, x] = axes.slice(navShape.length);
  if (!y?.scale || !x?.scale || !y.unit || y.unit !== x.unit || y.unit === "px") return undefined;
  return { unit: y.unit, y: y.scale, x: x.scale };
}

/**
 * A field in pixels, in the unit of the detector: it is turned back to the axes of the detector, whose pixels may not be square, and
 * turned again.
 */
export function calibrated(
  field: VectorField,
  { y, x }: Calibration,
  degrees: number,
  flipY: boolean,
): VectorField {
  const scaled = ({ y: along, x: across }: VectorField) => ({
    y: along.map((value) => value * y),
    x: across.map((value) => value * x),
  });
  if (y === x) return scaled(field);
  return turned(scaled(turnedBack(field, degrees, flipY)), degrees, flipY);
}

/** The inverse of {@link turned}. */
function turnedBack({ y, x }: VectorField, degrees: number, flipY: boolean): VectorField {
  const angle = degrees * Math.PI / 180;
  const [cos, sin] = [cosine(angle), sine(angle)];
  const sign = flipY ? -1 : 1;
  return {
    y: y.map((value, i) => sign * (cos * value - sin * x[i]!)),
    x: x.map((value, i) => sin * y[i]! + cos * value),
  };
}
