/**
 * What all methods of correlation share: their options, the peaks of a frame, and how results are read.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import { arraysOf } from "../../../space/ndarray.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import type { Tile } from "../../interface/tile.ts";
import type { ScratchSpec } from "../../interface/udf.ts";
import type { UdfContext, UdfMeta } from "../../interface/udf_meta.ts";
import { flatPoints, shiftData, wholeShift } from "./lattice.ts";
import type { CorrelateOptions } from "./options/correlation.ts";
import type { Vector } from "./options/lattice.ts";

/** The peaks found in one frame; reused for the next frame. */
export interface FoundPeaks {
  /** The pixels of highest correlation, y, x, y, x, …. */
  readonly centers: Int32Array;
  /** The same with sub-pixel precision. */
  readonly refineds: Float64Array;
  /** The highest correlations. */
  readonly values: Float64Array;
  /** The elevations: the smallest drop per pixel of distance, from 1.5 px on. */
  readonly elevations: Float64Array;
}

/** Correlates frame after frame on one worker. */
export interface Correlator {
  /** Correlates one frame, with its peaks moved by `shift`. */
  correlate(frame: Tile, shift: Vector): FoundPeaks;
}

/** A method of correlation: the arrays it needs, and how a correlator is made. */
export interface Method {
  /** Arrays that all workers read. */
  constants(): Readonly<Record<string, TypedArray>>;
  /** Arrays of one worker. */
  scratch(): Readonly<Record<string, ScratchSpec>>;
  /** Makes the correlator of one worker. */
  create(context: UdfContext): Correlator;
}

/** Number of images that the kernels of small images take per call. */
export const LANES = 8;

/** Numbers of a found peak in memory: y, x, refined y, refined x, height, elevation. */
const FIELDS = 6;

/** The arrays of a {@link PeakTable}. */
const TABLE = {
  peaks: "int32",
  centers: "int32",
  refineds: "float64",
  values: "float64",
  elevations: "float64",
  corners: "int32",
  found: "float32",
  range: "float32",
} as const;

/** The peaks of one frame, in memory: where their cut-outs start, and what was found in them. */
export class PeakTable implements FoundPeaks {
  readonly centers: Int32Array;
  readonly refineds: Float64Array;
  readonly values: Float64Array;
  readonly elevations: Float64Array;
  readonly #peaks: Int32Array;
  readonly #corners: Int32Array;
  readonly #found: Float32Array;
  readonly #range: Float32Array;
  /** Number of peaks. */
  readonly count: number;
  #isPlaced = true;

