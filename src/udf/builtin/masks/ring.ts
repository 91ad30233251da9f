/**
 * Disks and rings as masks: their weights, and what they need at least. Virtual detectors need no more than this.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { frameSides } from "../../../masks/frame.ts";
import { checkRing } from "../../../masks/geometry.ts";
import { ringPixels } from "../../../masks/ring_pixels.ts";
import { ringOf } from "../../../masks/small_ring.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import type { LeastMasks, Mask, MaskMakers, RingMask } from "./mask.ts";
import { listed, type MaskWeights, onesAt } from "./packed.ts";

/** Bytes of one weight in a list: its index and the weight. */
const ENTRY = 12;

/** Fewest bytes of one weight in a dense stack. */
const DENSE = 2;

/** Bytes that are kept for each mask while they are made. */
export const MASK_BYTES = 256;

/** The weights of a disk or ring. */
export function weightsOfRing({ cy, cx, ri, ro }: RingMask, shape: Shape): MaskWeights {
  const ring = { cy, cx, ro, ...defined({ ri }) };
  const what = ri === undefined ? "a disk" : "a ring";
  frameSides(shape, what);
  checkRing(what, shape, ring);
  const found = ringOf(shape, ring);
  if ("pixels" in found) return listed(sizeOf(shape), onesAt(found.pixels));
  return { values: found.frame, complex: false, bytes: found.frame.length };
}

/** Lower bound for a disk or ring. */
export function leastOfRing(mask: RingMask, sigShape: Shape): LeastMasks {
  return stack(1, ringPixels(sigShape, mask), sigShape);
}

/** Makes one disk or ring for frames of two dimensions. */
export const ONE_RING: MaskMakers = {
  binary: true,
  least: ([mask], sigShape) => leastOfRing(mask as RingMask, sigShape),
  *weights([mask]: readonly Mask[], shape) {
    const found = weightsOfRing(mask as RingMask, shape);
    yield found.bytes ?? 0;
    return [found];
  },
};

/** A stack with this number of non-zero weights: dense or as lists, whichever is smaller. */
export function stack(masks: number, weights: number, sigShape: Shape): LeastMasks {
  const least = Math.min(DENSE * masks * pixelsOf(sigShape), ENTRY * weights);
  return { masks, bytes: least + MASK_BYTES * masks };
}

function pixelsOf(sigShape: Shape): number {
  return sigShape.reduce((product, n) => product * n, 1);
}
