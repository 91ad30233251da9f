/**
 * What HDF5 files say of the values of their samples: NeXus, EMD and CF in the attribute `units`, HyperSpy by its quantity, Nion by
 * the calibration of intensities.
 *
 * @module
 */

import type { ValueFacts } from "../../../space/axes.ts";
import type { DType } from "../../../space/dtype.ts";
import { unitOfQuantity, valuesSaid } from "../../common/values.ts";
import type { Attributes } from "../metadata/attributes.ts";
import { nionUnit } from "./nion.ts";

/** The facts about samples of `dtype`; `signal`: the attributes of HyperSpy's group of that name. */
export function valuesOf(
  dtype: DType,
  { units, _FillValue: fill, missing_value: other, properties }: Attributes,
  signal: Attributes | undefined,
): { readonly values?: ValueFacts } {
  const unit = units ?? unitOfQuantity(signal?.quantity) ?? nionUnit(properties);
  return valuesSaid(dtype, { unit, missing: fill ?? other });
}
