/**
 * A TVIPS series of three files with known samples and places of the beam.
 *
 * @module
 */

import { join } from "../helpers.ts";

/** The head of a series of frames of 2 × 3 bytes with headers of 80 bytes. */
function head(): Uint8Array {
  const view = new DataView(new ArrayBuffer(256));
  [256, 2, 3, 2, 8, 0, 0, 1, 1, 15500, 200, 50000, 80].forEach((value, i) =>
    view.setInt32(4 * i, value, true)
  );
  return new Uint8Array(view.buffer);
}

/** A frame: its samples count on from `first`, its beam is at (y, x). */
function frame(first: number, y: number, x: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(86));
  view.setFloat32(68, x, true);
  view.setFloat32(72, y, true);
  for (let i = 0; i < 6; i++) view.setUint8(80 + i, first + i);
  return new Uint8Array(view.buffer);
}

const at = [[5, 5], [0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [1, 3]] as const;
const frames = at.map(([y, x], i) => frame(6 * i, y, x));
/** The files of the series: eight frames, of which the first belongs to no scan. */
export const TVIPS_FILES: readonly File[] = [
  new File([join(head(), ...frames.slice(0, 3))], "a_000.tvips"),
  new File([join(...frames.slice(3, 5))], "a_001.tvips"),
  new File([join(...frames.slice(5))], "a_002.tvips"),
];