  /** Tables for `peaks`, whose cut-outs start `before` pixels above and to the left of them. */
  constructor(
    peaks: Float64Array,
    private readonly before: number,
    { scratch }: UdfContext,
  ) {
    const arrays = arraysOf(scratch, TABLE);
    this.count = peaks.length / 2;
    this.#peaks = arrays.peaks;
    peaks.forEach((place, i) => this.#peaks[i] = roundHalfEven(place));
    this.#corners = arrays.corners;
    this.#found = arrays.found;
    this.#range = arrays.range;
    this.centers = arrays.centers;
    this.refineds = arrays.refineds;
    this.values = arrays.values;
    this.elevations = arrays.elevations;
  }

  /** Places the cut-outs in a frame that is shifted; after a shift of NaN nothing is found. */
  place(shift: Vector): void {
    this.#isPlaced = shift.every(Number.isFinite);
    const moved = this.#isPlaced ? wholeShift(shift) : [0, 0];
    for (let i = 0; i < this.#peaks.length; i++) {
      this.#corners[i] = this.#peaks[i]! + moved[i % 2]! - this.before;
    }
  }

  /** Address of the corners of the cut-outs from peak `first` on. */
  corners(first: number): number {
    return this.#corners.byteOffset + 8 * first;
  }

  /** Row (d = 0) or column of the first pixel of the cut-out of peak p. */
  corner(p: number, d: number): number {
    return this.#corners[2 * p + d]!;
  }

  /** Address of the results from peak `first` on. */
  found(first: number): number {
    return this.#found.byteOffset + 4 * FIELDS * first;
  }

  /**
   * Address of the ranges of the cut-outs from peak `first` on: 0 for constant cut-outs, NaN for those with a NaN or an
   * infinity.
   */
  range(first: number): number {
    return this.#range.byteOffset + 4 * first;
  }

  /** Marks all cut-outs as usable, or all as constant or useless. */
  setRange(value: number): void {
    this.#range.fill(value);
  }

  /** The highest pixel in the image of peak p. */
  highest(p: number): [y: number, x: number] {
    return [this.#found[FIELDS * p]!, this.#found[FIELDS * p + 1]!];
  }

  /** Sets the maximum of peak p to (dy, dx) from its highest pixel. */
  refine(p: number, [dy, dx]: readonly [number, number]): void {
    this.#found[FIELDS * p + 2] = this.#found[FIELDS * p]! + dy;
    this.#found[FIELDS * p + 3] = this.#found[FIELDS * p + 1]! + dx;
  }

  /** The results in the coordinates of the frame; pixel 0 of the images is `offset` from the corners of the cut-outs. */
  read(offset: number): this {
    for (let p = 0; p < this.count; p++) {
      const useless = !this.#isPlaced || Number.isNaN(this.#range[p]!);
      if (useless || this.#range[p] === 0) this.#nothing(p, useless);
      else this.#something(p, offset);
    }
    return this;
  }

  #something(p: number, offset: number): void {
    const from = FIELDS * p;
    for (let d = 0; d < 2; d++) {
      const corner = this.#corners[2 * p + d]! + offset;
      this.centers[2 * p + d] = corner + this.#found[from + d]!;
      this.refineds[2 * p + d] = corner + this.#found[from + 2 + d]!;
    }
    this.values[p] = this.#found[from + 4]!;
    this.elevations[p] = Math.max(0, this.#found[from + 5]!);
  }

  /** Without a correlation, the peak stays where it was expected, with height 0, or NaN if data are missing. */
  #nothing(p: number, useless: boolean): void {
    for (let d = 0; d < 2; d++) {
      const expected = this.#corners[2 * p + d]! + this.before;
      this.centers[2 * p + d] = expected;
      this.refineds[2 * p + d] = useless ? NaN : expected;
    }
    this.values[p] = this.elevations[p] = useless ? NaN : 0;
  }
}

/** Fewest bytes of {@link tableScratch} per peak. */
export const PEAK_BYTES = 4 * 2 + 4 * FIELDS + 4 + 4 * 2 * 2 + 8 * 2 + 8 * 2;

/** Scratch of a {@link PeakTable} for `count` peaks. */
export function tableScratch(count: number): Record<string, ScratchSpec> {
  const room = Math.ceil(count / LANES) * LANES;
  return {
    peaks: { dtype: TABLE.peaks, length: 2 * count },
    centers: { dtype: TABLE.centers, length: 2 * count },
    refineds: { dtype: TABLE.refineds, length: 2 * count },
    values: { dtype: TABLE.values, length: count },
    elevations: { dtype: TABLE.elevations, length: count },
    corners: { dtype: TABLE.corners, length: 2 * room },
    found: { dtype: TABLE.found, length: FIELDS * room },
    range: { dtype: TABLE.range, length: room },
  };
}

/** The options as parameters of a UDF: shifts become auxiliary data. */
export function correlateParams<O extends Omit<CorrelateOptions, "peaks">>(options: O): O {
  const { shifts } = options;
  return { ...options, ...(shifts ? { shifts: shiftData(shifts) } : {}) };
}

/** The peaks of the options, checked. */
export function peaksOf({ peaks }: CorrelateOptions): Float64Array {
  const points = peaks instanceof Float64Array ? peaks : flatPoints(peaks, "peaks");
  if (points.length > 0 && points.every((v) => Number.isFinite(v) && Math.abs(v) < 2 ** 30)) return points;
  const text = points.length === 0 ? "there are none" : "their positions must be finite numbers of pixels";
  throw new TilewiseError("invalid", `Cannot correlate around peaks: ${text}`, { option: "peaks" });
}

/** Rows and columns of a frame. */
export function frameSize({ sigShape }: UdfMeta): [height: number, width: number] {
  if (sigShape.length === 2) return [sigShape[0]!, sigShape[1]!];
  const text = `Cannot find disks in frames of ${sigShape.join(" × ")}: they need 2 dimensions`;
  throw new TilewiseError("invalid", text, { expected: 2, found: sigShape.length });
}

/** Steps per pixel for positions between pixels; 0: by the centre of mass. */
export function upsampling({ upsample = false, method }: CorrelateOptions): number {
  if (!upsample) return 0;
  const factor = upsample === true ? 20 : upsample;
  if (Number.isInteger(factor) && factor > 1 && factor <= 1000 && method !== "sparse") return factor;
  const text = method === "sparse"
    ? "the sparse method has no neighbourhood to interpolate in; use fast or full"
    : `the factor is ${factor}; it must be a whole number from 2 to 1000`;
  throw new TilewiseError("invalid", `Cannot upsample: ${text}`, { option: "upsample" });
}
