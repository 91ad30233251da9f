/**
 * The centre of mass of every frame, which shows how the electric field deflects the beam.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { kernel } from "../../kernels/registry.ts";
import { checkRing, GEOMETRY, leastRingBytes, reach, type Ring, ringRuns } from "../../masks/geometry.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { either, finite, list, number, truth } from "../../options/rules.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { type Box, box } from "../../space/box.ts";
import { mustBeReal } from "./runs.ts";
import { arrayValue } from "../../space/rules.ts";
import { lowerBound } from "../../space/search.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import {
  backgroundOf,
  calibrated,
  calibrationOf,
  checkRegression,
  type ComRegression,
  curl,
  divergence,
  hasDerivatives,
  subtracted,
  turned,
} from "./com/field.ts";
import type { BufferSpecs, Udf, UdfMeta } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * The dtypes of the results of {@link centreOfMass}; derivatives exist only for scans that have neighbours in both
 * directions.
 * @category Analyses
 */
export type CentreTypes = {
  /** Centre of mass of each frame, y and x. */
  readonly raw_com: "float64";
  /** Its shift from the centre, y and x. */
  readonly raw_shifts: "float64";
  /** The shift after all corrections, y and x. */
  readonly field: "float64";
  /** Component y of the field. */
  readonly field_y: "float64";
  /** Component x of the field. */
  readonly field_x: "float64";
  /** Magnitude of the field. */
  readonly magnitude: "float64";
  /** Divergence of the field; only of scans with two dimensions. */
  readonly divergence?: "float64";
  /** Curl of the field; only of scans with two dimensions. */
  readonly curl?: "float64";
  /** The field in the unit of the detector, y and x; only where the data set knows that unit. */
  readonly calibrated?: "float64";
  /** The plane that was subtracted from the field: three rows of y and x. */
  readonly regression: "float64";
};

/**
 * Parameters of {@link centreOfMass}; lengths in pixels.
 * @category Analyses
 */
export interface CentreOfMassOptions {
  /** Row of the reference centre. Default: half the height, rounded down. */
  readonly cy?: number;
  /** Column of the reference centre. Default: half the width, rounded down. */
  readonly cx?: number;
  /** Only pixels with `r' ≤ r` around the reference centre count. Default: all. */
  readonly r?: number;
  /** Only pixels with `r' > ri` count. The default 0 includes all, also the centre. */
  readonly ri?: number;
  /**
   * Rotates shifts on the detector into directions of the scan, in degrees; positive: clockwise in the picture, with
   * y pointing down. That is minus `dataset.instrument.scanRotation`, if nothing else turns the patterns. Finite.
   * Default 0.
   */
  readonly scanRotation?: number;
  /** Whether to change the sign of y, before the rotation. Default false. */
  readonly flipY?: boolean;
  /**
   * What is subtracted from the field: −1 nothing, 0 its mean over the processed positions, 1 the plane that fits it
   * best, or a given plane as rows `[[y, x], [∂y/∂row, ∂x/∂row], [∂y/∂column, ∂x/∂column]]`. Default −1.
   */
  readonly regression?: ComRegression;
}

/** The names of the options. */
// deno-fmt-ignore: written by `deno task build`
const COM_OPTIONS: OptionNames<CentreOfMassOptions> = {
  cy: GEOMETRY.cy, cx: GEOMETRY.cx, r: reach, ri: GEOMETRY.ri, scanRotation: finite, flipY: truth,
  regression: either("-1, 0, 1 or three rows of (y, x)", number, list, arrayValue),
};

