/**
 * The order of samples where those of one pixel lie together: ranks of images, and columns of pixels.
 *
 * @module
 */

import { type Box, boxSize } from "../../../space/box.ts";
import { type Shape, stridesOf, unravel } from "../../../space/shape.ts";
import type { ScanFirstStorage } from "../../layout/storage.ts";

/** Strides of an array whose first dimension is the fastest. */
function fortranStrides(shape: Shape): number[] {
  return stridesOf([...shape].reverse()).reverse();
}

/** Pixels of a box that follow each other in the file: those along the dimension that is the fastest there. */
export interface Column {
  /** Rank in the file of the first. */
  readonly rank: number;
  /** Row-major place of the first in the box. */
  readonly place: number;
  /** Distance of two of them in the box. */
  readonly step: number;
  /** How many. */
  readonly rows: number;
}

/** The columns of `box`, in row-major order. */
export function columnsOf({ origin, shape }: Box, sigShape: Shape, order: ScanFirstStorage): Column[] {
  const inFile = order.pixels === "C" ? stridesOf(sigShape) : fortranStrides(sigShape);
  const inBox = stridesOf(shape);
  const fast = order.pixels === "C" ? shape.length - 1 : 0;
  if (shape.length === 0) return [{ rank: 0, place: 0, step: 1, rows: 1 }]; // frames of one value
  const outer = shape.with(fast, 1);
  return Array.from({ length: boxSize({ origin, shape: outer }) }, (_, c) => {
    const at = unravel(c, outer);
    const rank = at.reduce((sum, x, d) => sum + (x + origin[d]!) * inFile[d]!, 0);
    const place = at.reduce((sum, x, d) => sum + x * inBox[d]!, 0);
    return { rank, place, step: inBox[fast]!, rows: shape[fast]! };
  });
}

/** Images that follow each other in the file. */
interface ImageRun {
  /** Rank of the first. */
  readonly rank: number;
  /** Its place in the block. */
  readonly slot: number;
  /** Distance of two of them in the block. */
  readonly step: number;
  /** How many. */
  readonly count: number;
}

/** Images that lie near to each other. */
export interface ImageGroup {
  /** The lowest rank. */
  readonly low: number;
  /** The highest rank. */
  readonly high: number;
  /** The images, in the order of the file. */
  readonly runs: readonly ImageRun[];
}

/** Limits for joining images to groups. */
interface GroupLimits {
  /** Most samples between two images of a group. */
  readonly gap: number;
  /** Most samples of a group. */
  readonly most: number;
}

/**
 * The groups of `images`, which are cut where gaps are long or a group would have too many samples.
 *
 * @example A scan of 2 × 3 positions; the file has those of one column together
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(imageGroups([0, 1, 3, 4], [2, 3], { gap: 8, most: 8 }), [{
 *   low: 0,
 *   high: 3,
 *   runs: [{ rank: 0, slot: 0, step: 2, count: 2 }, { rank: 2, slot: 1, step: 2, count: 2 }],
 * }]);
 * ```
 */
export function imageGroups(images: ArrayLike<number>, navShape: Shape, limits: GroupLimits): ImageGroup[] {
  const strides = fortranStrides(navShape);
  const rankOf = (image: number) =>
    unravel(image, navShape).reduce((rank, c, d) => rank + c * strides[d]!, 0);
  const ranks = Float64Array.from(images, rankOf);
  const slots = Uint32Array.from(images, (_, i) => i).sort((a, b) => ranks[a]! - ranks[b]!);
  const found: ImageGroup[] = [];
  for (let from = 0; from < slots.length;) {
    const low = ranks[slots[from]!]!;
    let [high, to] = [low, from + 1];
    for (; to < slots.length; to++) {
      const rank = ranks[slots[to]!]!;
      if (rank - high > limits.gap || rank - low >= limits.most) break;
      high = rank;
    }
    found.push({ low, high, runs: runsOf(ranks, slots.subarray(from, to)) });
    from = to;
  }
  return found;
}

