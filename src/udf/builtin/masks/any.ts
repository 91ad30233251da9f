/**
 * The UDF behind `applyMasks`, for masks of all kinds.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { binsPerPixel, radialLayout } from "../../../masks/radial_bins.ts";
import { checkOrder } from "../../../masks/radial_fourier.ts";
import { ringPixels } from "../../../masks/ring_pixels.ts";
import { cornersOf, countOf, type Stamp, stampedPixels } from "../../../masks/stamped.ts";
import { checkOptionNames } from "../../../options.ts";
import { importExport } from "../../../runner/import_export.ts";
import { asNumbers } from "../../../space/numbers.ts";
import type { Shape } from "../../../space/shape.ts";
import {
  type LeastMasks,
  type Mask,
  MASK_OPTIONS,
  type MaskFunction,
  type MaskFunctions,
  type MaskMakers,
  type MaskOptions,
} from "./mask.ts";
import { leastOfRing, MASK_BYTES, stack } from "./ring.ts";
import { SHIFTING } from "./shifts.ts";
import { type MaskParts, type MaskTypes, udfOfMasks } from "./udf.ts";
import { functionKey, weightsInSteps } from "./weights.ts";
import type { Udf } from "../../interface/udf.ts";

/** Bytes of one weight while stamps are made: its mask, its index, and the weight. */
const STAMPED = 16;

/** Smallest share of the pixels of a square that its disk covers. */
const DISK_SHARE = 1 / 2;

/** Lower bound for `masks` with frames of `sigShape`; arrays that exist already do not count. */
function leastOfMasks(masks: readonly Mask[], sigShape: Shape): LeastMasks {
  return masks.map((mask) => leastOf(mask, sigShape)).reduce(
    (sum, one) => ({ masks: sum.masks + one.masks, bytes: sum.bytes + one.bytes }),
    { masks: 0, bytes: 0 },
  );
}

function leastOf(mask: Mask, sigShape: Shape): LeastMasks {
  if ("make" in mask) {
    const { make } = mask;
    if (make === "stampTemplates") {
      const { data, shape } = mask.template;
      let weights = 0;
      for (const weight of asNumbers(data)) if (weight !== 0) weights++;
      return stampsOf(mask, shape, weights / data.length, sigShape);
    }
    if (make === "stampDisks") {
      const reach = Math.ceil(mask.r);
      const side = 2 * reach + 1;
      const stamps = cornersOf(reach, mask.stamps);
      const { masks, bytes } = stampsOf({ stamps }, [side, side], DISK_SHARE, sigShape);
      return { masks, bytes: bytes + side ** 2 };
    }
    if (make === "radialBins" || make === "sparseRadialBins") {
      const layout = radialLayout(sigShape, mask);
      return stack(layout.bins, ringPixels(sigShape, layout) * binsPerPixel(layout), sigShape);
    }
    if (make !== "radialFourierMasks") return { masks: 1, bytes: 0 };
    const orders = checkOrder(mask.maxOrder ?? 24) + 1;
    const layout = radialLayout(sigShape, { ...mask, bins: mask.bins ?? 1 });
    const weights = ringPixels(sigShape, layout) * binsPerPixel(layout) * (2 * orders - 1);
    return stack(layout.bins * orders, weights, sigShape);
  }
  if (!("ro" in mask) || "data" in mask || "values" in mask || "module" in mask) {
    return { masks: 0, bytes: 0 };
  }
  return leastOfRing(mask, sigShape);
}

/** Stamps of which this share of the pixels has a weight; all weights are in memory while they are made. */
function stampsOf(
  { stamps }: { readonly stamps: readonly Stamp[] },
  sides: Shape,
  share: number,
  sigShape: Shape,
): LeastMasks {
  const [height = 1, width = 1] = sigShape;
  const masks = countOf(stamps);
  return {
    masks,
    bytes: STAMPED * share * stampedPixels([height, width], sides, stamps) + MASK_BYTES * masks,
  };
}

/** Makes masks of all kinds. */
export const ANY_MASKS: MaskMakers = {
  binary: false,
  weights: weightsInSteps,
  least: leastOfMasks,
  shifting: SHIFTING,
};

/** The UDF behind `applyMasks`. */
export async function applyMasksUdf(options: MaskOptions): Promise<Udf<MaskTypes, MaskParts>> {
  checkOptionNames("applyMasks()", options, MASK_OPTIONS);
  const { masks } = options;
  if (!Array.isArray(masks) || masks.length === 0) {
    throw new TilewiseError("invalid", "Cannot apply masks: give at least one", { option: "masks" });
  }
  const functions = await importFunctions(masks);
  return udfOfMasks({ name: "apply_masks", options, masks: () => masks, functions, makers: ANY_MASKS });
}

/** The mask functions that modules export, for the masks that name one. */
async function importFunctions(masks: readonly Mask[]): Promise<MaskFunctions> {
  const found = masks.filter((mask) => "module" in mask);
  const entries = found.map(async (mask) => {
    const value = await importExport(mask.module, mask.export ?? "default", "mask function");
    if (typeof value === "function") return [functionKey(mask), value as MaskFunction] as const;
    const text = `Cannot use ${functionKey(mask)} for masks: it is not a function (shape, params) => masks`;
    throw new TilewiseError("invalid", text, { option: "masks", found: typeof value });
  });
  return new Map(await Promise.all(entries));
}
