/**
 * The UDF that finds the centre of mass of each frame, and what follows from it.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { hasKernel } from "../../../kernels/exists.ts";
import { kernel } from "../../../kernels/registry.ts";
import { checkRing } from "../../../masks/ring_check.ts";
import { leastRingBytes, type Ring, ringRuns } from "../../../masks/ring_runs.ts";
import { checkOptionNames } from "../../../options.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import { type Box, box } from "../../../space/box.ts";
import { type Shape, showShape } from "../../../space/shape.ts";
import { lowerBound } from "../../../space/search.ts";
import type { BufferSpecs, Udf, UdfMeta } from "../../interface/udf.ts";
import { curl, divergence, hasDerivatives } from "../com/derivatives.ts";
import { calibrated, calibrationOf } from "../com/calibrated.ts";
import { backgroundOf, checkRegression, subtracted, turned } from "../com/field.ts";
import { type CentreOfMassOptions, type CentreTypes, COM_OPTIONS } from "../centre_of_mass.ts";

type Types = CentreTypes & { readonly sums: "float64"; readonly seen: "uint8" };

/** The UDF behind `centreOfMass`. */
export function com(
  options: CentreOfMassOptions = {},
): Udf<Types, { constants: { runs: Int32Array }; taskData: Uint32Array }> {
  checkOptionNames("centreOfMass()", options, COM_OPTIONS);
  return {
    name: "com",
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
    raw_com: vectorIn("px"),
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
  if (!hasKernel("com", nativeDType)) {
    const text = `Cannot find the centre of mass of ${nativeDType} samples; they must be real`;
    throw new TilewiseError("unsupported", text, { udf: "com", found: nativeDType });
  }
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
