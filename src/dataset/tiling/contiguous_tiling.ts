/**
 * Tiles that are one contiguous range of the file: for functions that accept any order of pixels and frames.
 *
 * Such a tile needs one system call and no gathering. Small frames come several at a time (a power of two, so that no
 * tile crosses a border between leaves of the merge tree), large frames in slabs of whole rows, all of about the same
 * height. Excluded pixels need whole frames, as slabs may cut their neighbourhood; functions that work on whole frames
 * need them too.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape, showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { BEST_FIT_BYTES, type NegotiationRequest, type Proposal, type TileWish } from "./tiling_scheme.ts";

/** The contiguous tile for a request in which every function has asked for one. */
export function contiguousTile(request: NegotiationRequest, why: string[]): Proposal {
  const { sigShape, partitionFrames, dtype, readDType, targetBytes = BEST_FIT_BYTES } = request;
  const frame = checkedProduct([...sigShape, dtypeInfo(dtype).itemSize], "a frame");
  const stored = `${formatBytes(frame)} of ${dtype}`;
  const tile = frame <= targetBytes
    ? [Math.min(floorPowerOfTwo(targetBytes / frame), partitionFrames), ...sigShape]
    : stackOf(request, targetBytes);
  why.push(
    tile.slice(1).every((n, d) => n === sigShape[d])
      ? `Whole frames, ${tile[0]} at a time: one has ${stored}, a read should have ${
        formatBytes(targetBytes)
      }`
      : `Slabs of ${showShape(tile.slice(1))}: a frame has ${stored}, a read should have ${
        formatBytes(targetBytes)
      }`,
  );
  const limit = checkedProduct([...tile, dtypeInfo(readDType).itemSize], "a tile");
  return { tile, limit, base: request.baseShape ?? sigShape.map(() => 1) };
}

/** Whether a function needs tiles of whole frames. */
export function needsFrames({ method, wholeFrames }: TileWish): boolean {
  return method !== "tile" || !!wholeFrames;
}

/** A slab of one frame; or thinner slabs of several frames, if the reader holds these frames anyway. */
function stackOf(request: NegotiationRequest, targetBytes: number): Shape {
  const { stack = 1, partitionFrames, excluded = [], udfs } = request;
  const cuts = excluded.length === 0 && !udfs.some(needsFrames);
  const depth = cuts ? floorPowerOfTwo(Math.min(stack, partitionFrames)) : 1;
  return [depth, ...slabShape(request, targetBytes / depth)];
}

/** The signal part of slabs of at most `target` bytes, or of one block where that is more. */
function slabShape(request: NegotiationRequest, target: number): Shape {
  const { sigShape, dtype, baseShape, excluded = [], udfs } = request;
  if (excluded.length > 0 || udfs.some(needsFrames)) return sigShape;
  let bytes = dtypeInfo(dtype).itemSize;
  let cut = sigShape.length - 1;
  while (cut > 0 && bytes * sigShape[cut]! <= target) bytes *= sigShape[cut--]!;
  if (bytes * sigShape[cut]! <= target) return sigShape;
  // Rows are not cut while a slab has several rows: a kernel may need to know where its row begins.
  if (cut === sigShape.length - 1 && cut > 0) bytes *= sigShape[cut--]!;
  const full = sigShape[cut]!;
  const unit = baseShape?.[cut] ?? 1;
  const slabs = Math.ceil(full / Math.max(1, Math.floor(target / bytes)));
  const size = Math.min(full, Math.ceil(full / slabs / unit) * unit);
  return sigShape.map((n, d) => d < cut ? baseShape?.[d] ?? 1 : d === cut ? size : n);
}

/** The largest power of two that is not above `n`; 1 for smaller `n`. */
export function floorPowerOfTwo(n: number): number {
  return n < 1 ? 1 : 2 ** Math.floor(Math.log2(n));
}
