/**
 * Lower bounds of the bytes that masks will need, from their descriptions only.
 *
 * @module
 */

import { asNumbers } from "../../../space/numbers.ts";
import { ringPixels } from "../../../masks/ring_pixels.ts";
import { checkOrder } from "../../../masks/radial_fourier.ts";
import { binsPerPixel, radialLayout } from "../../../masks/radial_bins.ts";
import { cornersOf, countOf, type Stamp, stampedPixels } from "../../../masks/stamped.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Mask } from "./mask.ts";
import type { LeastMasks } from "./makers.ts";
import { leastOfRing, MASK_BYTES, stack } from "./ring.ts";

/** Bytes of one weight while stamps are made: its mask, its index, and the weight. */
const STAMPED = 16;

/** Smallest share of the pixels of a square that its disk covers. */
const DISK_SHARE = 1 / 2;

/** Lower bound for `masks` with frames of `sigShape`; arrays that exist already do not count. */
export function leastOfMasks(masks: readonly Mask[], sigShape: Shape): LeastMasks {
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
