/**
 * Lower bounds of the bytes that masks will need, from their descriptions only.
 *
 * @module
 */

import { asNumbers } from "../../../space/numbers.ts";
import { ringPixels } from "../../../masks/frame.ts";
import { checkOrder } from "../../../masks/radial_fourier.ts";
import { binsPerPixel, radialLayout } from "../../../masks/radial_bins.ts";
import { cornersOf, countOf, type Stamp, stampedPixels } from "../../../masks/stamped.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Mask } from "./mask.ts";

/** Bytes of one weight in a list: its index and the weight. */
const ENTRY = 12;

/** Bytes of one weight while stamps are made: its mask, its index, and the weight. */
const STAMPED = 16;

/** Fewest bytes of one weight in a dense stack. */
const DENSE = 2;

/** Bytes that are kept for each mask while they are made. */
const MASK_BYTES = 256;

/** Smallest share of the pixels of a square that its disk covers. */
const DISK_SHARE = 1 / 2;

/** Number of masks, and lower bound of their bytes. */
export interface LeastMasks {
  /** Masks. */
  readonly masks: number;
  /** Bytes. */
  readonly bytes: number;
}

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
  return stack(1, ringPixels(sigShape, mask), sigShape);
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

/** A stack with this number of non-zero weights: dense or as lists, whichever is smaller. */
function stack(masks: number, weights: number, sigShape: Shape): LeastMasks {
  const least = Math.min(DENSE * masks * pixelsOf(sigShape), ENTRY * weights);
  return { masks, bytes: least + MASK_BYTES * masks };
}

function pixelsOf(sigShape: Shape): number {
  return sigShape.reduce((product, n) => product * n, 1);
}
