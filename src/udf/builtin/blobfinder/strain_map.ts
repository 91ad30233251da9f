/**
 * Strain and rotation of a crystal from the vectors of its diffraction lattice.
 *
 * Diffraction vectors live in reciprocal space: with the deformation gradient F (`r' = F r`), they become `g' = F⁻ᵀ g`.
 * With the matrices G₀ = (a₀ b₀) and G = (a b) of column vectors, `F = (G G₀⁻¹)⁻ᵀ`.
 *
 * - `polar` (default): the right polar decomposition `F = R U` into a rotation R by θ and a symmetric stretch U;
 *   strain is `U − 1` (Biot's). The strain of a lattice that is rotated by any angle is 0.
 * - `infinitesimal`: `(F + Fᵀ) / 2 − 1`, θ = (F_yx − F_xy) / 2 (Cauchy's); differs in second order only.
 *
 * See C. Truesdell and W. Noll, *The Non-Linear Field Theories of Mechanics*, section 23. Axes are those of the frames: x
 * along rows to the right, y downwards; θ, in radians, turns x towards y. Extension is positive: the crystal is
 * larger, the diffraction lattice smaller.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames, defined } from "../../../options.ts";
import { list } from "../../../options/rules.ts";
import { angleOf, cosine, sine } from "../../../space/functions/functions.ts";
import { sizeOf } from "../../../space/shape.ts";
import type { Udf } from "../../interface/udf.ts";
import type { UdfMeta } from "../../interface/udf_meta.ts";
import { builtin, type UdfRef } from "../../interface/udf_ref.ts";
import { toleranceWarnings } from "./match.ts";
import type { Correlating } from "./correlate_pattern.ts";
import { correlateParams } from "./correlator.ts";
import { cross } from "./lattice.ts";
import type { Cell, Vector } from "./options/lattice.ts";
import {
  type CellStatistic,
  STRAIN_ARRAYS_OPTIONS,
  STRAIN_OPTIONS,
  type StrainArraysOptions,
  type StrainForm,
  type StrainOptions,
} from "./options/strain.ts";
import { refineBuffers, type RefineTypes, refining } from "./refine_lattice.ts";

/**
 * Strain and rotation at one point.
 * @category Blob finding
 */
export interface Strain {
  /** Extension along x. */
  readonly e_xx: number;
  /** Extension along y. */
  readonly e_yy: number;
  /** Shear (half of the change of the angle between x and y). */
  readonly e_xy: number;
  /** Rotation from x towards y, in radians. */
  readonly theta: number;
}

/**
 * The strain of the crystal with cell `cell` relative to one with cell `reference`; NaN if a cell is NaN, has no area,
 * or is mirrored relative to the other.
 *
 * @example A crystal that is 1 % longer along x has diffraction vectors that are shorter along x
 * ```ts
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertAlmostEquals } from "@std/assert";
 * const reference = { a: [40, 0], b: [0, 40] } as const;
 * const { e_xx, e_yy } = blobs.strainOf({ a: [40, 0], b: [0, 40 / 1.01] }, reference);
 * assertAlmostEquals(e_xx, 0.01, 1e-12);
 * assertAlmostEquals(e_yy, 0, 1e-12);
 * ```
 * @category Blob finding
 */
export function strainOf(cell: Cell, reference: Cell, form: StrainForm = "polar"): Strain {
  const area = cross(cell.a, cell.b), referenceArea = cross(reference.a, reference.b);
  if (!(area * referenceArea > 0)) return { e_xx: NaN, e_yy: NaN, e_xy: NaN, theta: NaN };
  // F = (G G₀⁻¹)⁻ᵀ = G⁻ᵀ G₀ᵀ: the sum of the direct vectors of the cell times the vectors of the reference.
  const direct = (v: Vector, sign: number): Vector => [sign * v[1] / area, -sign * v[0] / area];
  const [da, db] = [direct(cell.b, 1), direct(cell.a, -1)];
  const gradient = (row: number, column: number) =>
    da[row]! * reference.a[column]! + db[row]! * reference.b[column]!;
  const [yy, yx, xy, xx] = [gradient(0, 0), gradient(0, 1), gradient(1, 0), gradient(1, 1)];
  if (form === "infinitesimal") {
    return { e_xx: xx - 1, e_yy: yy - 1, e_xy: (xy + yx) / 2, theta: (yx - xy) / 2 };
  }
  const theta = angleOf(yx - xy, xx + yy);
  const [c, s] = [cosine(theta), sine(theta)];
  // U = Rᵀ F with R = (c −s; s c) over (x, y)
  return { e_xx: c * xx + s * yx - 1, e_yy: c * yy - s * xy - 1, e_xy: c * xy + s * yy, theta };
}

/**
 * The mean or median of many cells, number by number; cells that are NaN or have no area are ignored. `a`, `b`: flat
 * numbers y, x, y, x, …; `chosen`: one entry per cell, whether to use it.
 */
