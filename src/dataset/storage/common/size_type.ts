/**
 * Types for kernels that only move samples.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";

/** The unsigned integer type with the size of a sample: kernels that only move samples use it. */
export function sizeType(dtype: DType): DType {
  const { itemSize } = dtypeInfo(dtype);
  const found = (["uint8", "uint16", "uint32", "uint64"] as const).find((type) =>
    dtypeInfo(type).itemSize === itemSize
  );
  if (found) return found;
  throw new TilewiseError(
    "unsupported",
    `There are no sparse tiles of ${dtype}: samples have at most 8 bytes`,
    {
      found: dtype,
    },
  );
}
