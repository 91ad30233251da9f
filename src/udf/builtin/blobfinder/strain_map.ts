/**
 * The UDF that maps the strain of a crystal.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames } from "../../../options.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import type { BufferSpec, Udf } from "../../udf.ts";
import type { UdfMeta } from "../../udf_meta.ts";
import { builtin, type UdfRef } from "../../udf_ref.ts";
import { toleranceWarnings } from "./chance.ts";
import { correlateParams } from "./correlator.ts";
import { STRAIN_OPTIONS, type StrainOptions } from "./options/strain.ts";
import { type RefineNames, refining } from "./refine_lattice.ts";
import { strainArrays } from "./strain.ts";

/**
 * Strain and rotation of a crystal at every scan position. Results over the scan, besides those of {@link refineLattice},
 * float64, NaN where there is no match:
 *
 * - `e_xx`, `e_yy`: extension along x and y (the axes of the frames), `e_xy`: shear;
 * - `theta`: rotation in radians, from x towards y.
 *
 * With the diffraction vectors as columns of G, and G₀ of the reference, the deformation gradient is `F = (G G₀⁻¹)⁻ᵀ`;
 * strain and rotation follow from its polar decomposition `F = R U` as `U − 1` and R, or, `infinitesimal`, from its
 * symmetric and antisymmetric part.
 */
export function strainMap(options: StrainOptions): UdfRef {
  checkOptionNames("strainMap()", options, STRAIN_OPTIONS);
  return builtin("strainmap", correlateParams(options));
}

/** The buffers of the strain map. */
export type StrainNames = RefineNames | "e_xx" | "e_yy" | "e_xy" | "theta";

/** The UDF behind {@link strainMap}. */
export function strainUdf(options: StrainOptions): Udf<StrainNames> {
  checkOptionNames("strainMap()", options, STRAIN_OPTIONS);
  const { upsample = options.method !== "sparse" } = options;
  const refine = refining({ ...options, upsample });
  const result = { kind: "nav", dtype: "float64", use: "result" } as const;
  const buffers = refine.buffers as Record<RefineNames, BufferSpec>;
  return {
    ...refine as unknown as Udf<StrainNames>,
    name: "strainmap",
    warnings: () => toleranceWarnings("strainmap", options),
    buffers: { ...buffers, e_xx: result, e_yy: result, e_xy: result, theta: result },
    results: ({ a, b }, meta) => strainResults(a, b, options, meta),
  };
}

/** Strain where frames were processed; elsewhere vectors are 0, which counts as no match. */
function strainResults(
  a: TypedArray,
  b: TypedArray,
  options: StrainOptions,
  meta: UdfMeta,
): Record<string, TypedArray> {
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
    ...strainArrays(a as Float32Array, b as Float32Array, {
      ...(reference ? { reference } : {}),
      ...(region ? { region: region.data } : {}),
      ...(form ? { form } : {}),
    }),
  };
}