function referenceCell(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  statistic: CellStatistic,
  chosen?: ArrayLike<number | bigint>,
): Cell {
  const cells: number[] = [];
  for (let n = 0; n < a.length / 2; n++) {
    const area = cross([a[2 * n]!, a[2 * n + 1]!], [b[2 * n]!, b[2 * n + 1]!]);
    if (Number.isFinite(area) && area !== 0 && (!chosen || chosen[n])) cells.push(n);
  }
  const middle = statistic === "median" ? median : mean;
  const of = (list: ArrayLike<number>): Vector => [
    middle(cells.map((n) => list[2 * n]!)),
    middle(cells.map((n) => list[2 * n + 1]!)),
  ];
  return { a: of(a), b: of(b) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/**
 * Strain at many points, flat.
 * @category Blob finding
 */
export interface StrainArrays {
  /** Extension along x. */
  readonly e_xx: Float64Array;
  /** Extension along y. */
  readonly e_yy: Float64Array;
  /** Shear. */
  readonly e_xy: Float64Array;
  /** Rotation from x towards y, in radians. */
  readonly theta: Float64Array;
}

/**
 * Strain at every point of two lists of vectors (flat y, x, y, x, …): the results of a lattice refinement.
 * @category Blob finding
 */
export function strainArrays(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: StrainArraysOptions = {},
): StrainArrays {
  checkOptionNames("strainArrays()", options, STRAIN_ARRAYS_OPTIONS);
  for (const [name, vectors] of Object.entries({ a, b })) list("strainArrays()", name, vectors);
  const { reference = "median", region, form } = options;
  if (a.length !== b.length || (region && 2 * region.length !== a.length)) {
    const text = `Cannot map strain: ${a.length / 2} vectors a, ${b.length / 2} vectors b` +
      (region ? `, a region of ${region.length}` : "");
    throw new TilewiseError("invalid", text);
  }
  const cell = typeof reference === "string" ? referenceCell(a, b, reference, region) : reference;
  const make = () => new Float64Array(a.length / 2);
  const arrays = { e_xx: make(), e_yy: make(), e_xy: make(), theta: make() };
  for (let n = 0; n < a.length / 2; n++) {
    const found: Cell = { a: [a[2 * n]!, a[2 * n + 1]!], b: [b[2 * n]!, b[2 * n + 1]!] };
    const strain = strainOf(found, cell, form);
    for (const name of ["e_xx", "e_yy", "e_xy", "theta"] as const) arrays[name][n] = strain[name];
  }
  return arrays;
}

// The UDF that maps the strain of a crystal.

/**
 * Strain and rotation of a crystal at every scan position. Results over the scan, in addition to those of {@link
 * refineLattice}, float64, NaN if there is no match:
 *
 * - `e_xx`, `e_yy`: extension along x and y (the axes of the frames), `e_xy`: shear;
 * - `theta`: rotation in radians, from x towards y.
 *
 * With the diffraction vectors as columns of G, and G₀ of the reference, the deformation gradient is `F = (G G₀⁻¹)⁻ᵀ`;
 * strain and rotation follow from its polar decomposition `F = R U` as `U − 1` and R, or, `infinitesimal`, from its
 * symmetric and antisymmetric part.
 * @category Blob finding
 */
export function strainMap(options: StrainOptions): UdfRef<StrainTypes> {
  checkOptionNames("strainMap()", options, STRAIN_OPTIONS);
  return builtin("strain_map", correlateParams(options));
}

/**
 * The dtypes of the results of the strain map.
 * @category Blob finding
 */
export type StrainTypes = RefineTypes & {
  /** Strain along x, per frame. */
  readonly e_xx: "float64";
  /** Strain along y. */
  readonly e_yy: "float64";
  /** Shear strain. */
  readonly e_xy: "float64";
  /** Rotation. */
  readonly theta: "float64";
};

/** The UDF behind {@link strainMap}. */
export function strainMapUdf(options: StrainOptions): Udf<StrainTypes, Correlating> {
  checkOptionNames("strainMap()", options, STRAIN_OPTIONS);
  const { upsample = options.method !== "sparse" } = options;
  const refine = refining({ ...options, upsample });
  const result = { kind: "nav", dtype: "float64", use: "result", values: "unknown" } as const;
  const theta = { ...result, values: { kind: "amount", unit: "rad" } } as const;
  const buffers = refineBuffers(options);
  return {
    ...refine,
    name: "strain_map",
    warnings: () => toleranceWarnings("strainmap", options),
    buffers: { ...buffers, e_xx: result, e_yy: result, e_xy: result, theta },
    results: ({ a, b }, meta) => strainResults(a, b, options, meta),
  };
}

/** Strain where frames were processed; elsewhere vectors are 0, which means no match. */
function strainResults(
  a: Float32Array,
  b: Float32Array,
  options: StrainOptions,
  meta: UdfMeta,
): StrainArrays {
  const { region, reference, form } = options;
  if (region && sizeOf(region.shape) !== sizeOf(meta.navShape)) {
    const text = `Cannot take the reference from a region of ${region.shape.join(" × ")}: ` +
      `the scan is ${meta.navShape.join(" × ")}`;
    throw new TilewiseError("invalid", text, {
      option: "region",
      expected: sizeOf(meta.navShape),
      found: sizeOf(region.shape),
    });
  }
  return {
    ...strainArrays(a, b, {
      ...defined({ reference }),
      ...(region ? { region: region.data } : {}),
      ...defined({ form }),
    }),
  };
}
