/**
 * The centre of mass with all of its parameters, and what is guessed from it.
 *
 * @module
 */

import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { centreOfMass, type CentreOfMassOptions } from "../../../src/udf/builtin/centre_of_mass.ts";
import { asParam, float64, fromParam } from "../data/arrays.ts";
import { type Approx, combination, DOUBLE, quotient, roundoff, sumError } from "../verdict/bounds.ts";
import type { Random } from "../data/random.ts";
import type { Expectations } from "../compare.ts";
import { type DataSpec, isComplex, isImage, type Json, type Params, product } from "../data/spec.ts";
import type { Truth } from "../data/truth.ts";
import { type AnyWork, compute, type Judged, type Opened, work } from "../work.ts";
import { guessCorrections } from "../../../src/udf/builtin/com/guess.ts";
import { guessExpectations } from "./com_guess.ts";
import { randomCentre } from "./detectors.ts";
import { fitMatrix } from "./fits.ts";
import { overPixels, ringWeights } from "./plain.ts";

interface ComParams extends Params {
  readonly cy?: number;
  readonly cx?: number;
  readonly r?: number;
  readonly ri?: number;
  readonly scanRotation: number;
  readonly flipY: boolean;
  readonly regression: number | readonly (readonly number[])[];
}

function comParams(random: Random, { sig }: DataSpec, withRegression: boolean): ComParams {
  const side = Math.min(...sig);
  const r = random.chance(0.6) ? { r: random.real(0.3, 1) * side } : {};
  const matrix = [0, 0, 0].map(() => [random.real(-1, 1), random.real(-1, 1)]);
  return {
    ...randomCentre(random, sig),
    ...r,
    ...("r" in r && random.chance(0.4) ? { ri: random.real(0.1, 0.9) * r.r } : {}),
    scanRotation: random.pick([0, 90, random.real(-180, 180)]),
    flipY: random.chance(0.4),
    regression: withRegression ? random.pick([-1, 0, 1, 1, matrix]) : -1,
  };
}

/** Both components of a field, with their errors: nothing where there is no frame. */
interface Field {
  readonly y: readonly (Approx | undefined)[];
  readonly x: readonly (Approx | undefined)[];
}

/** Centre of mass of each position, from sums whose bounds are known. */
function centres(truth: Truth, data: DataSpec, params: ComParams, centre: readonly [number, number]): Field {
  const { sig } = data;
  const unit = roundoff(data);
  const [cy, cx] = centre;
  const inside = ringWeights(sig, {
    cy,
    cx,
    ro: params.r ?? Infinity,
    ...(params.ri ? { ri: params.ri } : {}),
  });
  const rows = overPixels(sig, (y) => y), columns = overPixels(sig, (_, x) => x);
  const [byRow, byColumn] = [rows, columns].map((places) => inside.map((weight, p) => weight * places[p]!));
  const sum = (position: number, weights: Float64Array): Approx => {
    const samples = truth.samples(position);
    const value = weights.reduce(
      (total, weight, p) => weight === 0 ? total : total + weight * samples[p]!,
      0,
    );
    return { value, error: sumError(truth, position, { weights, unit }) };
  };
  const at = (weights: Float64Array, reference: number) =>
    Array.from({ length: truth.frames }, (_, position) => {
      if (!truth.present.includes(position)) return undefined;
      const total = sum(position, inside);
      if (total.value === 0 && total.error === 0) return { value: reference, error: 0 };
      return quotient(sum(position, weights), total, unit);
    });
  return { y: at(byRow!, cy), x: at(byColumn!, cx) };
}

/** The same with a number less; single precision rounds the difference. */
function less(values: Field["y"], reference: number, unit: number): Field["y"] {
  return values.map((one) => one && combination([[one, 1], [{ value: reference, error: 0 }, -1]], 2 * unit));
}

/** Turned and flipped, as the documentation says. */
function turned({ y, x }: Field, { scanRotation, flipY }: ComParams, unit: number): Field {
  const angle = scanRotation * Math.PI / 180;
  const [cos, sin, sign] = [Math.cos(angle), Math.sin(angle), flipY ? -1 : 1];
  const mix = (a: number, b: number) =>
    y.map((one, i) => one && x[i] && combination([[one, a], [x[i]!, b]], 2 * unit));
  return { y: mix(cos * sign, sin), x: mix(-sin * sign, cos) };
}