/**
 * Centre of mass of every frame. Results over the scan, float64, in pixels, y before x: `raw_com` (…scan, 2) is the
 * centre of mass, `raw_shifts` (…scan, 2) its difference from the reference centre, `field` (…scan, 2) this difference
 * after flip, rotation and regression, `field_y`, `field_x` its components, `magnitude` its length. Scans of two
 * dimensions with at least 2 positions each also have `divergence` = ∂y/∂row + ∂x/∂column and `curl` = ∂y/∂column −
 * ∂x/∂row, by central differences, one-sided at the borders, NaN next to positions that were not processed.
 * Where the data set says the scale and the unit of the detector, such as 1/nm or mrad, `calibrated` (…scan, 2) is the field in it.
 * `regression` (3, 2) is the plane that was subtracted. A frame without counts has the reference centre.
 *
 * @param options reference centre, radius of the disk, flip, rotation and regression
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { centreOfMass, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(0, 1, 0, 3), { format: "raw", dtype: "uint8", nav: [1], sig: [2, 2] });
 * const { com } = await run(await plan(scan, { com: centreOfMass() }));
 * assertEquals([...com.raw_com.data], [0.75, 1]);
 * ```
 * @category Analyses
 */
export function centreOfMass(options: CentreOfMassOptions = {}): UdfRef<CentreTypes> {
  checkOptionNames("centreOfMass()", options, COM_OPTIONS);
  return builtin("centre_of_mass", { ...options } as Record<string, never>);
}

type Types = CentreTypes & { readonly sums: "float64"; readonly seen: "uint8" };

/** The UDF behind `centreOfMass`. */
export function centreOfMassUdf(
  options: CentreOfMassOptions = {},
): Udf<Types, { constants: { runs: Int32Array }; taskData: Uint32Array }> {
  checkOptionNames("centreOfMass()", options, COM_OPTIONS);
  return {
    name: "centre_of_mass",
    buffers: buffersFor,
    inputDType: "native",
    raw: "kernels",
    kernels: ["com"],
    tiling: { contiguous: true },
    pixels: ({ sigShape }) =>
      options.r === undefined ? undefined : rowsWith(runsOf(options, sigShape), sigShape),
    leastBytes: ({ sigShape }) => leastRingBytes(sigShape as [number, number], ringOf(options, sigShape)),
    constants: (meta) => {
      checkOptions(options, meta);
      return { runs: runsOf(options, meta.sigShape) };
    },
    taskData: ({ constants }) =>
      // the row of each run, in ascending order
      Uint32Array.from({ length: constants.runs.length / 3 }, (_, i) => constants.runs[3 * i]!),
    processTile({ raw, frames, box, rowLength }, { sums, seen }, { kernels, constants, taskData: rows }) {
      const first = box.origin[0]!;
      const from = lowerBound(rows, first);
      const count = lowerBound(rows, first + box.shape[0]!) - from;
      const add = kernel(kernels, "com", raw.dtype, raw.byteOrder);
      const runs = constants.runs.byteOffset + 12 * from;
      add(sums.byteOffset, 24, raw.pointer, frames, raw.frameStride, rowLength, first, runs, count);
      seen.fill(1);
    },
    results: ({ sums, seen }, meta) => resultsOf(sums, seen, options, meta),
  };
}

/** What components along y and x are. */
const COMPONENT: AxisFacts = { name: "component", names: ["y", "x"] };

/** The buffers for such data; derivatives need neighbours, and the unit of the detector must be known. */
function buffersFor(meta: UdfMeta): BufferSpecs<Types> {
  const result = { kind: "nav", dtype: "float64", use: "result" } as const;
  const vectorIn = (unit: string) =>
    ({ ...result, extraShape: [2], values: { kind: "vector", unit }, axes: [COMPONENT] }) as const;
  const number = { ...result, values: { kind: "amount", unit: "px" } } as const;
  const slope = { ...result, values: { kind: "amount", unit: "px/position" } } as const;
  const derivatives = hasDerivatives(meta.navShape) ? { divergence: slope, curl: slope } : {};
  const calibration = calibrationOf(meta);
  return {
    sums: { kind: "nav", dtype: "float64", extraShape: [3], use: "private" },
    seen: { kind: "nav", dtype: "uint8", use: "private" },
    raw_com: { ...vectorIn("px"), values: { kind: "amount", unit: "px" } }, // places, from the first pixel on
    raw_shifts: vectorIn("px"),
    field: vectorIn("px"),
    field_y: number,
    field_x: number,
    magnitude: number,
    ...derivatives,
    ...(calibration ? { calibrated: vectorIn(calibration.unit) } : {}),
    regression: {
      kind: "single",
      dtype: "float64",
      extraShape: [3, 2],
      use: "result",
      values: { kind: "vector" },
      axes: [{ name: "term", names: ["first", "per row", "per column"] }, COMPONENT],
    },
  };
}

