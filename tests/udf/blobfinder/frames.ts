/** Frames with diffraction disks at known places. */

import { PoissonTable, Random } from "../../../src/samples/poisson.ts";
import type { Vector } from "../../../src/udf/builtin/blobfinder/options/lattice.ts";

/** Size of the golden frame. */
export const SIZE: readonly [number, number] = [72, 80];
/** Radius of its disks. */
export const RADIUS = 5.3;
/** Where they are. */
export const DISKS: readonly Vector[] = [
  [20.3, 18.7],
  [21.9, 44.1],
  [45.2, 17.4],
  [46.6, 42.85],
  [1.4, 70.2],
  [70.9, 3.1],
];
/** Where they are looked for. */
export const PEAKS: readonly Vector[] = [[20, 19], [23, 43], [44, 20], [46, 43], [3, 71], [68, 2]];

/** Numbers from 0 to 1 that Python makes, too. */
export function* congruential(seed: number): Generator<number> {
  for (let state = seed;;) yield (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** The frame of `tests/oracles/blobfinder.py`. */
export function goldenFrame(): Float64Array {
  const noise = congruential(12345);
  const frame = Float64Array.from({ length: SIZE[0] * SIZE[1] }, () => Math.floor(noise.next().value! * 16));
  for (const disk of DISKS) {
    addDisk(frame, SIZE, disk, RADIUS, (share, i) => frame[i]! += Math.floor(200 * share));
  }
  return frame;
}

/** Visits every pixel of a disk with the share of it that lies inside (a ramp of 1 px). */
export function addDisk(
  frame: { readonly length: number },
  [height, width]: readonly [number, number],
  [cy, cx]: Vector,
  radius: number,
  add: (share: number, index: number) => void,
): void {
  for (let i = 0; i < height * width && i < frame.length; i++) {
    const [y, x] = [Math.floor(i / width), i % width];
    const share = radius + 0.5 - Math.sqrt((y - cy) ** 2 + (x - cx) ** 2);
    if (share > 0) add(Math.min(1, share), i);
  }
}

/** What {@link cbedScan} simulates. */
export interface CbedSpec {
  /** Rows and columns of the scan. */
  readonly scan: readonly [number, number];
  /** Pixels of a frame along both sides. */
  readonly side: number;
  /** Radius of the disks. */
  readonly radius: number;
  /** Counts a pixel of a disk. */
  readonly dose: number;
  /** The lattice without strain; its origin is the middle of the frame. */
  readonly a: Vector;
  readonly b: Vector;
  /** Indices of the disks. */
  readonly indices: readonly Vector[];
  /** Seed of the counts. */
  readonly seed: number;
}

/** The deformation gradient of the crystal at a scan position: F in rows (yy, yx), (xy, xx). */
export type Deformation = readonly [yy: number, yx: number, xy: number, xx: number];

/** Frames with Poisson counts of a crystal that is deformed differently at every scan position. */
export function cbedScan(spec: CbedSpec, deformation: (position: number) => Deformation): Uint16Array {
  const { scan, side, radius, dose, seed } = spec;
  const frames = new Uint16Array(scan[0] * scan[1] * side * side);
  const random = new Random(seed), table = new PoissonTable(dose);
  for (let n = 0; n < scan[0] * scan[1]; n++) {
    const frame = frames.subarray(n * side * side, (n + 1) * side * side);
    for (let i = 0; i < frame.length; i++) frame[i] = table.draw(table.level(dose / 50), random);
    const vectors = [spec.a, spec.b].map((g) => reciprocal(deformation(n), g));
    for (const [i, j] of spec.indices) {
      const at = [0, 1].map((d) => side / 2 + i * vectors[0]![d]! + j * vectors[1]![d]!) as [number, number];
      addDisk(frame, [side, side], at, radius, (share, pixel) => {
        frame[pixel]! += table.draw(table.level(dose * share), random);
      });
    }
  }
  return frames;
}

/** `F⁻ᵀ g`. */
export function reciprocal([yy, yx, xy, xx]: Deformation, [y, x]: Vector): Vector {
  const determinant = yy * xx - yx * xy;
  return [(xx * y - xy * x) / determinant, (-yx * y + yy * x) / determinant];
}
