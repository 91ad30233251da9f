/**
 * The pixels of disks and rings, without visiting all pixels of the frame.
 *
 * @module
 */

import type { Shape } from "../space/shape.ts";
import { type DiskOrRing, eachRingRun, type Ring } from "./geometry.ts";

/** Whether a pixel belongs to a disk, edge included, or to a ring, its inner edge excluded. */
export function insideOf({ cy, cx, ro, ri }: DiskOrRing): (y: number, x: number) => boolean {
  if (ri === undefined) return (y, x) => (y - cy) ** 2 + (x - cx) ** 2 <= ro * ro;
  return (y, x) => {
    const square = (y - cy) ** 2 + (x - cx) ** 2;
    return square <= ro * ro && square > ri * ri;
  };
}

/** Rings with more than this share of the pixels of a frame are not small. */
const SMALL = 1 / 8;

/** The pixels whose value is 1, ascending, if the ring is small; or all pixels of the frame. */
type RingPixels = { readonly pixels: Uint32Array } | { readonly frame: Uint8Array };

/**
 * The pixels of a disk or ring whose value is 1 in `circular` or `ring`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(ringOf([64, 64], { cy: 1, cx: 2, ro: 1 }), { pixels: Uint32Array.of(2, 65, 66, 67, 130) });
 * ```
 */
export function ringOf(shape: Shape, disk: DiskOrRing): RingPixels {
  const [height, width] = shape as readonly [number, number];
  const { cy, cx, ro, ri } = disk;
  const ring = { cy, cx, ro, ri: ri ?? -1 };
  const most = (2 * ro + 3) ** 2;
  if (most <= ROOM.length && most <= SMALL * height * width) return { pixels: tinyRing(width, height, ring) };
  let count = 0;
  eachRingRun([height, width], ring, (_, start, stop) => count += stop - start);
  if (count > SMALL * height * width) {
    const frame = new Uint8Array(height * width);
    eachRingRun(
      [height, width],
      ring,
      (y, start, stop) => frame.fill(1, y * width + start, y * width + stop),
    );
    return { frame };
  }
  const pixels = new Uint32Array(count);
  let next = 0;
  eachRingRun([height, width], ring, (y, start, stop) => {
    for (let x = start; x < stop; x++) pixels[next++] = y * width + x;
  });
  return { pixels };
}

/** Room for the pixels of a ring that is about to be copied. */
const ROOM = new Uint32Array(4096);

function tinyRing(width: number, height: number, ring: Ring): Uint32Array {
  let next = 0;
  eachRingRun([height, width], ring, (y, start, stop) => {
    for (let x = start; x < stop; x++) ROOM[next++] = y * width + x;
  });
  return ROOM.slice(0, next);
}