/** Bounds of the three numbers of a plane that is fitted: the fit multiplies errors by what its matrix says. */
function planeErrors(values: Field["y"], navShape: readonly number[], regression: ComParams["regression"]) {
  if (regression !== 0 && regression !== 1) return [0, 0, 0];
  const columns = navShape.at(-1)!;
  const at = [...values.keys()].filter((i) => values[i]);
  const error = (weights: (i: number) => number) =>
    at.reduce(
      (sum, i) => sum + Math.abs(weights(i)) * (values[i]!.error + 8 * DOUBLE * Math.abs(values[i]!.value)),
      0,
    );
  if (regression === 0) return [error(() => 1 / at.length), 0, 0];
  const inverse = fitMatrix(at.map((i) => [1, Math.floor(i / columns), i % columns]));
  if (!inverse) return [Infinity, Infinity, Infinity];
  const row = new Map(at.map((i, r) => [i, r]));
  return inverse.map((weights) => error((i) => weights[row.get(i)!]!) * (1 + 1e-6));
}

/**
 * The bound of what a plane subtracts at any position of the fit. A fit is a projection, which makes no error longer; and
 * LiberTEM leaves out planes below 1e-8.
 */
function planeError(
  values: Field["y"],
  navShape: readonly number[],
  regression: ComParams["regression"],
): number {
  if (regression === -1) return 0;
  const omitted = 1e-8 * (1 + navShape[0]! + navShape.at(-1)!);
  if (regression !== 0 && regression !== 1) return omitted;
  const squares = values.reduce(
    (sum, one) => sum + (one ? (one.error + 64 * DOUBLE * Math.abs(one.value)) ** 2 : 0),
    0,
  );
  return Math.sqrt(squares) + omitted;
}

/** Bounds of everything that the centre of mass gives. */
function comExpectations(
  { opened: { data, truth }, params }: Judged<ComParams>,
  centre: readonly [number, number],
): Expectations {
  const unit = roundoff(data);
  const raw = centres(truth, data, params, centre);
  const shifts = { y: less(raw.y, centre[0], unit), x: less(raw.x, centre[1], unit) };
  const whole = turned(shifts, params, unit);
  const planes = [whole.y, whole.x].map((values) => planeErrors(values, data.nav, params.regression));
  const field = [whole.y, whole.x].map((values) => {
    const plane = planeError(values, data.nav, params.regression);
    return Float64Array.from(values, (one) => one ? one.error + 4 * unit * Math.abs(one.value) + plane : 0);
  });
  const errors = (values: Field["y"], reference: number) =>
    Float64Array.from(
      values,
      (one) => one ? one.error + 4 * unit * (Math.abs(one.value) + Math.abs(reference)) : 0,
    );
  const pairs = (y: Float64Array, x: Float64Array) =>
    Float64Array.from({ length: 2 * y.length }, (_, i) => (i % 2 ? x : y)[i >> 1]!);
  const shiftErrors = [errors(raw.y, centre[0]), errors(raw.x, centre[1])] as const;
  return {
    raw_com: pairs(...shiftErrors),
    raw_shifts: pairs(...shiftErrors),
    field: pairs(field[0]!, field[1]!),
    field_y: field[0]!,
    field_x: field[1]!,
    magnitude: field[0]!.map((error, i) => error + field[1]![i]!),
    ...derivativeErrors(field[0]!, field[1]!, data.nav),
    regression: planes[0]!.flatMap((error, row) => [error, planes[1]![row]!]),
  };
}

/** Bounds of divergence and curl where there are neighbours in two directions: twice the largest error nearby. */
function derivativeErrors(y: Float64Array, x: Float64Array, nav: readonly number[]): Expectations {
  if (nav.length !== 2 || nav.some((n) => n < 2)) return {};
  const [rows, columns] = nav as [number, number];
  const near = Float64Array.from({ length: rows * columns }, (_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    let most = 0;
    for (
      const [r, c] of [[row, column], [row - 1, column], [row + 1, column], [row, column - 1], [
        row,
        column + 1,
      ]]
    ) {
      if (r! < 0 || r! >= rows || c! < 0 || c! >= columns) continue;
      most = Math.max(most, y[r! * columns + c!]! + x[r! * columns + c!]!);
    }
    return 4 * most;
  });
  return { divergence: near, curl: near };
}

