/**
 * Weights of masks at once.
 *
 * @module
 */

import type { Shape } from "../../../src/space/shape.ts";
import type { Mask } from "../../../src/udf/builtin/masks/mask.ts";
import type { MaskWeights } from "../../../src/udf/builtin/masks/packed.ts";
import { weightsInSteps } from "../../../src/udf/builtin/masks/weights.ts";
import { allAtOnce } from "../../../src/udf/interface/making.ts";

/** The weights of all masks of a list for frames of `shape`; a stack gives several. */
export function maskWeights(masks: readonly Mask[], shape: Shape): MaskWeights[] {
  return allAtOnce(weightsInSteps(masks, shape));
}