/** Runs of images with neighbouring ranks and regular places. */
function runsOf(ranks: Float64Array, slots: Uint32Array): ImageRun[] {
  const runs: ImageRun[] = [];
  for (let k = 0; k < slots.length;) {
    const [slot, rank] = [slots[k]!, ranks[slots[k]!]!];
    const isNext = (count: number, step: number) =>
      k + count < slots.length && slots[k + count] === slot + count * step &&
      ranks[slots[k + count]!] === rank + count;
    const step = k + 1 < slots.length ? slots[k + 1]! - slot : 1;
    let count = 1;
    while (isNext(count, step)) count++;
    runs.push({ rank, slot, step: count === 1 ? 1 : step, count });
    k += count;
  }
  return runs;
}

// Moves samples from the order of the file, pixel by pixel, to frames.

/** The samples to move; strides and addresses in bytes. */
interface Transposition {
  /** Address of the first pixel of the first image. */
  readonly src: number;
  /** From a pixel to the next. */
  readonly srcStride: number;
  /** Where the first pixel of the first image goes. */
  readonly dst: number;
  /** From an image to the next. */
  readonly dstStride: number;
  /** How many pixels; they follow each other in a frame. */
  readonly pixels: number;
  /** How many images; their samples of one pixel follow each other in the file. */
  readonly images: number;
}

/** Moves samples in one memory; made once, as it keeps views of all of it. */
export class Transposer {
  readonly #words: Uint8Array | Uint16Array | Uint32Array;
  readonly #pairs: Uint32Array;
  readonly #unit: number;
  readonly #units: number;

  /** For samples of `itemSize` bytes. */
  constructor(buffer: ArrayBufferLike, itemSize: number) {
    this.#unit = Math.min(itemSize, 4);
    this.#units = itemSize / this.#unit;
    this.#words = this.#unit === 1
      ? new Uint8Array(buffer)
      : this.#unit === 2
      ? new Uint16Array(buffer)
      : new Uint32Array(buffer);
    this.#pairs = new Uint32Array(buffer);
  }

  /** Moves the samples of `job`. */
  move(job: Transposition): void {
    const { src, srcStride, dst, dstStride, pixels, images } = job;
    const arePairs = this.#unit === 2 && pixels > 1 && images > 1 &&
      (src | srcStride | dst | dstStride) % 4 === 0;
    if (!arePairs) return this.#moveAll(job);
    const [evenPixels, evenImages] = [pixels - pixels % 2, images - images % 2];
    this.#movePairs(job, evenPixels, evenImages);
    if (evenPixels < pixels) {
      this.#moveAll({ ...job, src: src + evenPixels * srcStride, dst: dst + 2 * evenPixels, pixels: 1 });
    }
    if (evenImages < images) {
      const pixels = evenPixels;
      this.#moveAll({
        ...job,
        src: src + 2 * evenImages,
        dst: dst + evenImages * dstStride,
        pixels,
        images: 1,
      });
    }
  }

  /** Samples of two bytes, two pixels of two images at a time. */
  #movePairs({ src, srcStride, dst, dstStride }: Transposition, pixels: number, images: number): void {
    const words = this.#pairs;
    const [fromStep, toStep] = [srcStride / 4, dstStride / 4];
    for (let image = 0; image < images; image += 2) {
      let from = src / 4 + image / 2;
      let into = dst / 4 + image * toStep;
      for (const end = into + pixels / 2; into < end; into++, from += 2 * fromStep) {
        const first = words[from]!, second = words[from + fromStep]!;
        words[into] = first & 0xffff | second << 16;
        words[into + toStep] = first >>> 16 | second & 0xffff0000;
      }
    }
  }

  #moveAll({ src, srcStride, dst, dstStride, pixels, images }: Transposition): void {
    const words = this.#words, unit = this.#unit, units = this.#units;
    const step = srcStride / unit;
    for (let image = 0; image < images; image++) {
      let from = src / unit + image * units;
      let into = (dst + image * dstStride) / unit;
      for (let pixel = 0; pixel < pixels; pixel++, from += step, into += units) {
        for (let u = 0; u < units; u++) words[into + u] = words[from + u]!;
      }
    }
  }
}