function centreFor(
  { cy, cx }: ComParams,
  [height, width]: readonly number[],
  rounded: boolean,
): [number, number] {
  const half = (n: number) => rounded ? Math.floor(n / 2) : n / 2;
  return [cy ?? half(height!), cx ?? half(width!)];
}

function optionsOf(params: ComParams): CentreOfMassOptions {
  return params as unknown as CentreOfMassOptions;
}

async function analysisOf(opened: Opened, params: ComParams) {
  const [cy, cx] = centreFor(params, opened.data.sig, false);
  const { field_y, field_x, magnitude, divergence, curl } = await compute(
    opened,
    centreOfMass({ ...optionsOf(params), cy, cx }),
  );
  return {
    y: field_y!,
    x: field_x!,
    magnitude: magnitude!,
    ...(divergence ? { divergence, curl: curl! } : {}),
  };
}

/** A field of shifts: attracted by something, or noise. */
function randomField(random: Random): { y: Json; x: Json } {
  const [rows, columns] = [random.int(3, 12), random.int(3, 12)];
  const [turn, flip, noise] = [random.real(0, 6.28), random.chance(0.5) ? -1 : 1, random.pick([0, 0.05, 1])];
  const [cy, cx] = [random.real(0, rows), random.real(0, columns)];
  const at = Array.from(
    { length: rows * columns },
    (_, i) => [Math.floor(i / columns) - cy, i % columns - cx] as const,
  );
  const pull = ([y, x]: readonly [number, number]) => -Math.exp(-(y * y + x * x) / 9);
  const y = at.map((d) =>
    flip * pull(d) * (Math.cos(turn) * d[0] - Math.sin(turn) * d[1]) + noise * random.normal() + 7
  );
  const x = at.map((d) =>
    pull(d) * (Math.sin(turn) * d[0] + Math.cos(turn) * d[1]) + noise * random.normal() + 9
  );
  return { y: asParam(float64(y, [rows, columns])), x: asParam(float64(x, [rows, columns])) };
}

function rawCom(params: Params): NDArray {
  const [y, x] = [fromParam(params.y!), fromParam(params.x!)];
  const pairs = Float64Array.from(
    { length: 2 * product(y.shape) },
    (_, i) => Number((i % 2 ? x : y).data[i >> 1]),
  );
  return ndarray(pairs, [...y.shape, 2], "float64");
}

/** The works. */
export const COM: readonly AnyWork[] = [
  work<ComParams>({
    word: "com",
    covers: ["centre_of_mass"],
    suits: ({ data }) => isImage(data) && data.pattern !== "special",
    params: (random, { data }) => comParams(random, data, true),
    ours: async (opened, params) => await compute(opened, centreOfMass(optionsOf(params))),
    expect: (judged) => comExpectations(judged, centreFor(judged.params, judged.opened.data.sig, true)),
  }),
  work<ComParams>({
    word: "com-analysis",
    covers: ["centre_of_mass"],
    suits: ({ data }) => isImage(data) && data.pattern !== "special" && !isComplex(data),
    params: (random, { data }) => comParams(random, data, false),
    ours: async (opened, params) => await analysisOf(opened, params),
    expect: (judged) => {
      const all = comExpectations(judged, centreFor(judged.params, judged.opened.data.sig, false));
      const { field_y, field_x, magnitude, divergence, curl } = all;
      return {
        y: field_y!,
        x: field_x!,
        magnitude: magnitude!,
        ...(divergence ? { divergence, curl: curl! } : {}),
      };
    },
  }),
  work({
    word: "guess",
    alone: true,
    params: (random) => randomField(random),
    ours: (_, params) => {
      const { cy, cx, scanRotation, flipY } = guessCorrections(rawCom(params));
      const scalar = (value: number) => Promise.resolve(float64([value], []));
      return Promise.all([cy, cx, scanRotation, Number(flipY)].map(scalar))
        .then(([y, x, rotation, flip]) => ({ cy: y!, cx: x!, rotation: rotation!, flip: flip! }));
    },
    expect: ({ params, ours, theirs }) => guessExpectations(rawCom(params), ours, theirs),
  }),
];
