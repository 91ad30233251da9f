/**
 * The UDF that fits a lattice to the disks of every frame.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames } from "../../../options.ts";
import type { Buffers } from "../../interface/buffer_types.ts";
import type { BufferSpecs, Udf } from "../../interface/udf.ts";
import { builtin, type UdfRef } from "../../interface/udf_ref.ts";
import { fitAffine, fitLattice, toleranceWarnings } from "./match.ts";
import {
  correlateBuffers,
  type CorrelateTypes,
  type Correlating,
  correlating,
  storePeaks,
} from "./correlate_pattern.ts";
import { correlateParams, type FoundPeaks } from "./correlator.ts";
import { checkLattice, flatPoints, peaksAt, shiftOf } from "./lattice.ts";
import { COMPONENT, type CorrelateOptions, DISK, PLACES } from "./options/correlation.ts";
import type { Vector } from "./options/lattice.ts";
import { type LatticeMatch, REFINE_OPTIONS, type RefineOptions } from "./options/strain.ts";

/**
 * Finds the disks of a lattice in every frame, near `zero + i a + j b` plus the shift of the frame, and fits the
 * lattice to them by least squares, weighted by their elevations. Results over the scan, in addition to those of {@link
 * correlate}:
 *
 * - `zero`, `a`, `b` (…scan, 2), float32: the fitted lattice, y before x; NaN where there is no match;
 * - `selector` (…scan, peaks), bool: which disks belong to it;
 * - `error` (…scan), float32: the weighted mean distance of these disks from the lattice, in pixels.
 * @category Blob finding
 */
export function refineLattice(options: RefineOptions): UdfRef<RefineTypes> {
  checkOptionNames("refineLattice()", options, REFINE_OPTIONS);
  return builtin("refine_lattice", correlateParams(options));
}

/**
 * The dtypes of the results of the lattice refinement.
 * @category Blob finding
 */
export type RefineTypes = CorrelateTypes & {
  /** The zero point of the lattice, y and x, per frame. */
  readonly zero: "float32";
  /** Its first vector. */
  readonly a: "float32";
  /** Its second vector. */
  readonly b: "float32";
  /** Which disks were used. */
  readonly selector: "bool";
  /** The distance of the disks from the lattice. */
  readonly error: "float32";
};

/** The UDF behind {@link refineLattice}. */
export function refineLatticeUdf(options: RefineOptions): Udf<RefineTypes, Correlating> {
  checkOptionNames("refineLattice()", options, REFINE_OPTIONS);
  return refining(options);
}

/** A UDF that refines a lattice, and may compute further results. */
export function refining(options: RefineOptions): Udf<RefineTypes, Correlating> {
  const correlation = correlationOf(options);
  return {
    name: "refine_lattice",
    buffers: refineBuffers(options),
    ...correlating(correlation),
    warnings: () => toleranceWarnings("refinelattice", options),
    processFrame(frame, buffers, { taskData, aux }) {
      const shift = shiftOf(aux);
      const found = taskData.correlate(frame, shift);
      storePeaks(found, buffers);
      storeMatch(matchPeaks(found, options, shift), buffers);
    },
  };
}

/** The buffers of {@link refineLatticeUdf}. */
export function refineBuffers(options: RefineOptions): BufferSpecs<RefineTypes> {
  const correlation = correlationOf(options);
  const vector = {
    kind: "nav",
    dtype: "float32",
    extraShape: [2],
    values: PLACES,
    axes: [COMPONENT],
  } as const;
  return {
    ...correlateBuffers(correlation),
    zero: vector,
    a: vector,
    b: vector,
    selector: {
      kind: "nav",
      dtype: "bool",
      extraShape: [correlation.peaks.length / 2],
      values: { kind: "mask" },
      axes: [DISK],
    },
    error: { kind: "nav", dtype: "float32", values: { kind: "amount", unit: "px" } },
  };
}

/** The correlation with which a refinement starts. */
function correlationOf(options: RefineOptions): CorrelateOptions & { readonly peaks: Float64Array } {
  const { zero, a, b, indices, match = "fast", ...rest } = options;
  checkLattice(options);
  if (match !== "fast" && match !== "affine") {
    throw new TilewiseError("invalid", `Cannot match by "${match}"; there are fast and affine`, {
      option: "match",
      found: String(match),
    });
  }
  return { ...rest, peaks: flatPoints(peaksAt({ zero, a, b }, indices)) };
}

/** Fits the lattice to the disks found in one frame, for which it is moved by `shift`. */
function matchPeaks(found: FoundPeaks, options: RefineOptions, shift: Vector): LatticeMatch {
  const peaks = { positions: found.refineds, weights: found.elevations };
  if (options.match === "affine") return fitAffine(peaks, options.indices);
  const { zero: [y, x], a, b } = options;
  return fitLattice(peaks, { zero: [y + shift[0], x + shift[1]], a, b }, options);
}

function storeMatch({ zero, a, b, selector, error }: LatticeMatch, buffers: Buffers<RefineTypes>): void {
  buffers.zero.set(zero);
  buffers.a.set(a);
  buffers.b.set(b);
  buffers.selector.set(selector);
  buffers.error[0] = error;
}
