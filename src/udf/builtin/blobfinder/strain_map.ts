/**
 * The UDF that maps the strain of a crystal.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames } from "../../../options.ts";
import { sizeOf } from "../../../space/shape.ts";
import type { Udf } from "../../interface/udf.ts";
import type { UdfMeta } from "../../interface/udf_meta.ts";
import { builtin, type UdfRef } from "../../interface/udf_ref.ts";
import { toleranceWarnings } from "./chance.ts";
import type { Correlating } from "./correlate_pattern.ts";
import { correlateParams } from "./correlator.ts";
import { STRAIN_OPTIONS, type StrainOptions } from "./options/strain.ts";
import { refineBuffers, type RefineTypes, refining } from "./refine_lattice.ts";
import { type StrainArrays, strainArrays } from "./strain.ts";

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
      ...(reference ? { reference } : {}),
      ...(region ? { region: region.data } : {}),
      ...(form ? { form } : {}),
    }),
  };
}