function checkOptions(options: CentreOfMassOptions, { navShape, sigShape, nativeDType }: UdfMeta): void {
  const { regression = -1 } = options;
  mustBeReal(nativeDType, "find the centre of mass of", "centre_of_mass");
  checkRegression(regression, navShape);
  const { ri, ...ring } = ringOf(options, sigShape);
  checkRing("a centre of mass", sigShape, ri < 0 ? ring : { ...ring, ri }, { outer: "r" });
}

function centreFor({ cy, cx }: CentreOfMassOptions, sigShape: Shape): [number, number] {
  if (sigShape.length !== 2) {
    const text = `Cannot find the centre of mass of frames of ${showShape(sigShape)}: they need 2 dimensions`;
    throw new TilewiseError("invalid", text);
  }
  return [cy ?? Math.floor(sigShape[0]! / 2), cx ?? Math.floor(sigShape[1]! / 2)];
}

/** The pixels that are used: all, a disk, or a ring. */
function ringOf(options: CentreOfMassOptions, sigShape: Shape): Ring {
  const [cy, cx] = centreFor(options, sigShape);
  const { r = Infinity, ri = 0 } = options;
  return { cy, cx, ro: r, ri: ri === 0 ? -1 : ri }; // if ri is 0, the pixel in the middle counts
}

/** These pixels as runs (y, x0, x1). */
function runsOf(options: CentreOfMassOptions, sigShape: Shape): Int32Array {
  return ringRuns(sigShape as [number, number], ringOf(options, sigShape));
}

/** The rows that contain runs. */
function rowsWith(runs: Int32Array, [, width]: Shape): Box {
  const first = runs[0] ?? 0;
  const last = runs.at(-3) ?? first;
  return box([first, 0], [last + 1 - first, width!]);
}

/** Computes the results from the sums of frames; positions that were not `seen` are NaN. */
function resultsOf(
  sums: Float64Array,
  seen: Uint8Array,
  options: CentreOfMassOptions,
  meta: UdfMeta,
): Readonly<Record<Exclude<keyof CentreTypes, "divergence" | "curl" | "calibrated">, Float64Array>> {
  const { navShape, sigShape } = meta;
  const [cy, cx] = centreFor(options, sigShape);
  const centre = (part: number, reference: number) =>
    Float64Array.from(seen, (isSeen, f) => {
      const total = sums[3 * f]!;
      return !isSeen ? NaN : total === 0 ? reference : sums[3 * f + part]! / total;
    });
  const [y, x] = [centre(1, cy), centre(2, cx)];
  const shifts = { y: y.map((value) => value - cy), x: x.map((value) => value - cx) };
  const { scanRotation = 0, flipY = false, regression = -1 } = options;
  const plain = scanRotation === 0 && !flipY ? shifts : turned(shifts, scanRotation, flipY);
  const plane = backgroundOf(plain, navShape, regression);
  const field = subtracted(plain, navShape, plane);
  const calibration = calibrationOf(meta);
  const physical = calibration && calibrated(field, calibration, scanRotation, flipY);
  return {
    raw_com: pairs(y, x),
    raw_shifts: pairs(shifts.y, shifts.x),
    field: pairs(field.y, field.x),
    field_y: field.y,
    field_x: field.x,
    magnitude: field.y.map((value, f) => Math.hypot(value, field.x[f]!)),
    ...(hasDerivatives(navShape)
      ? { divergence: divergence(field, navShape), curl: curl(field, navShape) }
      : {}),
    ...(physical ? { calibrated: pairs(physical.y, physical.x) } : {}),
    regression: plane,
  };
}

function pairs(y: Float64Array, x: Float64Array): Float64Array {
  return Float64Array.from({ length: 2 * y.length }, (_, i) => i % 2 === 0 ? y[i / 2]! : x[(i - 1) / 2]!);
}
